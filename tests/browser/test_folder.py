"""What is on disk: valid at any moment, nothing lost, nothing twice."""

from __future__ import annotations

import csv
import errno
import json
import os
import socket
import threading

import pytest

from fuzzybounds import cli
from fuzzybounds.browser import durable
from fuzzybounds.browser.configuration import load_study
from fuzzybounds.browser.folder import StudyFolder
from fuzzybounds.browser.messages import BadMessageError
from fuzzybounds.browser.offline_files import add_file
from fuzzybounds.storage.errors import InputError


@pytest.fixture
def root(tmp_path):
    return tmp_path / "my_lab"


@pytest.fixture
def folder(root):
    return StudyFolder(root, load_study("my_lab"))


@pytest.fixture
def started(folder, start_request):
    folder.start(start_request())
    return folder


def rows_of(root, name: str = "P01.csv") -> list[dict]:
    with (root / name).open(newline="") as file:
        return list(csv.DictReader(file))


def assert_valid(root) -> None:
    assert cli.main(["validate", str(root)]) == 0


def test_a_trial_is_a_row_a_path_and_events(started, root, trial_message):
    assert started.store(trial_message()) == {"superseded": False}
    assert (root / "P01.csv").read_text() == (
        "subject,session,block,trial,rt,total,reward,condition,correct,position\n"
        "P01,1,1,1,0.5,4.55,20,easy,1,45\n"
    )
    assert len(rows_of(root, "paths/P01.csv")) == 3
    assert rows_of(root, "events/P01.csv")[0]["event"] == "response"
    assert_valid(root)


def test_sending_again_changes_nothing(started, root, trial_message, start_request):
    started.store(trial_message())
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    started.store(trial_message())
    started.start(start_request())
    # Nor does it after a restart of the server.
    again = StudyFolder(root, load_study("my_lab"))
    again.store(trial_message())
    again.start(start_request())
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_it_goes_on_at_the_next_block(started, root, trial_message, start_request):
    started.store(trial_message(1))
    started.store(trial_message(2, block=2))
    again = StudyFolder(root, load_study("my_lab"))
    answer = again.start(start_request(run=2))
    assert (answer["block"], answer["trial"], answer["session"]) == (3, 3, 1)
    assert answer["tally"]["coins"] == 40
    assert answer["tally"]["blocks"] == [{"block": 1, "coins": 20}, {"block": 2, "coins": 20}]
    session = json.loads((root / "sessions/P01_session-1.json").read_text())
    assert [run["first_block"] for run in session["runs"]] == [1, 3]
    assert session["runs"][0]["seed"] != session["runs"][1]["seed"]


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


def test_a_window_that_was_closed_holds_no_code(started, start_request):
    started.left(start_request()["run"], "P01")
    assert "refused" not in started.start(start_request(run=2))


def test_a_reload_is_not_a_second_window(started, start_request):
    first = start_request()["run"]
    assert started.start(start_request(run=2, previous="f" * 32)) == {"refused": "busy"}
    assert "refused" not in started.start(start_request(run=2, previous=first))


def test_a_finished_participant_is_not_asked_again(
    root, trial_message, start_request, tmp_path, finish
):
    (tmp_path / "two.yaml").write_text("{sessions: 2, blocks: 1}")
    folder = StudyFolder(root, load_study("my_lab", tmp_path / "two.yaml"))
    folder.start(start_request())
    folder.store(trial_message())
    folder.store(finish())
    second = folder.start(start_request(run=2))
    assert (second["session"], second["block"], second["trial"]) == (2, 2, 2)
    folder.store(trial_message(2, run=2, block=2, session=2))
    folder.store(finish(run=2))
    assert folder.start(start_request(run=3)) == {"refused": "complete"}
    assert_valid(root)


@pytest.mark.parametrize("other_finished", [True, False])
def test_a_code_that_looks_like_a_session_of_another(root, start_request, finish, other_finished):
    """P01_session-1 is a participant, not a session of P01."""
    folder = StudyFolder(root, load_study("my_lab"))
    folder.start(start_request("P01_session-1", run=1))
    if other_finished:
        folder.store(finish("P01_session-1", run=1))
    again = StudyFolder(root, load_study("my_lab"))
    assert again.start(start_request("P01", run=2))["session"] == 1
    again.store(finish("P01", run=2))
    record = root / "sessions/P01_session-1.json"
    before = record.read_bytes()
    last = StudyFolder(root, load_study("my_lab"))
    assert last.start(start_request("P01", run=3)) == {"refused": "complete"}
    assert record.read_bytes() == before


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
        *("", "..", "../P01", "a/b", ".x", "P 1", "P01\n", "é", "x" * 33, "README", "sub-1_beh"),
        *("CON", "nul", "Aux", "PRN", "com1", "LPT9", "NUL.csv", "con.tar.gz"),
    ],
)
def test_a_code_cannot_leave_the_folder(folder, root, start_request, code):
    before = sorted(root.parent.rglob("*"))
    with pytest.raises(BadMessageError):
        folder.start(start_request(code))
    assert sorted(root.parent.rglob("*")) == before


