"""Whatever breaks, nothing is lost and nothing is there twice, and the folder stays valid."""

from __future__ import annotations

import csv
import signal
import socket
import subprocess
import sys
from contextlib import closing

import pytest

from fuzzybounds import cli

LOG = "data/subject-P01_data.csv"
SHORT = "{blocks: 30, practice: [easy]}"


class Server:
    """``fuzzybounds task`` as a process of its own, that can be killed and started again."""

    def __init__(self, folder, config=SHORT):
        self.folder, self.root = folder, folder / "my_lab"
        (folder / "short.yaml").write_text(config)
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = None
        self.start()

    def start(self):
        code = "import sys; from fuzzybounds.cli import main; sys.exit(main())"
        options = ["--data", str(self.folder), "--config", str(self.folder / "short.yaml")]
        command = [sys.executable, "-c", code, "task", "serve", "my_lab", *options, "--no-open"]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port)], stdout=subprocess.PIPE, text=True
        )
        for line in self.process.stdout:
            if line.startswith("The task is at "):
                self.address = line.split()[-1]
                return
        pytest.fail("the server did not start")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        self.process.terminate()
        rest = self.process.stdout.read()
        assert self.process.wait(10) == 0
        self.process.stdout.close()
        return rest


@pytest.fixture
def process(tmp_path):
    server = Server(tmp_path)
    yield server
    if server.process.poll() is None:
        server.kill()


@pytest.fixture
def short(tmp_path, serving):
    """A server in this process, for faults that are not its own."""
    with serving(tmp_path, SHORT) as server:
        yield server


def log_of(root, folder: str = "") -> list[dict]:
    with (root / (f"{folder}/P01.csv" if folder else LOG)).open(newline="") as file:
        return list(csv.DictReader(file))


def events_of(root, name) -> list[dict]:
    return [row for row in log_of(root, "events") if row["event"] == name]


def assert_whole(root, trials: int) -> None:
    """Every trial that was played is there once, with its path and its events."""
    assert cli.main(["validate", str(root)]) == 0
    rows = log_of(root)
    assert [int(row["trial"]) for row in rows] == list(range(1, trials + 1))
    firsts = [row["trial"] for row in log_of(root, "paths") if row["time"] == "0"]
    assert sorted(firsts, key=int) == [row["trial"] for row in rows]
    responses = [row["trial"] for row in events_of(root, "response") if row["block"] != "0"]
    assert responses == [row["trial"] for row in rows]
    assert not (root / "set_aside").exists()


def begin(page, address, code="P01"):
    """From the first screen to the first frame of a block."""
    page.open(address)
    page.enter(code)
    page.be_anyone()
    page.go_to_block()


def play_trials(page, count: int) -> None:
    for _ in range(count):
        assert page.until("feedback") == "feedback"


def end_block(page) -> None:
    while page.until("feedback") != "page":
        pass
    page.wait("return document.querySelector('h1') !== null")


def test_the_last_screen_says_what_is_saved(page, tmp_path):
    """With the server gone nobody is told to close the window, and the reason can be seen."""
    process = Server(tmp_path, "{blocks: 1, practice: []}")
    begin(page, process.address)
    process.kill()
    page.resize(1280, 757)
    end_block(page)
    page.wait_text("Please keep this window open")
    assert page.title == "Thank you!"
    assert "close this window" not in page.text
    assert page.fits
    process.start()
    page.wait_saved()
    assert "You can close this window now." in page.text
    assert page.fits
    assert "P01 finished session 1: " in process.stop()


def test_the_browser_is_killed_while_the_server_is_down(process, killable_browser, new_page):
    """The worst case: trials that nobody has acknowledged, in a browser that dies."""
    browser = killable_browser()
    with new_page(browser, keep=True) as page:
        begin(page, process.address)
        play_trials(page, 2)
        page.wait_stored(0)
        process.kill()
        play_trials(page, 2)
        page.wait_stored(2)
        killable_browser.kill(browser)
    process.start()
    browser = killable_browser()
    with new_page(browser) as page:
        page.open(process.address)
        assert len(log_of(process.root)) == 4
        page.enter("P01")
        assert page.title == "Display check"
        page.be_anyone()
        page.play("Welcome back")
        coins = sum(int(row["reward"]) for row in log_of(process.root))
        assert f"You have {coins} coins".replace("-", "−") in page.text
        page.go_to_block()
        end_block(page)
        page.wait_saved()
        assert_whole(process.root, 4 + page.trials)
    assert [row["block"] for row in log_of(process.root)][:5] == ["1"] * 4 + ["2"]
    assert [row["value"] for row in events_of(process.root, "resumed_at_block")] == ["2"]


def test_two_tabs(page, short):
    begin(page, short.address)
    browser = page.browser
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    try:
        page.open(short.address)
        assert "already open in another tab" in page.text
        browser.close()
    finally:
        browser.switch_to.window(first)
    play_trials(page, 1)
    page.wait_stored(0)
    assert_whole(short.folder.root, 1)


PHASES = ("cue", "ready", "decision", "feedback", "penalty", "interval", "break")


def test_a_reload_in_every_phase(page, short):
    """Pages before the first block begin again; later the session goes on at the next block."""
    page.open(short.address)
    page.browser.refresh()
    page.wait("return document.querySelector('h1') !== null")
    page.enter("P01")
    page.press(" ")
    for title in ("Coins", "That was the practice", "Block 1 of 30"):
        page.be_anyone()
        assert page.play(title) == title
        page.reload("P01")
        assert page.title.startswith("Where is the canoe")
    page.be_anyone()
    page.go_to_block()
    played = 0
    for phase in PHASES:
        # At least one trial, so that there is something to lose.
        assert page.until("feedback") == "feedback"
        if phase == "break":
            end_block(page)
        else:
            # A block may end before.
            while page.until(phase, answer=phase != "decision") != phase:
                page.press(" ")
        played += page.trials
        page.reload("P01")
        assert page.title == "Display check"
        assert len(log_of(short.folder.root)) == played
        page.be_anyone()
        page.go_to_block()
    assert page.until("feedback") == "feedback"
    page.wait_stored(0)
    assert_whole(short.folder.root, played + 1)
    blocks = [int(row["block"]) for row in log_of(short.folder.root)]
    resumed = [int(row["value"]) for row in events_of(short.folder.root, "resumed_at_block")]
    assert resumed == sorted(set(resumed))
    assert resumed[-1] == blocks[-1] == blocks[-2] + 1
    assert len(resumed) == len(PHASES)
