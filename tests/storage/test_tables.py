from __future__ import annotations

import errno
import json
import os
import stat

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.tables import (
    check_whole,
    read_csv,
    read_json,
    read_parquet,
    replacing,
    write_csv,
    write_json,
    write_parquet,
)


@pytest.fixture
def frame():
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {"subject": [f"S{n % 3}" for n in range(500)], "time": rng.random(500), "n": range(500)}
    )


def fail(target, error):
    with replacing(target) as temporary:
        temporary.write_text("half of the ne")
        raise error


class TestReplacing:
    def test_a_new_file_appears_whole_and_alone(self, tmp_path):
        target = tmp_path / "new" / "folder" / "table.csv"
        with replacing(target) as temporary:
            temporary.write_text("content")
            assert not target.exists()
            assert temporary.parent == target.parent
        assert target.read_text() == "content"
        assert os.listdir(target.parent) == ["table.csv"]

    def test_the_old_file_is_there_until_the_new_one_is_whole(self, tmp_path):
        target = tmp_path / "table.csv"
        target.write_text("old")
        with replacing(target) as temporary:
            temporary.write_text("half of the ne")
            assert target.read_text() == "old"
            temporary.write_text("new")
        assert target.read_text() == "new"

    @pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
    def test_a_failure_leaves_the_old_file_and_no_other(self, tmp_path, error):
        target = tmp_path / "table.csv"
        target.write_text("old")
        with pytest.raises(error):
            fail(target, error)
        assert target.read_text() == "old"
        assert os.listdir(tmp_path) == ["table.csv"]

    def test_a_failure_without_an_old_file_leaves_none(self, tmp_path):
        with pytest.raises(RuntimeError):
            fail(tmp_path / "table.csv", RuntimeError)
        assert os.listdir(tmp_path) == []

    def test_others_may_read_it(self, tmp_path):
        with replacing(tmp_path / "table.csv") as temporary:
            temporary.write_text("content")
        assert (tmp_path / "table.csv").stat().st_mode & 0o777 == 0o644

    def test_the_suffix_is_kept_for_writers_that_go_by_it(self, tmp_path):
        with replacing(tmp_path / "figure.png") as temporary:
            assert temporary.suffix == ".png"
            temporary.touch()

    @pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
    def test_a_file_has_the_rights_that_the_umask_leaves(self, tmp_path, mask):
        before = os.umask(mask)
        try:
            with replacing(tmp_path / "table.csv") as temporary:
                temporary.write_text("content")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "table.csv").stat().st_mode) == 0o666 & ~mask

    def test_what_a_killed_process_left_is_gone_after_the_next_one(self, tmp_path):
        with pytest.raises(FileNotFoundError), replacing(tmp_path / "fig.svg") as left:
            pass
        left.write_text("half")
        with replacing(tmp_path / "fig.svg") as temporary:
            temporary.write_text("whole")
        assert [path.name for path in tmp_path.iterdir()] == ["fig.svg"]


class TestParquet:
    def test_comes_back_as_it_was(self, tmp_path, frame):
        frame.loc[3, "time"] = np.nan
        write_parquet(frame, tmp_path / "t.parquet")
        pd.testing.assert_frame_equal(read_parquet(tmp_path / "t.parquet"), frame)
        some = read_parquet(tmp_path / "t.parquet", columns=["n"])
        pd.testing.assert_frame_equal(some, frame[["n"]])

    def test_the_index_is_not_written(self, tmp_path, frame):
        write_parquet(frame.sort_values("time"), tmp_path / "t.parquet")
        assert list(read_parquet(tmp_path / "t.parquet").index) == list(range(500))

    def test_same_content_same_bytes(self, tmp_path, frame):
        write_parquet(frame, tmp_path / "1.parquet")
        write_parquet(frame.copy(), tmp_path / "2.parquet")
        assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "2.parquet").read_bytes()
        write_parquet(frame.assign(n=frame["n"] + 1), tmp_path / "2.parquet")
        assert (tmp_path / "1.parquet").read_bytes() != (tmp_path / "2.parquet").read_bytes()

    def test_truncated_anywhere_it_is_an_input_error(self, tmp_path, frame):
        path = tmp_path / "t.parquet"
        write_parquet(frame, path)
        whole = path.read_bytes()
        for length in [*range(0, len(whole) - 1, 331), len(whole) - 1]:
            path.write_bytes(whole[:length])
            with pytest.raises(InputError, match=r"t\.parquet: not a readable parquet table") as e:
                read_parquet(path)
            assert "delete it and rerun the command" in str(e.value)

    def test_a_foreign_file_or_none_is_an_input_error(self, tmp_path):
        (tmp_path / "t.parquet").write_text("subject,time\nS1,2\n")
        with pytest.raises(InputError, match="not a readable parquet table"):
            read_parquet(tmp_path / "t.parquet")
        with pytest.raises(InputError, match=r"none\.parquet: not a readable parquet table"):
            read_parquet(tmp_path / "none.parquet")

    def test_a_missing_column_is_an_input_error_that_names_it(self, tmp_path, frame):
        write_parquet(frame, tmp_path / "t.parquet")
        with pytest.raises(InputError, match="position"):
            read_parquet(tmp_path / "t.parquet", columns=["position"])

    def test_what_cannot_be_written_leaves_the_old_file(self, tmp_path, frame):
        path = tmp_path / "t.parquet"
        write_parquet(frame, path)
        before = path.read_bytes()
        mixed = pd.DataFrame({"a": [1, "one", object()]})
        with pytest.raises(Exception, match=r"."):
            write_parquet(mixed, path)
        assert path.read_bytes() == before
        assert os.listdir(tmp_path) == ["t.parquet"]