def test_codes_that_differ_in_case_only_would_share_a_file(started, trial_message, start_request):
    started.store(trial_message())
    assert started.start(start_request("p01", run=2)) == {"refused": "code_case"}


@pytest.mark.parametrize(
    "changes",
    [
        {"rt": 16.0},
        {"rt": -1},
        {"reward": 1},
        {"total": 5.0},
        {"position": 90},
        {"block": 41},
        {"session": 2},
        {"condition": "medium"},
        {"correct": 2},
        {"rt": float("nan")},
        {"path": {"time": [0, 0.5], "position": [0, 90]}},
        {"path": {"time": [0.1, 0.5], "position": [0, 45]}},
        {"path": {"time": [0, 0.5, 0.4], "position": [0, 45, 40]}},
        {"path": {"time": [0, 0.4], "position": [0, 36]}},
        {"path": {"time": [0, "x"], "position": [0, 45]}},
        {"path": {"time": [0, 10**400], "position": [0, 45]}},
        {"rt": 10**400},
        {"extra": 1},
    ],
)
def test_nothing_that_breaks_the_design_is_stored(started, root, trial_message, changes):
    with pytest.raises(BadMessageError):
        started.store(trial_message(**changes))
    assert not (root / "P01.csv").exists()


def test_only_runs_that_were_started_are_stored(folder, root, trial_message):
    with pytest.raises(BadMessageError, match="run"):
        folder.store(trial_message())
    assert not (root / "P01.csv").exists()


@pytest.mark.parametrize("fails_at", ["P01.csv", "paths", "events"])
def test_a_full_disk_loses_nothing(started, root, trial_message, monkeypatch, fails_at):
    started.store(trial_message(1))
    real = durable.append

    def append(path, header, rows):
        if path.name == fails_at or path.parent.name == fails_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(path, header, rows)

    monkeypatch.setattr(durable, "append", append)
    with pytest.raises(OSError, match="No space"):
        started.store(trial_message(2))
    assert_valid(root)
    monkeypatch.undo()
    started.store(trial_message(2))
    assert [row["trial"] for row in rows_of(root)] == ["1", "2"]
    assert len(rows_of(root, "paths/P01.csv")) == 6
    assert len(rows_of(root, "events/P01.csv")) == 2
    assert_valid(root)


@pytest.mark.parametrize(
    ("name", "cut"), [("P01.csv", 7), ("paths/P01.csv", 13), ("events/P01.csv", 3)]
)
def test_a_power_failure_in_the_middle_of_a_row(started, root, trial_message, name, cut):
    """What was not acknowledged may be cut; the page sends it again."""
    started.store(trial_message(1))
    started.store(trial_message(2))
    whole = {path: path.read_bytes() for path in root.rglob("*.csv")}
    file = root / name
    file.write_bytes(file.read_bytes()[:-cut])
    again = StudyFolder(root, load_study("my_lab"))
    again.store(trial_message(2))
    assert {path: path.read_bytes() for path in root.rglob("*.csv")} == whole


def test_whole_rows_of_half_a_path_are_cut_too(started, root, trial_message):
    started.store(trial_message(1))
    started.store(trial_message(2))
    file = root / "paths/P01.csv"
    whole = file.read_text()
    file.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    again = StudyFolder(root, load_study("my_lab"))
    again.store(trial_message(2))
    assert file.read_text() == whole


def test_it_is_valid_while_it_grows(started, root, trial_message, capsys):
    """A reader in the middle of a session never sees half a trial."""
    started.store(trial_message(1))
    stop = threading.Event()

    def write():
        trial = 2
        while not stop.is_set() and trial < 3000:
            started.store(trial_message(trial, block=min(trial, 40)))
            trial += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(8):
            assert_valid(root)
    finally:
        stop.set()
        writer.join()
    assert len(rows_of(root)) > 8


def test_answers_have_a_file_of_their_own(root, trial_message, start_request, tmp_path):
    (tmp_path / "q.yaml").write_text(
        "questions: [{name: age, label: Age}, {name: hand, label: Hand}]"
    )
    folder = StudyFolder(root, load_study("my_lab", tmp_path / "q.yaml"))
    folder.start(start_request())
    lost = {"time": 1, "event": "block_end", "value": "-57", "block": 1, "trial": ""}
    message = {**trial_message(1), "kind": "answers", "events": [lost]}
    del message["trial"]
    answers = {"age": '=1+1, "x"\n', "hand": "-1+1", "name": "not asked"}
    for _ in range(2):
        folder.store({**message, "answers": answers})
    folder.store(trial_message(2))
    answered = [
        {"subject": "P01", "question": "age", "answer": '\'=1+1, "x"'},
        {"subject": "P01", "question": "hand", "answer": "'-1+1"},
    ]
    assert rows_of(root, "demographics/answers.csv") == answered
    assert rows_of(root, "events/P01.csv")[0]["value"] == "-57"
    assert "age" not in (root / "P01.csv").read_text()
    assert_valid(root)


