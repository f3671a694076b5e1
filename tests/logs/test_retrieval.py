from __future__ import annotations

import hashlib
import os
import re
import socket
import threading
from contextlib import contextmanager

import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.logs.retrieval import published, retrieve, verify

CONTENT = b"1,1,1.2,8.3,-20,1,0,70.5\n" * 50
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def directly(monkeypatch):
    """A proxy that the machine may have is not asked for addresses of the machine itself."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def fetch(tmp_path, url="file:///nowhere", mirror=None, archive=""):
    whole = {"sha256": SHA256, "size": len(CONTENT)}
    target = tmp_path / "raw/log.csv"
    where = {"url": url, "mirror": mirror, "archive": archive}
    return retrieve("log.csv", **where, destination=target, **whole)


@pytest.fixture
def mirror(tmp_path):
    folder = tmp_path / "mirror"
    folder.mkdir()
    (folder / "log.csv").write_bytes(CONTENT)
    return folder


def only_file(folder):
    (name,) = os.listdir(folder)
    return (folder / name).read_bytes()


def test_from_a_mirror_and_a_corrupt_file_does_not_replace_a_good_one(tmp_path, mirror):
    assert fetch(tmp_path, mirror=str(mirror)) == str(mirror / "log.csv")
    assert only_file(tmp_path / "raw") == only_file(mirror) == CONTENT
    (mirror / "log.csv").write_bytes(b"other")
    with pytest.raises(InputError):
        fetch(tmp_path, mirror=str(mirror))
    assert only_file(tmp_path / "raw") == CONTENT


def test_a_mirror_without_the_file_says_how_it_is_named(tmp_path):
    with pytest.raises(InputError, match=r"log\.csv: no such file(.|\n)*FUZZYBOUNDS_MIRROR"):
        fetch(tmp_path, mirror=str(tmp_path / "empty"))
    assert os.listdir(tmp_path / "raw") == []


@pytest.mark.parametrize(
    "damaged",
    [
        pytest.param(CONTENT[:-1], id="truncated"),
        pytest.param(CONTENT + b"more", id="longer"),
        pytest.param(CONTENT.replace(b"8.3", b"8.4", 1), id="same size"),
    ],
)
@pytest.mark.parametrize("by", ["mirror", "download"])
def test_a_corrupt_file_is_an_error_with_both_hashes_and_is_not_kept(tmp_path, mirror, damaged, by):
    (mirror / "log.csv").write_bytes(damaged)
    way = {"mirror": str(mirror)} if by == "mirror" else {"url": (mirror / "log.csv").as_uri()}
    with pytest.raises(InputError, match="not the published file") as error:
        fetch(tmp_path, **way)
    # A download is not read on beyond the byte that shows it to be too long.
    read = damaged if by == "mirror" else damaged[: len(CONTENT) + 1]
    hashes = re.findall(r"\b[0-9a-f]{64}\b", str(error.value))
    assert hashes == [hashlib.sha256(read).hexdigest(), SHA256]
    assert f"{len(read)} bytes; expected {len(CONTENT)}" in str(error.value)
    assert os.listdir(tmp_path / "raw") == []


def test_a_file_that_is_damaged_where_it_lies_has_a_remedy_that_works(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(CONTENT[:-1])
    with pytest.raises(InputError, match="delete it and rerun the same command, which gets it"):
        verify(path, sha256=SHA256, size=len(CONTENT))


@contextmanager
def answering(reply: bytes):
    """Serve one connection on 127.0.0.1 with the given bytes; yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(reply)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/log.csv"
        thread.join(timeout=10)


HEAD = f"HTTP/1.1 200 OK\r\nContent-Length: {len(CONTENT)}\r\n\r\n".encode()
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\nonly this"


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(b"", id="closed"),
        pytest.param(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", id="not found"),
        pytest.param(CHUNKED, id="breaks off within a chunk"),
        pytest.param(HEAD + CONTENT[:100], id="breaks off"),
    ],
)
def test_a_server_that_fails_is_an_error_with_both_ways_out(tmp_path, reply):
    with answering(reply) as url, pytest.raises(InputError) as error:
        fetch(tmp_path, url=url)
    if reply != HEAD + CONTENT[:100]:
        assert str(error.value).startswith("log.csv: cannot be downloaded (")
        assert f"either connect to the network, so that {url} can be reached" in str(error.value)
        assert "or put log.csv into a folder and name that: FUZZYBOUNDS_M" in str(error.value)
    assert os.listdir(tmp_path / "raw") == []


def test_a_download_over_http(tmp_path):
    with answering(HEAD + CONTENT) as url:
        assert fetch(tmp_path, url=url) == url
    assert only_file(tmp_path / "raw") == CONTENT


def test_an_archive_is_asked_only_if_the_first_address_fails(tmp_path):
    with answering(HEAD + CONTENT) as archive:
        assert fetch(tmp_path, archive=archive) == archive
    with answering(HEAD + CONTENT) as url:
        assert fetch(tmp_path, url=url, archive="file:///nowhere") == url


def test_archives_are_asked_for_the_published_content(shared_data):
    """By the identifier of Software Heritage: the hash that git gives a file."""
    for entry in published().values():
        content = (shared_data / entry["file"]).read_bytes()
        digest = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        assert f"sha1_git:{digest}/" in entry["archive"]
