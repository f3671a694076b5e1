"""Readers meet whatever may stand in a file: a clean error, or a result that is what it says.

``make test`` runs some cases of each, ``make fuzz`` (the profile ``thorough``) a thousand.
"""

from __future__ import annotations

import csv
import io
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from fuzzybounds.canoe.task import CONDITIONS, DEADLINE, EDGE, FRAME, FRAME_PIXELS, OVERHEAD, SPEED
from fuzzybounds.core.documents import check
from fuzzybounds.core.errors import InputError
from fuzzybounds.logs import importing, proposal, validation
from fuzzybounds.logs import reading as logs
from fuzzybounds.logs.columns import COLUMNS
from fuzzybounds.logs.sources import read_source

# Without shrinking: what fails is small enough to be read as it is.
some = settings(
    max_examples=settings.default.max_examples // 4, phases=(Phase.explicit, Phase.generate)
)

NASTY = (
    *("", " ", "0", "-0", "1", "2", "-1", "1.0", "0.0", "1.5", "15", "15.1", "1e-400", "1e400"),
    *("nan", "NaN", "NA", "None", "inf", "-inf", "1e5", "0x10", "1_000", "1,5", "1 000", "１", "٣"),
    *("True", "easy", "EASY", "hard", "Hard ", "medium", "420", "-420", "420.5", "67.5", "9" * 25),
    *("9" * 5000, "=1+1", "a\nb", 'a"b', "a;b", "\x00", "\u2028", "é", "../../etc/passwd", "1e-5"),
)
cells = st.sampled_from(NASTY) | st.text(max_size=6)
CELLS = ("7", "1", "1", "1", "1.25", "5.3", "20", "easy", "1", "67.5")
GOOD = {column.name: cell for column, cell in zip(COLUMNS, CELLS, strict=True)}
KEPT = dict.fromkeys(("missed_deadline", "missed_without_wait", "off_lattice"), "keep")
EXCLUDING, REFUSING = (
    dict.fromkeys(validation.DEFAULT_ACTIONS, action) | KEPT for action in ("exclude", "error")
)
OF_OTHERS = ("repeated_trial", "repeated_row", "blocks_out_of_order")
"""Reasons for which a good row may be excluded because of another one."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@contextmanager
def clean(name: str):
    """Let an error pass that is meant for the user and names its source; no other one."""
    try:
        yield
    except InputError as error:
        if name not in str(error):
            raise AssertionError(f"{name!r} is not in the message") from error


def as_csv(header, rows, delimiter=",") -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


@st.composite
def log_files(draw) -> tuple[bytes, set[int]]:
    """A good log, some cells or a column of which are not, and the rows of those."""
    names = [name for name in GOOD if draw(st.integers(0, 9)) or name == "subject"]
    rows = [{**GOOD, "trial": str(trial)} for trial in range(1, draw(st.integers(0, 5)) + 1)]
    changed = set()
    for number, row in enumerate(rows, 2):
        for name in draw(st.lists(st.sampled_from(list(GOOD)), max_size=2)):
            row[name] = draw(cells)
            changed.add(number)
    return as_csv(odd_header(draw, names), [[row[name] for name in names] for row in rows]), changed


def odd_header(draw, names) -> list[str]:
    return [name if draw(st.integers(0, 40)) else draw(cells) for name in names]


def odd_rows(draw, rows) -> list[list[str]]:
    """Some of the rows, some of whose cells are odd."""
    chosen = rows[: draw(st.integers(0, len(rows)))]
    return [[cell if draw(st.integers(0, 9)) else draw(cells) for cell in row] for row in chosen]


def some_bytes(draw, content: bytes) -> bytes:
    """A file as it is, or damaged."""
    return mutated(draw, content) if not draw(st.integers(0, 3)) else content


def mutated(draw, content: bytes) -> bytes:
    """Cut a file, or change some of its bytes."""
    if draw(st.booleans()):
        return content[: draw(st.integers(0, max(len(content) - 1, 0)))]
    changed = bytearray(content)
    for _ in range(draw(st.integers(1, 4))):
        if changed:
            changed[draw(st.integers(0, len(changed) - 1))] = draw(st.integers(0, 255))
    return bytes(changed)


def check_trials(trials: pd.DataFrame) -> None:
    """Whatever validation accepts is a table of possible trials."""
    assert len(trials)
    assert (trials["subject"].str.strip() != "").all()
    for name in ("session", "block", "trial"):
        assert trials[name].between(1, 1e9).all()
    assert not trials.duplicated(["subject", "trial"]).any()
    for _, table in trials.groupby("subject"):
        assert table["trial"].is_monotonic_increasing
        assert table["block"].is_monotonic_increasing
        assert table["session"].is_monotonic_increasing
    responded = trials["responded"]
    assert (trials["rt"].isna() == ~responded).all()
    assert not trials.loc[~responded, "correct"].any()
    watched = trials["rt"].fillna(DEADLINE)
    assert watched.between(0, DEADLINE + FRAME, inclusive="right").all()
    distance = trials["position"].abs()
    assert (distance <= np.minimum(EDGE, SPEED * (watched + FRAME) + FRAME_PIXELS)).all()
    assert trials["condition"].isin(list(CONDITIONS)).all()
    for name, table in trials.groupby("condition"):
        condition = CONDITIONS[name]
        assert (table["reward"] == condition.reward(table["correct"])).all()
        wait = np.where(table["correct"], 0.0, condition.penalty)
        expected = table["rt"].fillna(DEADLINE) + OVERHEAD + wait
        assert np.allclose(table["total"], expected, atol=validation.TIME_SLACK + 1e-9, rtol=0)


def check_log(path, changed: set[int] | None = None) -> None:
    raw = logs.read_logs([path]).raw
    result = validation.validate(raw, EXCLUDING)
    trials = result.trials
    check_trials(trials)
    # Nothing is dropped silently, and no row for what is wrong with another, but for the order.
    dropped = result.exclusions[result.exclusions["scope"] == "trials"]
    kept = raw[~raw["row"].isin(dropped["row"])]
    assert len(kept) == len(trials) == len(raw) - len(dropped)
    assert sorted(kept["subject"]) == sorted(trials["subject"])
    if changed is not None:
        innocent = dropped[~dropped["row"].isin(changed)]
        assert innocent["reason"].isin(OF_OTHERS).all()
    # Nothing is read as another number than Python would read.
    for name in ("rt", "position", "block"):
        read = sorted(float(cell) if cell else 0.0 for cell in kept[name])
        assert np.allclose(sorted(trials[name].fillna(0.0)), read, rtol=1e-12)
        assert not kept[name].str.contains("_").any()
    # What would be excluded is an error where it is not.
    if dropped.empty:
        pd.testing.assert_frame_equal(validation.validate(raw, REFUSING).trials, trials)
    else:
        with pytest.raises(InputError) as error:
            validation.validate(raw, REFUSING)
        assert set(error.value.places["row"]) == set(dropped["row"])


@settings(some, max_examples=settings.default.max_examples)
@given(log=log_files())
def test_logs_with_odd_cells(folder, log):
    path = folder / "log.csv"
    path.write_bytes(log[0])
    with clean("log.csv"):
        check_log(path, log[1])


@some
@given(log=log_files(), data=st.data())
def test_logs_of_odd_bytes(folder, log, data):
    """With a header, and as the published logs are without one."""
    path = folder / "bytes.csv"
    path.write_bytes(mutated(data.draw, log[0]))
    with clean("bytes.csv"):
        check_log(path)
    with clean("bytes.csv"):
        check_trials(validation.validate(logs.read_published(path)).trials)


THEIRS = ["participant", "run", "latency", "difficulty", "hit", "x"]
OURS = ["subject", "block", "rt", "condition", "correct", "position"]
MAPPING = {
    "delimiter": ";",
    "decimal": ",",
    "columns": dict(zip(OURS, THEIRS, strict=True)),
    "units": {"rt": "ms", "position": "normalised"},
    "no_response": ["-1"],
    "conditions": {"easy": ["low"], "hard": ["high"]},
    "outcomes": {"correct": ["yes"], "incorrect": ["no"]},
    "paths": {"files": "tracks/*.csv"},
}


@some
@given(data=st.data())
def test_imported_logs(folder, data):
    path = folder / "foreign.csv"
    good = ["7", "1", "1250", "low", "yes", "0,1607142857"]
    rows = odd_rows(data.draw, [good] * 4)
    path.write_bytes(some_bytes(data.draw, as_csv(odd_header(data.draw, THEIRS), rows, ";")))
    with clean("foreign.csv"):
        log = importing.convert(importing.read_source(path, MAPPING), MAPPING)
        trials = validation.validate(log).trials
        check_trials(trials)
        assert len(trials) == len(log)


@some
@given(data=st.data())
def test_a_mapping_is_proposed_for_any_table(folder, data):
    path = folder / "proposed.csv"
    names = st.sampled_from([*GOOD, "RT (ms)", "key", "heading", "x", "who", ""]) | cells
    header = data.draw(st.lists(names, min_size=1, max_size=6))
    rows = [[data.draw(cells) for _ in header] for _ in range(data.draw(st.integers(0, 4)))]
    content = as_csv(header, rows, data.draw(st.sampled_from(",;\t")))
    path.write_bytes(some_bytes(data.draw, content))
    with clean("proposed.csv"):
        text, unclear = proposal.propose([read_source(path)])
        document = yaml.safe_load(text)
        # Whatever is clear is a mapping that can be read.
        if not unclear:
            check(document, importing.SCHEMA, "proposed.csv")


@pytest.fixture(scope="module")
def workbook(project_root):
    return project_root / "docs/examples/excel_lab/study.xlsx"


@pytest.fixture(scope="module")
def book(workbook):
    """The mapping that is proposed for the workbook."""
    text, unclear = proposal.propose([read_source(workbook)])
    assert unclear == []
    return yaml.safe_load(text)


@some
@given(data=st.data())
def test_workbooks_of_odd_bytes(folder, workbook, book, data):
    path = folder / "book.xlsx"
    path.write_bytes(mutated(data.draw, workbook.read_bytes()))
    with clean("book.xlsx"):
        source = read_source(path)
        assert len(source.rows) == len(source.cells)
        assert all(isinstance(cell, str) for cell in source.cells.to_numpy().ravel())
        result = validation.validate(importing.convert(source, book), EXCLUDING)
        check_trials(result.trials)
        dropped = (result.exclusions["scope"] == "trials").sum()
        assert len(result.trials) == len(source.rows) - dropped
