"""The task as it is used: a server, a browser, and a participant who follows a fuzzy controller."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from fuzzybounds.canoe import task
from fuzzybounds.cohort import fuzzy_subjects
from fuzzybounds.collect.configuration import load_study
from fuzzybounds.collect.folder import StudyFolder
from fuzzybounds.collect.server import TaskServer

HERE = Path(__file__).parent
SEED = 20261117


class Page:
    """A window of the browser, in fake time unless `real`."""

    def __init__(self, browser, *, real: bool = False, pixels: bool = False, rate: float = 60):
        self.browser, self.scripts = browser, []
        self.resize(1280, 800)
        if not real:
            self.inject(f"window.fakeOptions = {json.dumps({'pixels': pixels, 'rate': rate})}")
            self.inject((HERE / "fake_time.js").read_text())
        self.inject((HERE / "player.js").read_text())

    def inject(self, source: str) -> None:
        command = "Page.addScriptToEvaluateOnNewDocument"
        self.scripts.append(self.browser.execute_cdp_cmd(command, {"source": source}))

    def resize(self, width: int, height: int, ratio: float = 1) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def close(self) -> None:
        for script in self.scripts:
            self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        self.browser.get("about:blank")

    def seed(self, seed: int) -> None:
        """Make the page's random numbers the same in every run of the tests."""
        self.inject(
            f"{{ let state = {seed}; crypto.getRandomValues = (words) => words.map(() => "
            "(state = (Math.imul(state, 1664525) + 1013904223) >>> 0)); }"
        )

    def run(self, script: str, *arguments):
        return self.browser.execute_script(script, *arguments)

    def find(self, selector: str):
        return self.browser.find_element("css selector", selector)

    def open(self, address: str) -> Page:
        self.browser.get(address)
        self.wait_title("", "One moment …", be=False)
        return self

    def wait_title(self, *titles: str, be: bool = True) -> None:
        """Wait until the title is one of these, or none of these."""
        script = "return arguments[0].includes(document.querySelector('h1')?.textContent ?? '')"
        self.wait(script + f" === {json.dumps(be)}", list(titles))

    def wait_text(self, text: str) -> None:
        self.wait("return document.body.innerText.includes(arguments[0])", text)

    def requests(self) -> list[str]:
        """What the page has asked for since it was loaded, by the browser's own account."""
        return self.run(
            "return performance.getEntriesByType('resource').map((entry) => entry.name)"
        )

    def wait(self, condition: str, *arguments) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, 120, 0.05).until(lambda _: self.run(condition, *arguments))

    @property
    def title(self) -> str:
        return self.run("return document.querySelector('h1')?.textContent")

    @property
    def text(self) -> str:
        return self.run("return document.body.innerText")

    @property
    def fits(self) -> bool:
        """Whether all of a page can be seen without scrolling."""
        return self.run(
            "const page = document.documentElement;"
            "return page.scrollWidth <= innerWidth && page.scrollHeight <= innerHeight"
        )

    def press(self, key: str) -> None:
        """Press a key, as a person does."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(key).perform()

    def enter(self, code: str) -> None:
        """Agree, and enter a participant code."""
        self.find("input[name=agree]").click()
        self.find("form button").click()
        self.wait("return document.activeElement.name === 'code'")
        self.press(code + "\n")
        self.wait_title("Participant code", "One moment …", be=False)

    def reload(self, code: str) -> None:
        """Reload the page, and enter the code again."""
        self.browser.refresh()
        self.wait("return document.querySelector('input[name=agree]') !== null")
        self.enter(code)

    def be_anyone(self) -> None:
        """Seat a participant who responds with 0.1 a frame, wherever the canoe is."""
        self.be(dict.fromkeys(("easy", "hard"), tabulated(lambda t, x: np.full_like(t + x, 0.1))))

    def go_to_block(self) -> None:
        """Press through pages and practice to the first frame of a block."""
        self.play("Block ", "Welcome back")
        self.run("window.lastPhase = 'page'; player.press(' ')")

    def until(self, phase: str, answer: bool = True) -> str:
        """Let frames pass until a phase of a trial, or a page, is on the screen."""
        return self.run("return tickUntil(...arguments)", phase, answer)

    def ticks(self, count: int) -> None:
        self.run("for (let i = 0; i < arguments[0]; i++) fake.tick()", count)

    @property
    def trials(self) -> int:
        """Trials whose end was on the screen since the page was loaded, practice left out."""
        return self.run("return trialsSeen")

    def wait_stored(self, waiting: int) -> None:
        """Wait until so many messages are in the browser's own store."""
        script = """
        const [count, done] = arguments;
        const request = indexedDB.open("canoe my_lab");
        request.onsuccess = () => {
          const look = () => {
            const all = request.result.transaction("waiting").objectStore("waiting").getAll();
            all.onsuccess = () => all.result.length === count ? done(true) : setTimeout(look, 20);
          };
          look();
        };"""
        assert self.browser.execute_async_script(script, waiting)

    def wait_saved(self) -> None:
        """Wait until the page says that everything is on disk."""
        self.wait_text("Everything is saved.")

    def be(self, policy: dict, seed: int = 1, cued: bool = True, **options: float) -> None:
        """Seat a participant who follows a policy."""
        options |= {"policy": policy, "seed": seed, "cued": cued}
        self.run("window.player = new Player(arguments[0])", options)

    def play(self, *titles: str, **options) -> str:
        """Let the participant play until one of these titles is on the screen."""
        script = (
            "const done = arguments[arguments.length - 1];"
            "playUntil(window.player, arguments[0], arguments[1]).then(done, (e) => done('' + e))"
        )
        return self.browser.execute_async_script(script, list(titles), options)