def test_a_design_does_not_change_within_a_study(started, root, trial_message, tmp_path):
    (tmp_path / "b.yaml").write_text("deadline_s: 10")
    StudyFolder(root, load_study("my_lab", tmp_path / "b.yaml"))
    StudyFolder(root, load_study("my_lab"))
    started.store(trial_message())
    with pytest.raises(InputError, match="deadline_s: 15 in the data, 10 now"):
        StudyFolder(root, load_study("my_lab", tmp_path / "b.yaml"))


def test_logs_of_another_kind_are_left_alone(root):
    root.mkdir()
    (root / "7.csv").write_text("subject,block,rt,condition,correct,position\n")
    with pytest.raises(InputError, match=r"7\.csv: not a log of the canoe task"):
        StudyFolder(root, load_study("my_lab"))


def test_values_that_a_lab_changed_travel_with_the_data(
    root, trial_message, start_request, tmp_path, capsys
):
    options = "{conditions: {easy: {payoff: 10, p0: 0.7}}, canoe: {speed: 120}, deadline_s: 10}"
    (tmp_path / "own.yaml").write_text(options)
    folder = StudyFolder(root, load_study("my_lab", tmp_path / "own.yaml"))
    folder.start(start_request())
    path = {"time": [0, 0.5], "position": [0, 60]}
    folder.store(trial_message(reward=10, position=60, path=path))
    path = {"time": [0, 4, 10], "position": [0, 300, -60]}
    missed = {"rt": 0, "correct": 0, "reward": -10, "total": 17.05, "position": -60, "path": path}
    folder.store(trial_message(2, **missed))
    assert_valid(root)
    said = capsys.readouterr().out
    assert "How these data were recorded" in said
    assert "the payoff of easy trials is 10, not the paper's 20" in said
    assert "the deadline is 10 s, not the paper's 15 s" in said
    # Without the design the same rows would break the paper's.
    (root / "design.json").unlink()
    assert cli.main(["validate", str(root)]) == 1


def test_the_description_names_every_column(root, trial_message, start_request, tmp_path):
    """The rules of Psych-DS that concern the description."""
    (tmp_path / "q.yaml").write_text("{questions: [{name: age, label: Age}], authors: [Lab]}")
    folder = StudyFolder(root, load_study("my_lab", tmp_path / "q.yaml"))
    folder.start(start_request())
    folder.store(trial_message())
    message = {**trial_message(2), "kind": "answers", "answers": {"age": "30"}}
    del message["trial"]
    folder.store(message)
    described = json.loads((root / "dataset_description.json").read_text())
    assert described["@context"] == "https://schema.org/"
    assert described["@type"] == "Dataset"
    assert described["name"] == "my_lab"
    assert described["description"]
    assert described["author"] == [{"@type": "Person", "name": "Lab"}]
    variables = {own["name"]: own for own in described["variableMeasured"]}
    assert all(own["@type"] == "PropertyValue" for own in variables.values())
    assert all(own["description"] for own in variables.values())
    files = list(root.rglob("*.csv"))
    assert len(files) == 4
    for file in files:
        assert set(file.read_text().splitlines()[0].split(",")) <= set(variables)


def test_files_of_an_offline_page_are_added_once(root, folder, trial_message, start_request):
    start = {**start_request(), "kind": "start", "number": 0, "session": 1}
    content = {"format": "fuzzybounds task 1", "study": "my_lab", "messages": [start]}
    content["messages"] += [trial_message(1), trial_message(2)]
    assert add_file(folder, content, "x.json") == {"new": 2, "before": 0}
    content["messages"] += [trial_message(3, block=2)]
    assert add_file(folder, content, "y.json") == {"new": 1, "before": 2}
    assert len(rows_of(root)) == 3
    assert_valid(root)
    with pytest.raises(InputError, match="study 'other'"):
        add_file(folder, {**content, "study": "other"}, "z.json")
    with pytest.raises(InputError, match="not a file of the canoe task"):
        add_file(folder, [], "z.json")


def test_nothing_stored_tells_who_or_where(started, root, trial_message):
    started.store(trial_message())
    texts = [path.read_text() for path in root.rglob("*") if path.is_file()]
    assert len(texts) > 5
    assert not [text for text in texts if "127.0.0.1" in text or socket.gethostname() in text]
