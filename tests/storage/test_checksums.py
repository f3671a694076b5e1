"""A sealed parquet file is read as it was written, or not at all."""

import hashlib

import pandas as pd
import pyarrow.parquet as pq
import pytest

from fuzzybounds.storage.checksums import BLANK, KEY
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.tables import (
    read_parquet,
    write_parquet,
)

FRAME = pd.DataFrame({"subject": ["a", "b", "b"], "rt": [0.5, 1.25, 2.0]})


@pytest.fixture
def path(tmp_path):
    write_parquet(FRAME, tmp_path / "table.parquet")
    return tmp_path / "table.parquet"


def test_no_byte_can_change_unnoticed(path):
    whole = path.read_bytes()
    for position, byte in enumerate(whole):
        path.write_bytes(whole[:position] + bytes([byte ^ 0x01]) + whole[position + 1 :])
        with pytest.raises(InputError, match=r"table\.parquet: not a readable parquet table"):
            read_parquet(path)


def test_no_byte_can_be_added_or_missing(path):
    whole = path.read_bytes()
    for changed in (whole[:-1], whole[1:], whole + b"\n", b"PAR1" + whole, whole + whole, b""):
        path.write_bytes(changed)
        with pytest.raises(InputError, match="not a readable parquet table"):
            read_parquet(path)


def test_the_seal_is_the_sha256_with_a_blank_seal(path):
    seal = pq.read_metadata(path).metadata[KEY]
    blank = path.read_bytes().replace(seal, BLANK)
    assert hashlib.sha256(blank).hexdigest().encode() == seal


def test_others_read_it_as_any_parquet_file(path):
    pd.testing.assert_frame_equal(pd.read_parquet(path), FRAME)


def test_a_foreign_file_is_not_read(tmp_path):
    path = tmp_path / "theirs.parquet"
    FRAME.to_parquet(path, index=False)
    with pytest.raises(InputError, match=r"theirs\.parquet.*it has no checksum"):
        read_parquet(path)
