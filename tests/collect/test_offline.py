"""The task as one file, opened from disk: it runs, offers its data, and loses nothing."""

from __future__ import annotations

import csv
import json
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fuzzybounds import cli


def downloads_of(folder, count: int) -> list[dict]:
    for _ in range(200):
        files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
        if len(files) >= count:
            return files
        time.sleep(0.05)
    pytest.fail(f"{len(files)} files were downloaded; expected {count}")


def test_it_runs_from_disk_and_its_files_become_a_data_set(page, policy, tmp_path, capsys):
    (tmp_path / "short.yaml").write_text(
        "{blocks: 3, practice: [], questions: [{name: age, label: Age}], authors: [Lab]}"
    )
    config = ["--config", str(tmp_path / "short.yaml")]
    html, data = tmp_path / "canoe.html", tmp_path / "data"
    assert cli.main(["task", "export", "my_lab", *config, str(html)]) == 0
    allowed = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.browser.execute_cdp_cmd("Page.setDownloadBehavior", allowed)
    page.open(html.as_uri())
    page.enter("P01")
    page.find("input[name=age]").send_keys("30\n")
    page.be(policy)
    assert page.play("Block 1 of 3 done") == "Block 1 of 3 done"
    assert "There is no server here" in page.text
    first = downloads_of(tmp_path, 1)[0]
    # A reload: the session goes on at the next block, from what the browser has kept.
    page.reload("P01")
    page.be(policy, seed=2)
    assert page.play("Thank you!") == "Thank you!"
    assert not [url for url in page.requests() if not url.startswith(("file:", "data:", "blob:"))]
    files = [str(file) for file in downloads_of(tmp_path, 3)]
    assert str(first) in files
    capsys.readouterr()
    given = ["task", "add", "my_lab", *config, "--data", str(data)]
    assert cli.main([*given, *files, files[0]]) == 0
    printed = capsys.readouterr().out
    assert "were there before" in printed
    # Added again, nothing is there twice; the design is the folder's.
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    bare = ["task", "add", "my_lab", "--data", str(data)]
    assert cli.main([*bare, *files]) == 0
    assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before
    # In a new folder the design is that of the files.
    fresh = tmp_path / "fresh"
    assert cli.main(["task", "add", "my_lab", "--data", str(fresh), *files]) == 0
    for name in ("data/subject-P01_data.csv", "demographics/answers.csv"):
        assert (fresh / "my_lab" / name).read_bytes() == (data / "my_lab" / name).read_bytes()
    designs = [json.loads((folder / "my_lab/design.json").read_text()) for folder in (fresh, data)]
    assert designs[0] == designs[1]
    assert cli.main([*bare, "--experiment", "B", *files]) == 1
    assert "the study was started with another design" in capsys.readouterr().err
    assert cli.main(["validate", str(data / "my_lab")]) == 0
    with (data / "my_lab/data/subject-P01_data.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["block"] for row in rows} == {"1", "2", "3"}
    assert [int(row["trial"]) for row in rows] == list(range(1, len(rows) + 1))
    session = json.loads((data / "my_lab/sessions/P01_session-1.json").read_text())
    assert [run["first_block"] for run in session["runs"]] == [1, 2]
    assert session["finished"]


JATOS = """
window.sent = [];
window.jatos = {
  onLoad: (start) => start(),
  submitResultData(text) {
    sent.push(text);
    return sent.length === 1 ? Promise.reject(new Error("no connection")) : Promise.resolve();
  },
  endStudyAjax: async () => { window.ended = true; },
};
"""


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        """Log nothing."""


def test_a_host_takes_the_data_and_what_it_cannot_take_is_downloaded(
    page, policy, tmp_path, capsys
):
    """A stand-in for JATOS with the functions that the page uses, one of whose answers fails."""
    (tmp_path / "short.yaml").write_text("{blocks: 3, practice: []}")
    (tmp_path / "jatos.js").write_text(JATOS)
    export = ["task", "export", "my_lab", "--config", str(tmp_path / "short.yaml"), "--jatos"]
    assert cli.main([*export, str(tmp_path / "canoe.html")]) == 0
    allowed = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.browser.execute_cdp_cmd("Page.setDownloadBehavior", allowed)
    handler = partial(QuietHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        threading.Thread(target=host.serve_forever, args=(0.02,), daemon=True).start()
        page.open(f"http://127.0.0.1:{host.server_port}/canoe.html")
        page.enter("P01")
        page.be(policy)
        assert page.play("Block 1 of 3 done") == "Block 1 of 3 done"
        page.wait_text("Nothing is lost.")
        downloads_of(tmp_path, 1)
        page.press(" ")
        assert page.play("Thank you!") == "Thank you!"
        page.wait_saved()
        page.wait("return window.ended === true")
        sent = page.run("return sent")
        host.shutdown()
    assert len(sent) == 3
    (tmp_path / "result.txt").write_text(sent[-1])
    given = [
        "task",
        "add",
        "my_lab",
        "--data",
        str(tmp_path / "data"),
        str(tmp_path / "result.txt"),
    ]
    assert cli.main(given) == 0
    assert cli.main(["validate", str(tmp_path / "data/my_lab")]) == 0
    session = json.loads((tmp_path / "data/my_lab/sessions/P01_session-1.json").read_text())
    assert session["finished"]