class KillableBrowsers:
    """Browsers with one profile, that can be killed and started again."""

    def __init__(self, profile: Path, start):
        self.profile, self.start, self.open = profile, start, []

    def __call__(self):
        self.open.append(self.start(self.profile))
        return self.open[-1]

    def kill(self, browser) -> None:
        """Kill Chromium itself, as a crash does: nobody can tidy up."""
        self.open.remove(browser)
        processes = Path("/proc").glob("[0-9]*/cmdline")
        for process in processes:
            with contextlib.suppress(OSError):
                if f"--user-data-dir={self.profile}".encode() in process.read_bytes():
                    os.kill(int(process.parent.name), signal.SIGKILL)
        browser.service.stop()
        for lock in self.profile.glob("Singleton*"):
            lock.unlink()


@pytest.fixture
def killable_browser(start_browser, quick_folder, request):
    browsers = KillableBrowsers(quick_folder / request.node.name, start_browser)
    yield browsers
    for browser in browsers.open:
        browser.quit()


@contextmanager
def _new_page(browser, keep=False, **options):
    page = Page(browser, **options)
    yield page
    if not keep:
        page.close()


@pytest.fixture(scope="session")
def new_page():
    """Open a window of the browser for a while."""
    return _new_page


@pytest.fixture
def page(browser):
    """A window in fake time."""
    with _new_page(browser) as page:
        yield page


@contextmanager
def _serving(root: Path, config: str = "{}", *, experiment: str | None = None):
    """A running server of the study my_lab in a folder."""
    file = root / "study.yaml"
    root.mkdir(exist_ok=True)
    file.write_text(config)
    folder = StudyFolder(root / "my_lab", load_study("my_lab", file, experiment))
    lines: list[str] = []
    server = TaskServer(folder, "secret", 0, say=lines.append)
    server.lines = lines
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="session")
def serving():
    """Serve a study for a while."""
    return _serving


@pytest.fixture
def server(tmp_path):
    with _serving(tmp_path) as server:
        yield server


def subject() -> fuzzy_subjects.Subject:
    """The participant: a fuzzy controller with five labels, before any practice."""
    return fuzzy_subjects.one_session_subject(SEED, "task", "player")


def policies(player: fuzzy_subjects.Subject) -> dict[str, task.StoppingPolicy]:
    def policy(condition: str) -> task.StoppingPolicy:
        controller, frames = player.controller(condition, 1), player.policies[condition].frames
        return lambda time, distance: controller.output(time, distance) / frames

    return {name: policy(name) for name in task.CONDITIONS}


def tabulated(policy: task.StoppingPolicy) -> dict:
    """A stopping policy as the player takes it."""
    times = np.arange(task.DEADLINE_FRAMES + 1) * task.FRAME
    distances = np.arange(round(task.EDGE / task.FRAME_PIXELS) + 1) * task.FRAME_PIXELS
    values = policy(times[:, None], distances[None, :]).astype("<f4")
    return {"shape": values.shape, "values": base64.b64encode(values.tobytes()).decode()}