class TestCsv:
    def test_bytes(self, tmp_path):
        frame = pd.DataFrame({"name": ["a", "b,c"], "x": [1 / 3, np.nan], "n": [1, 2]})
        write_csv(frame, tmp_path / "t.csv")
        assert (tmp_path / "t.csv").read_bytes() == b'name,x,n\na,0.3333333333,1\n"b,c",,2\n'

    def test_logged_times_and_positions_survive(self, tmp_path):
        frame = pd.DataFrame({"rt": np.arange(900) / 60, "position": np.arange(900) * 1.5 - 420})
        frame["rt"] = frame["rt"].round(5)
        write_csv(frame, tmp_path / "t.csv")
        pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "t.csv"), frame, check_exact=True)


class TestJson:
    def test_comes_back_as_it_was(self, tmp_path):
        content = {"ψ": [1.5, 0.1, None, True], "a": {"b": []}}
        write_json(content, tmp_path / "t.json")
        assert read_json(tmp_path / "t.json") == content
        text = (tmp_path / "t.json").read_text(encoding="utf-8")
        assert "ψ" in text
        assert text.endswith("}\n")

    def test_same_content_same_bytes(self, tmp_path):
        for name in ("1.json", "2.json"):
            write_json({"b": 1, "a": [0.1 + 0.2]}, tmp_path / name)
        assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()

    def test_truncated_it_is_an_input_error(self, tmp_path):
        path = tmp_path / "t.json"
        write_json({"a": [1, 2, {"b": "c"}]}, path)
        whole = path.read_text().strip()
        for length in range(len(whole)):
            path.write_text(whole[:length])
            with pytest.raises(InputError, match=r"t\.json: not a readable JSON file"):
                read_json(path)

    def test_a_foreign_file_or_none_is_an_input_error(self, tmp_path):
        (tmp_path / "t.json").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(InputError, match="not a readable JSON file"):
            read_json(tmp_path / "t.json")
        with pytest.raises(InputError, match=r"none\.json: not a readable JSON file"):
            read_json(tmp_path / "none.json")

    def test_no_number_is_refused_and_the_old_file_kept(self, tmp_path):
        path = tmp_path / "t.json"
        write_json([1], path)
        with pytest.raises(ValueError, match="not JSON compliant"):
            write_json([float("nan")], path)
        assert json.loads(path.read_text()) == [1]
        assert os.listdir(tmp_path) == ["t.json"]


class TestWhole:
    """A file that lacks its end is never used."""

    def test_a_csv_file_may_only_be_cut_between_rows(self, frame, tmp_path):
        path = tmp_path / "table.csv"
        write_csv(frame[:30].assign(note='a "b", c'), path)
        check_whole(path)
        whole = path.read_bytes()
        for length in range(len(whole)):
            path.write_bytes(whole[:length])
            if length and whole[length - 1 : length] == b"\n":
                continue
            with pytest.raises(InputError, match=r"table\.csv: not a readable CSV table"):
                read_csv(path)

    @pytest.mark.parametrize("write", [write_parquet, write_json])
    def test_parquet_and_json_files_may_not_be_cut_at_all(self, frame, tmp_path, write):
        path = tmp_path / f"table.{'json' if write is write_json else 'parquet'}"
        write({"a": [1, 2]} if write is write_json else frame[:5], path)
        check_whole(path)
        whole = path.read_bytes()
        for length in range(0, len(whole.rstrip()), 7):
            path.write_bytes(whole[:length])
            with pytest.raises(InputError, match="not a readable"):
                check_whole(path)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ENOSPC", r"x\.csv: cannot be written \(No space left on device\)"),
        ("EROFS", r"x\.csv: cannot be written \(Read-only file system\)"),
        ("EACCES", r"x\.csv: cannot be written \(Permission denied\)"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path, code, said):
    with pytest.raises(InputError, match=said):
        fail(tmp_path / "x.csv", OSError(getattr(errno, code), "elsewhere"))
    assert os.listdir(tmp_path) == []


def test_other_system_errors_stay_what_they_are(tmp_path):
    with pytest.raises(FileNotFoundError):
        fail(tmp_path / "x.csv", FileNotFoundError(errno.ENOENT, "input"))
