"""What is on disk: valid at any moment, nothing lost, nothing twice."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fuzzybounds import cli
from fuzzybounds.collect import durable
from fuzzybounds.collect.configuration import load_study
from fuzzybounds.collect.folder import StudyFolder
from fuzzybounds.collect.messages import BadMessageError
from fuzzybounds.collect.offline import add_file
from fuzzybounds.core.errors import InputError

LOG = "data/subject-P01_data.csv"


@pytest.fixture
def root(tmp_path):
    return tmp_path / "my_lab"


@pytest.fixture
def opened(root, tmp_path):
    """Open the folder of the study, again if it exists, with a configuration."""

    def opened(config: str = "{}") -> StudyFolder:
        (tmp_path / "study.yaml").write_text(config)
        return StudyFolder(root, load_study("my_lab", tmp_path / "study.yaml"))

    return opened


@pytest.fixture
def started(opened, start_request):
    folder = opened()
    folder.start(start_request())
    return folder


def rows_of(root, name: str = LOG) -> list[dict]:
    with (root / name).open(newline="") as file:
        return list(csv.DictReader(file))


def contents(root, pattern: str = "*") -> dict:
    return {path: path.read_bytes() for path in root.rglob(pattern) if path.is_file()}


def assert_valid(root) -> None:
    assert cli.main(["validate", str(root)]) == 0


def test_a_trial_is_a_row_a_path_and_events(started, root, trial_message):
    assert started.store(trial_message()) == {"superseded": False}
    assert (root / LOG).read_text() == (
        "subject,session,block,trial,rt,total,reward,condition,correct,position\n"
        "P01,1,1,1,0.5,4.55,20,easy,1,45\n"
    )
    assert len(rows_of(root, "paths/P01.csv")) == 3
    assert rows_of(root, "events/P01.csv")[0]["event"] == "response"
    assert_valid(root)
    texts = contents(root).values()
    assert not [text for text in texts if b"127.0.0.1" in text]
    assert not [text for text in texts if socket.gethostname().encode() in text]


def test_sending_again_changes_nothing(started, opened, root, trial_message, start_request):
    started.store(trial_message())
    before = contents(root)
    for folder in (started, opened()):
        folder.store(trial_message())
        folder.start(start_request())
        assert contents(root) == before


def test_it_goes_on_at_the_next_block(started, opened, root, trial_message, start_request):
    started.store(trial_message(1))
    started.store(trial_message(2, block=2))
    answer = opened().start(start_request(run=2))
    assert (answer["block"], answer["trial"], answer["session"]) == (3, 3, 1)
    assert [(trial["block"], trial["reward"]) for trial in answer["trials"]] == [(1, 20), (2, 20)]
    # The same code in another spelling would be another file only on some systems.
    assert opened().start(start_request("p01", run=3)) == {"refused": "code_case"}
    runs = json.loads((root / "sessions/P01_session-1.json").read_text())["runs"]
    assert [run["first_block"] for run in runs] == [1, 3]
    assert runs[0]["seed"] != runs[1]["seed"]


def test_a_window_that_was_replaced_loses_nothing(started, root, trial_message, start_request):
    started.store(trial_message(1))
    assert started.start(start_request(run=2)) == {"refused": "busy"}
    assert started.start(start_request(run=2, takeover=True))["block"] == 2
    # The old window had a trial on its way: it is kept, but it is not the new window's trial 2.
    for _ in range(2):
        assert started.store(trial_message(2)) == {"superseded": True}
    started.store(trial_message(2, run=2, block=2, reward=-20, correct=0, total=7.55))
    assert [row["reward"] for row in rows_of(root)] == ["20", "-20"]
    aside = (root / "set_aside/P01.jsonl").read_text().splitlines()
    assert [json.loads(line)["trial"]["trial"] for line in aside] == [2]
    assert_valid(root)


def test_a_finished_participant_is_not_asked_again(
    opened, root, trial_message, start_request, finish
):
    folder = opened("{sessions: 2, blocks: 1}")
    assert folder.start(start_request())["session"] == 1
    folder.store(trial_message())
    folder.store(finish())
    second = folder.start(start_request(run=2))
    assert (second["session"], second["block"], second["trial"]) == (2, 2, 2)
    with pytest.raises(BadMessageError, match="a block of the session"):
        folder.store(trial_message(2, run=2, block=1, session=2))
    folder.store(trial_message(2, run=2, block=2, session=2))
    folder.store(finish(run=2))
    assert folder.start(start_request(run=3)) == {"refused": "complete"}
    assert_valid(root)


def test_a_finished_record_is_never_written_again(started, root, start_request, finish):
    """A message of a window that was replaced arrives after the end of the session."""
    started.start(start_request(run=2, takeover=True))
    started.store(finish(run=2))
    before = (root / "sessions/P01_session-1.json").read_bytes()
    display = {"rate": 60, "width": 1, "height": 1, "full_screen": True}
    late = {**finish(run=1), "kind": "display", "display": display}
    assert started.store(late) == {"superseded": True}
    assert (root / "sessions/P01_session-1.json").read_bytes() == before
    assert json.loads((root / "set_aside/P01.jsonl").read_text())["display"] == display


@pytest.mark.parametrize(
    "code",
    [
        *("", "..", "../P01", "a/b", ".x", "P 1", "P01\n", "é", "x" * 33, "README", "P_1"),
        *("CON", "nul", "NUL.csv"),
    ],
)
def test_a_code_cannot_leave_the_folder(opened, root, start_request, code):
    folder = opened()
    before = contents(root.parent)
    with pytest.raises(BadMessageError):
        folder.start(start_request(code))
    assert contents(root.parent) == before


FAR = {"time": 0.5, "position": 54}.items()


@pytest.mark.parametrize(
    "changes",
    [
        *({"rt": rt} for rt in (16.0, -1, float("nan"), 10**400)),
        *({"reward": 1}, {"total": 5.0}, {"position": 90}, {"block": 41}, {"session": 2}),
        *({"condition": "medium"}, {"correct": 2}, {"extra": 1}),
        # Nobody is right who did not respond; and many steps of a little too much are too much.
        {"rt": 0, "total": 19.05, "position": -60}
        | {"path": {"time": [0, 4, 15], "position": [0, 300, -60]}},
        {"position": 54, "path": {name: [n * to / 1000 for n in range(1001)] for name, to in FAR}},
        *(
            {"path": {"time": time, "position": position}}
            for time, position in (
                ([0, 0.5], [0, 90]),
                ([0, 0.4], [0, 36]),
                ([0, 0.25, 0.25, 0.5], [0, 22.5, 22.5, 45]),
                ([0, 10**400], [0, 45]),
            )
        ),
    ],
)
def test_nothing_that_breaks_the_design_is_stored(started, root, trial_message, changes):
    with pytest.raises(BadMessageError):
        started.store(trial_message(**changes))
    with pytest.raises(BadMessageError, match="run"):
        started.store(trial_message(run=7))
    assert not (root / LOG).exists()


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ({"trial": 1_000_000}, "at most 15 trials a block"),
        ({"trial": 13, "block": 1}, "a block from 2"),
        ({"trial": 11, "block": 2}, "a trial after 12"),
        ({"trial": 13, "block": 41, "session": 2}, "session 1"),
    ],
)
def test_trials_come_in_their_order(opened, root, trial_message, start_request, later, expected):
    """Whoever knows the secret cannot write a log that is refused later."""
    folder = opened("{sessions: 2}")
    folder.start(start_request())
    folder.store(trial_message(9))
    # One that the server refused leaves a gap, which stops nobody.
    folder.store(trial_message(12, block=2))
    before = contents(root)
    with pytest.raises(BadMessageError, match=expected):
        folder.store(trial_message(**later))
    assert contents(root) == before
    folder.store(trial_message(9))
    folder.store(trial_message(13, block=2))
    assert_valid(root)


@pytest.mark.parametrize("fails_at", ["data", "paths", "events"])
def test_a_full_disk_loses_nothing(started, root, trial_message, monkeypatch, fails_at):
    started.store(trial_message(1))
    real = durable.append

    def append(path, header, rows):
        if path.parent.name == fails_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(path, header, rows)

    monkeypatch.setattr(durable, "append", append)
    with pytest.raises(OSError, match="No space"):
        started.store(trial_message(2))
    assert_valid(root)
    monkeypatch.undo()
    started.store(trial_message(2))
    counts = [len(rows_of(root, file)) for file in (LOG, "paths/P01.csv", "events/P01.csv")]
    assert counts == [2, 6, 2]
    assert_valid(root)


@pytest.mark.parametrize("exists", [True, False])
def test_a_full_disk_leaves_a_file_as_it_was(tmp_path, monkeypatch, exists):
    """Short writes are completed; where that fails, what was written is taken back."""
    file = tmp_path / "log.csv"
    if exists:
        durable.append(file, "a,b\n", "1,2\n")
    before, real = contents(tmp_path), os.write

    def half(handle, content):
        if len(content) < least:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, content[: (len(content) + 1) // 2])

    monkeypatch.setattr(os, "write", half)
    least = 4
    with pytest.raises(OSError, match="No space left"):
        durable.append(file, "a,b\n", "3,4\n5,6\n")
    assert contents(tmp_path) == before
    least = 0
    durable.append(file, "a,b\n", "3,4\n")
    assert file.read_text() == ("a,b\n1,2\n3,4\n" if exists else "a,b\n3,4\n")


@pytest.mark.parametrize(
    ("name", "cut"),
    [(LOG, 7), ("paths/P01.csv", 13), ("paths/P01.csv", 15), ("events/P01.csv", 3)],
)
def test_a_power_failure_in_the_middle_of_a_trial(started, opened, root, trial_message, name, cut):
    """What was not acknowledged may be cut, also whole rows of a path; the page sends it again."""
    started.store(trial_message(1))
    started.store(trial_message(2))
    whole, file = contents(root, "*.csv"), root / name
    file.write_bytes(file.read_bytes()[:-cut])
    opened().store(trial_message(2))
    assert contents(root, "*.csv") == whole


def test_it_is_valid_while_it_grows(started, root, trial_message):
    """A reader in the middle of a session never sees half a trial."""
    started.store(trial_message(1))
    messages = (trial_message(trial, block=min(trial, 40)) for trial in range(2, 3000))
    stop = threading.Event()
    with ThreadPoolExecutor() as pool:
        pool.submit(
            lambda: all(started.store(message) for message in messages if not stop.is_set())
        )
        try:
            for _ in range(8):
                assert_valid(root)
        finally:
            stop.set()
    assert len(rows_of(root)) > 8


def test_answers_have_a_file_of_their_own(opened, root, trial_message, start_request, finish):
    folder = opened("questions: [{name: age, label: Age}, {name: hand, label: Hand}]")
    folder.start(start_request())
    lost = {"time": 1, "event": "block_end", "value": "-57", "block": 1, "trial": ""}
    answers = {"age": '=1+1, "x"\n', "hand": "-1+1", "name": "not asked"}
    for _ in range(2):
        folder.store({**finish(), "kind": "answers", "events": [lost], "answers": answers})
    folder.store(trial_message(2))
    # A spreadsheet does not take them for formulas; a number stays one.
    answered = [
        (row["question"], row["answer"]) for row in rows_of(root, "demographics/answers.csv")
    ]
    assert answered == [("age", '\'=1+1, "x"'), ("hand", "'-1+1")]
    assert rows_of(root, "events/P01.csv")[0]["value"] == "-57"
    assert_valid(root)
    described = json.loads((root / "dataset_description.json").read_text())["variableMeasured"]
    columns = {name for file in contents(root, "*.csv") for name in rows_of(root, file)[0]}
    assert columns == {variable["name"] for variable in described}


def test_a_design_does_not_change_within_a_study(started, opened, trial_message):
    opened("deadline_s: 10")
    opened().store(trial_message())
    with pytest.raises(InputError, match="deadline_s: 15 in the data, 10 now"):
        opened("deadline_s: 10")


GATED = """{canoe: {start_px: 90}, gate: {distribution: uniform, earliest_s: 0.3, latest_s: 6,
    ungated: 0.2}}"""
SIGNALLED = {"start": -90, "signal": 0.4, "early": 2, "position": -45}
SIGNALLED |= {"path": {"time": [0, 0.25, 0.5], "position": [-90, -67.5, -45]}}


def test_start_signal_and_early_presses_are_columns(opened, root, trial_message, start_request):
    folder = opened(GATED)
    folder.start(start_request())
    folder.store(trial_message(1, **SIGNALLED))
    folder.store(trial_message(2, **SIGNALLED | {"signal": "", "early": 0}))
    assert (root / LOG).read_text() == (
        "subject,session,block,trial,rt,total,reward,condition,correct,position,start,signal,early\n"
        "P01,1,1,1,0.5,4.55,20,easy,1,-45,-90,0.4,2\n"
        "P01,1,1,2,0.5,4.55,20,easy,1,-45,-90,,0\n"
    )
    assert_valid(root)
    assert opened(GATED).participant("P01").last_block == 1
    with pytest.raises(InputError, match=r"gate: .* in the data, None now"):
        opened()


@pytest.mark.parametrize(
    "changes",
    [
        *({"signal": signal} for signal in (0.2, 0.501, 15, -1)),
        *({"signal": "", "early": 1}, {"start": 0}),
        *(
            {"start": start, "position": start, "path": {"time": [0, 0.5], "position": [start] * 2}}
            for start in (-135, -80)
        ),
    ],
)
def test_no_other_start_or_signal_is_stored(opened, root, trial_message, start_request, changes):
    folder = opened(GATED)
    folder.start(start_request())
    for wrong in (trial_message(**SIGNALLED | changes), trial_message()):
        with pytest.raises(BadMessageError, match="expected"):
            folder.store(wrong)
    assert not (root / LOG).exists()


def test_it_is_a_psych_ds_data_set(opened, root, trial_message, start_request):
    """By the published rules of Psych-DS (errors, and what it says of sidecars)."""
    folder = opened(GATED)
    for n, code in enumerate(("P01", "x7"), 1):
        folder.start(start_request(code, run=n))
        folder.store(trial_message(1, code, n, **SIGNALLED))
    described = json.loads((root / "dataset_description.json").read_text())
    assert described["@type"] == "Dataset"
    assert described["@context"].rstrip("/") == "https://schema.org"
    assert described["name"] == "my_lab"
    assert described["description"]
    assert {one["@type"] for one in described["variableMeasured"]} == {"PropertyValue"}
    named = {one["name"] for one in described["variableMeasured"]}
    files = sorted((root / "data").rglob("*.csv"))
    assert len(files) == 2
    for file in files:
        assert re.fullmatch(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv", file.name)
        with file.open(newline="", encoding="utf-8") as opened_file:
            header, *rows = csv.reader(opened_file)
        assert rows
        assert {len(row) for row in rows} == {len(header)}
        sidecar = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        # A field of the sidecar replaces that of the whole data set.
        assert set(header) == set(sidecar["variableMeasured"]) <= named
        assert "row_id" not in header


def test_logs_of_another_kind_are_left_alone(root, opened):
    root.mkdir()
    (root / "7.csv").write_text("subject,block,rt,condition,correct,position\n")
    with pytest.raises(InputError, match=r"7\.csv: not a log of the canoe task"):
        opened()


def test_values_that_a_lab_changed_travel_with_the_data(
    opened, root, trial_message, start_request, capsys
):
    folder = opened("{conditions: {easy: {payoff: 10}}, canoe: {speed: 120}, deadline_s: 10}")
    folder.start(start_request())
    path = {"time": [0, 0.5], "position": [0, 60]}
    folder.store(trial_message(reward=10, position=60, path=path))
    path = {"time": [0, 4, 10], "position": [0, 300, -60]}
    missed = {"rt": 0, "correct": 0, "reward": -10, "total": 17.05, "position": -60, "path": path}
    folder.store(trial_message(2, **missed))
    assert_valid(root)
    assert "the deadline is 10 s, not the paper's 15 s" in capsys.readouterr().out
    # Without the design the same rows would break the paper's.
    (root / "design.json").unlink()
    assert cli.main(["validate", str(root)]) == 1


def test_files_of_an_offline_page_are_added_once(opened, root, trial_message, start_request):
    start = {**start_request(), "kind": "start", "number": 0, "session": 1}
    content = {"format": "fuzzybounds task 1", "study": "my_lab", "messages": [start]}
    content["messages"] += [trial_message(1), trial_message(2)]
    folder = opened()
    assert add_file(folder, content, "x.json") == {"new": 2, "before": 0}
    content["messages"] += [trial_message(3, block=2)]
    assert add_file(folder, content, "y.json") == {"new": 1, "before": 2}
    assert_valid(root)
    other = {**content, "study": "other"}
    with pytest.raises(InputError, match="study 'other'") as error:
        add_file(folder, other, "z.json")
    assert "fuzzybounds task add my_lab z.json --from other" in str(error.value)
    assert add_file(folder, other, "z.json", "other") == {"new": 0, "before": 3}
    with pytest.raises(InputError, match="blocks: 3 in the data, 40 now") as error:
        add_file(folder, {**content, "design": {"blocks": 3}}, "z.json")
    assert "fuzzybounds task add my_lab_2 z.json --from my_lab" in str(error.value)
    for wrong in ([], {**content, "design": 1}, {**content, "messages": 1}):
        with pytest.raises(InputError, match="not a file of the canoe task"):
            add_file(folder, wrong, "z.json")
