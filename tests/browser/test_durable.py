"""Files grow by whole rows, whatever happens in between."""

from __future__ import annotations

import errno
import os

import pytest

from fuzzybounds.browser import durable

HEADER = "a,b\n"


def test_a_new_file_has_its_header_with_the_first_rows(tmp_path):
    file = tmp_path / "new" / "log.csv"
    durable.append(file, HEADER, "1,2\n")
    durable.append(file, HEADER, "3,4\n")
    assert file.read_text() == "a,b\n1,2\n3,4\n"
    assert [path.name for path in file.parent.iterdir()] == ["log.csv"]


def test_everything_is_synced_before_it_counts(tmp_path, monkeypatch):
    synced = []
    real = os.fsync

    def fsync(handle):
        synced.append(os.fstat(handle).st_size)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    file = tmp_path / "log.csv"
    durable.append(file, HEADER, "1,2\n")
    assert synced[0] == 8
    synced.clear()
    durable.append(file, HEADER, "3,4\n")
    assert synced == [12]


@pytest.mark.parametrize("exists", [True, False])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch, exists):
    file = tmp_path / "log.csv"
    if exists:
        file.write_text("a,b\n1,2\n")
    real = os.write

    def half(handle, content):
        if len(content) < 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, content[: len(content) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="No space left"):
        durable.append(file, HEADER, "3,4\n5,6\n")
    assert [path.read_text() for path in tmp_path.iterdir()] == (["a,b\n1,2\n"] if exists else [])


def test_short_writes_are_completed(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: real(handle, content[:3]))
    file = tmp_path / "log.csv"
    durable.append(file, HEADER, "1,2\n")
    durable.append(file, HEADER, "3,4\n")
    assert file.read_text() == "a,b\n1,2\n3,4\n"


def test_half_a_row_is_cut(tmp_path):
    file = tmp_path / "log.csv"
    file.write_text("a,b\n1,2\n3,")
    assert durable.read_lines(file) == ["a,b\n", "1,2\n"]
    assert file.read_text() == "a,b\n1,2\n"
