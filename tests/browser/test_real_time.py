"""One short block without a fake clock: what this machine does is reported, not asserted."""

from __future__ import annotations

import json
import time

import numpy as np
import pandas as pd
import pytest

from fuzzybounds import cli

pytestmark = pytest.mark.xdist_group("browser")
WATCH = """
window.latencies = [];
addEventListener("keydown", (event) => latencies.push(performance.now() - event.timeStamp), true);
"""


def test_a_short_block_in_real_time(browser, new_page, serving, tmp_path, capsys):
    short = (
        "{blocks: 1, block_s: 9, practice: [], phases: {cue: 0.3, feedback: 0.3, interval: 0.3}}"
    )
    (tmp_path / "short.yaml").write_text(short)
    with (
        serving(tmp_path, file=tmp_path / "short.yaml") as server,
        new_page(browser, real=True) as page,
    ):
        page.inject(WATCH)
        page.open(server.address)
        page.enter("P01")
        for _ in range(4):
            page.press(" ")
        page.wait("return document.body.innerText.includes('Refresh rate')")
        page.press(" ")
        page.press(" ")
        for number in range(60):
            page.press("mc"[number % 2])
            if page.title == "Thank you!":
                break
            time.sleep(0.3)
        page.wait("return document.querySelector('h1')?.textContent === 'Thank you!'", 30)
        page.wait_stored(0)
        latencies = np.array(page.browser.execute_script("return latencies"))
    root = server.folder.root
    assert cli.main(["validate", str(root)]) == 0
    paths = pd.read_csv(root / "paths/P01.csv")
    frames = 1000 * paths.groupby("trial")["time"].diff().dropna()
    display = json.loads((root / "sessions/P01_session-1.json").read_text())["runs"][0]["display"]
    with capsys.disabled():
        print(
            f"\nreal time: {paths['trial'].nunique()} trials, display {display['rate']:.1f} Hz; "
            f"frame interval median {frames.median():.2f} ms, 95 % {frames.quantile(0.95):.2f} ms, "
            f"longest {frames.max():.1f} ms; key to handler median {np.median(latencies):.2f} ms, "
            f"longest {latencies.max():.2f} ms (n = {latencies.size})"
        )
    assert len(paths) > 20
