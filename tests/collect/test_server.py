"""Lets nobody in: every request that the page would not make is refused, and changes nothing."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import closing

import pytest

from fuzzybounds.collect.server import LARGEST_BODY, page_files

API = "/secret/api/"


@pytest.fixture
def ask(server):
    """Make a request as the page would, but for what is given."""

    def ask(method="GET", path="/secret/", body=None, *, headers=None, **json_body):
        host = f"127.0.0.1:{server.server_port}"
        sent = {"Host": host}
        if method == "POST":
            sent |= {"Origin": f"http://{host}", "Content-Type": "application/json"}
            body = json.dumps(json_body).encode() if body is None else body
            sent["Content-Length"] = str(len(body))
        with closing(http.client.HTTPConnection("127.0.0.1", server.server_port)) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in (sent | (headers or {})).items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    return ask


@pytest.fixture
def start(ask, start_request):
    """Start a run, as a request that is good but for what is given."""
    return lambda **changes: ask("POST", API + "start", **changes, **start_request())


def test_the_page_and_its_files_are_served(ask):
    for name in ("", *page_files()):
        status, headers, content = ask(path=f"/secret/{name}")
        assert status == 200
        assert content
        assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert json.loads(ask(path=API + "study")[2])["design"]["blocks"] == 40


def test_it_is_bound_to_the_loopback_address(server):
    assert server.server_address[0] == "127.0.0.1"
    with socket.socket() as other, pytest.raises(OSError, match="refused"):
        other.connect(("127.0.0.2", server.server_port))


@pytest.mark.parametrize(
    "headers",
    [
        *({"Host": host} for host in ("evil.example:80", "localhost", None, "127.0.0.1:1")),
        *({"Origin": page} for page in ("http://evil.example", "null", None, "http://127.0.0.1")),
    ],
)
def test_other_hosts_and_other_sites_are_refused(ask, start, server, headers):
    assert start(headers=headers)[0] == 403
    assert "Origin" in headers or ask(headers=headers)[0] == 403
    assert not (server.folder.root / "sessions").exists()


def test_types_and_lengths_are_checked(ask, start):
    for kind in ("text/plain", "application/x-www-form-urlencoded", None):
        assert start(headers={"Content-Type": kind})[0] == 415
    for length in (None, "-1", "1e3", "9" * 5000):
        assert start(headers={"Content-Length": length})[0] == 411
    assert start(headers={"Content-Length": str(LARGEST_BODY + 1)})[0] == 413


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"a": NaN}', b"[" * 100_000])
def test_what_is_not_a_json_object_is_refused(ask, body):
    assert ask("POST", API + "message", body)[0] == 400


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("0.25", value) for value in ("1e999", "1" + "0" * 400, "1" * 5000)),
        *(("1.5", value) for value in ("1e999", "-1e999", "1" + "0" * 400)),
        *(("4.55", value) for value in ("1e999", "1" + "0" * 400)),
        *(('"right"', f'"{half}"') for half in ("\\ud800", "\ud800")),
        *(('"P01"', '"../../x"'), ('"number": 1', '"number": true'), ('"kind"', '"other"')),
    ],
)
def test_odd_numbers_half_characters_and_other_content_are_refused(
    ask, start, server, trial_message, old, new
):
    start()
    body = json.dumps(trial_message()).replace(old, new)
    assert new in body
    status, _, answer = ask("POST", API + "message", body.encode("utf-8", "surrogatepass"))
    assert status == 400
    assert json.loads(answer)["error"]
    assert not (server.folder.root / "data/subject-P01_data.csv").exists()
    assert not (server.folder.root / "events").exists()
    assert ask("POST", API + "message", **trial_message())[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/index.html", "/wrong/", "/wrong/api/study", "//", "/secret/page/", "/secret/?"),
        *(
            "/secret/../server.py",
            "/secret/..%2fserver.py",
            "/secret/main.js/..",
            "/secret/P01.csv",
        ),
    ],
)
def test_without_the_secret_there_is_nothing_and_with_it_no_way_out(ask, path):
    status, _, content = ask(path=path)
    assert status == 404
    assert b"design" not in content


def test_a_window_that_closes_hands_over_what_it_has(ask, start, server, trial_message):
    start()
    who = {key: trial_message()[key] for key in ("run", "code")}
    messages = [trial_message(1), trial_message(2)]
    assert ask("POST", API + "leave", **who, messages=messages)[0] == 200
    assert len((server.folder.root / "data/subject-P01_data.csv").read_text().splitlines()) == 3
    assert ask("POST", API + "leave", **who, messages=[{"kind": "trial"}])[0] == 400
    assert ask("POST", API + "beat", run="x", code="P01")[0] == 400