@pytest.fixture(scope="session")
def tabulated_policy():
    """Return the function that prepares a stopping policy for the player."""
    return tabulated


@pytest.fixture(scope="session")
def simulated_policy():
    """What the participant does on easy or on hard trials, for the library's simulator."""
    return policies(subject()).__getitem__


@pytest.fixture(scope="session")
def policy():
    """What the participant does on easy and on hard trials, for the player."""
    return {name: tabulated(stopping) for name, stopping in policies(subject()).items()}


def uniforms(seed: str, stream: str, number: int) -> Iterator[float]:
    """The random numbers of a trial, as ``walk.js`` has them: sfc32 from four words of the seed."""
    mask = 0xFFFFFFFF

    def mixed(word: int) -> int:
        word = (word ^ (word >> 16)) * 0x85EBCA6B & mask
        word = (word ^ (word >> 13)) * 0xC2B2AE35 & mask
        return word ^ (word >> 16)

    a, b, c, d = (int(seed[at : at + 8], 16) for at in (0, 8, 16, 24))
    a, b = mixed(a ^ number), mixed(b ^ (0x9E3779B9 if stream == "practice" else 0))
    for n in count():
        total = (a + b + d) & mask
        d = (d + 1) & mask
        a, b = b ^ (b >> 9), (c + (c << 3)) & mask
        c = (((c << 21) | (c >> 11)) + total) & mask
        if n >= 12:
            yield total / 2**32


@pytest.fixture(scope="session")
def draw_trial():
    """What chance decides about a trial: condition, heading, directions, start and signal."""

    def draw(design: dict, seed: str, number: int, stream: str = "trial") -> dict:
        uniform, gate = uniforms(seed, stream, number), design["gate"]
        condition = "hard" if next(uniform) < design["hard_share"] else "easy"
        p0, side = design["conditions"][condition]["p0"], next(uniform)
        steps = [next(uniform) < p0 for _ in range(2 * design["deadline_s"])]
        places = int(design["canoe"]["start_px"] // 45)
        place = int(next(uniform) * (2 * places + 1)) - places
        odds = (p0 / (1 - p0)) ** place
        heading = 1 if side >= 1 - odds / (1 + odds) else -1
        signal = None
        if gate and next(uniform) >= gate["ungated"]:
            earliest, latest, u = gate["earliest_s"], gate["latest_s"], next(uniform)
            if gate["distribution"] == "exponential":
                scale = gate["mean_s"] - earliest
                times = stats.truncexpon((latest - earliest) / scale, earliest, scale)
            else:
                times = stats.uniform(earliest, latest - earliest)
            signal = float(times.ppf(u))
        directions = [heading if toward else -heading for toward in steps]
        drawn = {"condition": condition, "heading": heading, "directions": directions}
        return {**drawn, "start": 45 * place, "signal": signal}

    return draw


@pytest.fixture
def start_request():
    """Make what a page sends when a participant code was entered."""

    def make(code: str = "P01", run: int = 1, **changes) -> dict:
        client = dict.fromkeys(("utc", "user_agent", "language", "window", "screen"), "x")
        return {
            "run": f"{run:032x}",
            "code": code,
            "seed": f"{run + 100:032x}",
            "consent": {"version": "1", "sha256": "0", "agreed": "2026-01-01T00:00:00Z"},
            "client": {**client, "pixel_ratio": 1, "scale": 1.25},
            **changes,
        }

    return make


@pytest.fixture
def trial_message():
    """Make the message of a correct easy trial that ended after half a second."""

    def make(trial: int = 1, code: str = "P01", run: int = 1, block: int = 1, **changes) -> dict:
        place = {"block": block, "trial": trial}
        record = {"session": 1, **place, "rt": 0.5, "total": 4.55, "reward": 20}
        record |= {"condition": "easy", "correct": 1, "position": 45}
        record["path"] = {"time": [0, 0.25, 0.5], "position": [0, 22.5, 45]}
        event = {"time": 1.5, "event": "response", "value": "right", **place}
        sender = {"run": f"{run:032x}", "code": code, "number": trial, "kind": "trial"}
        return {**sender, "events": [event], "trial": record | changes}

    return make


@pytest.fixture
def finish():
    """Make the message that ends a session."""

    def make(code: str = "P01", run: int = 1) -> dict:
        return {"run": f"{run:032x}", "code": code, "number": 99, "kind": "finish", "events": []}

    return make
