from __future__ import annotations

import errno
import os

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import (
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
    def test_a_reader_sees_the_old_file_until_the_new_one_is_whole(self, tmp_path):
        target = tmp_path / "new" / "folder" / "table.csv"
        for content in ("old", "new"):
            with replacing(target) as temporary:
                assert temporary.suffix == ".csv"
                temporary.write_text("half of the ne")
                assert content == "old" or target.read_text() == "old"
                temporary.write_text(content)
            assert target.read_text() == content
            assert os.listdir(target.parent) == ["table.csv"]

    @pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
    def test_a_failure_leaves_what_was_there_and_no_other_file(self, tmp_path, error):
        target = tmp_path / "table.csv"
        for before in ([], ["table.csv"]):
            with pytest.raises(error):
                fail(target, error)
            assert os.listdir(tmp_path) == before
            target.write_text("old")
        assert target.read_text() == "old"


class TestParquet:
    def test_comes_back_as_it_was_and_has_the_same_bytes(self, tmp_path, frame):
        frame.loc[3, "time"] = np.nan
        one, other = tmp_path / "1.parquet", tmp_path / "2.parquet"
        write_parquet(frame, one)
        write_parquet(frame.copy(), other)
        pd.testing.assert_frame_equal(read_parquet(one), frame)
        assert one.read_bytes() == other.read_bytes()

    def test_a_changed_value_is_an_input_error(self, tmp_path, frame):
        path = tmp_path / "t.parquet"
        write_parquet(frame, path)
        changed = bytearray(path.read_bytes())
        changed[changed.index(frame["time"].to_numpy()[250].tobytes())] ^= 1
        path.write_bytes(changed)
        with pytest.raises(InputError, match=r"t\.parquet: not a readable parquet table"):
            read_parquet(path)


class TestWhole:
    """A file that lacks its end is never used."""

    def test_a_csv_file_may_only_be_cut_between_rows(self, frame, tmp_path):
        path = tmp_path / "table.csv"
        write_csv(frame[:30].assign(note='a "b", c'), path)
        whole = path.read_bytes()
        for length in range(len(whole)):
            path.write_bytes(whole[:length])
            if length and whole[length - 1 : length] == b"\n":
                continue
            with pytest.raises(InputError, match=r"table\.csv: not a readable CSV table"):
                read_csv(path)

    @pytest.mark.parametrize(
        ("name", "write", "read"),
        [("t.json", write_json, read_json), ("t.parquet", write_parquet, read_parquet)],
    )
    def test_parquet_and_json_files_may_not_be_cut_at_all(self, frame, tmp_path, name, write, read):
        path = tmp_path / name
        with pytest.raises(InputError, match="not a readable"):
            read(path)
        write({"a": [1, {"b": "c"}]} if write is write_json else frame, path)
        whole = path.read_bytes()
        for length in range(0, len(whole.rstrip()), 1 + len(whole) // 40):
            path.write_bytes(whole[:length])
            with pytest.raises(InputError, match="not a readable") as error:
                read(path)
            assert name in str(error.value)
            assert "delete it and rerun the command" in str(error.value)


@pytest.mark.parametrize("code", ["ENOSPC", "EROFS", "EACCES"])
def test_what_cannot_be_written_is_named(tmp_path, code):
    number = getattr(errno, code)
    with pytest.raises(InputError, match=rf"x\.csv: cannot be written \({os.strerror(number)}\)"):
        fail(tmp_path / "x.csv", OSError(number, "elsewhere"))
    assert os.listdir(tmp_path) == []
