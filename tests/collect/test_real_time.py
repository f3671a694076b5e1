"""One short block without a fake clock: what this machine does is reported, not asserted."""

from __future__ import annotations

import time

import pandas as pd

from fuzzybounds import cli

SHORT = "{blocks: 1, block_s: 9, practice: [], phases: {cue: 0.3, feedback: 0.3, interval: 0.3}}"


def test_a_short_block_in_real_time(browser, new_page, serving, tmp_path, capsys):
    with serving(tmp_path, SHORT) as server, new_page(browser, real=True) as page:
        page.open(server.address)
        page.enter("P01")
        for _ in range(4):
            page.press(" ")
        page.wait_text("Refresh rate")
        page.press(" ")
        page.press(" ")
        for number in range(60):
            page.press("mc"[number % 2])
            if page.title == "Thank you!":
                break
            time.sleep(0.3)
        page.wait_saved()
    root = server.folder.root
    assert cli.main(["validate", str(root)]) == 0
    paths = pd.read_csv(root / "paths/P01.csv")
    frames = 1000 * paths.groupby("trial")["time"].diff().dropna()
    with capsys.disabled():
        print(f"\nframes: median {frames.median():.2f} ms, longest {frames.max():.1f} ms")
    assert len(paths) > 20
