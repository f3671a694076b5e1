"""Lets nobody in: every request that the page would not make is refused, and changes nothing."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import closing

import pytest

from fuzzybounds.browser import durable
from fuzzybounds.browser import server as module
from fuzzybounds.browser.server import LARGEST_BODY, default_port, page_files


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
        sent |= headers or {}
        with closing(http.client.HTTPConnection("127.0.0.1", server.server_port)) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            content = answer.read()
        return answer.status, dict(answer.getheaders()), content

    return ask


@pytest.fixture
def start(ask, start_request):
    """Start a run, as a request that is good but for what is given."""
    return lambda **changes: ask("POST", "/secret/api/start", **changes, **start_request())


def test_the_page_and_its_files_are_served(ask):
    for name in ("", *page_files()):
        status, headers, content = ask(path=f"/secret/{name}")
        assert status == 200
        assert content
        assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert json.loads(ask(path="/secret/api/study")[2])["design"]["blocks"] == 40


def test_it_is_bound_to_the_loopback_address(server):
    assert server.server_address[0] == module.ADDRESS == "127.0.0.1"
    with socket.socket() as other, pytest.raises(OSError, match="refused"):
        other.connect(("127.0.0.2", server.server_port))


@pytest.mark.parametrize(
    "path", ["/", "/index.html", "/wrong/", "/wrong/api/study", "/secre/", "//"]
)
def test_without_the_secret_there_is_nothing(ask, path):
    status, _, content = ask(path=path)
    assert status == 404
    assert b"design" not in content


@pytest.mark.parametrize("host", ["evil.example:80", "localhost", "127.0.0.1", None, "127.0.0.1:1"])
def test_a_rebound_name_is_refused(ask, start, host):
    assert ask(headers={"Host": host})[0] == 403
    assert start(headers={"Host": host})[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "http://127.0.0.1"])
def test_posts_from_other_sites_are_refused(start, server, origin):
    assert start(headers={"Origin": origin})[0] == 403
    assert not (server.folder.root / "sessions").exists()


def test_a_good_post_is_taken(start, server):
    status, _, content = start()
    assert status == 200
    assert json.loads(content)["block"] == 1
    assert (server.folder.root / "sessions/P01_session-1.json").exists()


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_simple_cross_site_types_are_refused(start, kind):
    assert start(headers={"Content-Type": kind})[0] == 415


def test_bodies_are_limited(ask, start):
    too_long = {"Content-Length": str(LARGEST_BODY + 1)}
    assert ask("POST", "/secret/api/message", b"{}", headers=too_long)[0] == 413
    for length in (None, "-1", "x", "1e3", "9" * 5000):
        assert start(headers={"Content-Length": length})[0] == 411
    chunked = {"Content-Length": None, "Transfer-Encoding": "chunked"}
    assert ask("POST", "/secret/api/message", b"", headers=chunked)[0] == 411


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"1", b"\xff", b'{"a": NaN}', b"[" * 100_000])
def test_what_is_not_a_json_object_is_refused(ask, body):
    assert ask("POST", "/secret/api/message", body)[0] == 400


def test_messages_are_checked_against_a_schema(ask, start, server, trial_message):
    start()
    bad = {**trial_message(), "code": "../../x"}
    assert ask("POST", "/secret/api/message", **bad)[0] == 400
    assert ask("POST", "/secret/api/message", **{**trial_message(), "extra": 1})[0] == 400
    assert ask("POST", "/secret/api/message", **{**trial_message(), "number": True})[0] == 400
    assert ask("POST", "/secret/api/beat", run="x", code="P01")[0] == 400
    assert not (server.folder.root / "P01.csv").exists()
    assert ask("POST", "/secret/api/message", **trial_message())[0] == 200
    assert (server.folder.root / "P01.csv").exists()


@pytest.mark.parametrize("value", ["1e999", "-1e999", "1" + "0" * 400, "1" * 5000])
def test_a_number_without_a_finite_value_is_refused(ask, start, server, trial_message, value):
    start()
    for old in ('"rt": 0.5', '"time": 1.5', '"time": [0, 0.25, 0.5]'):
        body = json.dumps(trial_message()).replace(
            old, old.replace("0.5", value).replace("1.5", value)
        )
        assert value in body
        assert ask("POST", "/secret/api/message", body.encode())[0] == 400
    assert not (server.folder.root / "events").exists()


@pytest.mark.parametrize("text", [b"\\ud800", b"\xed\xa0\x80"])
def test_half_a_character_is_refused(ask, start, server, trial_message, text):
    start()
    body = (
        json.dumps(trial_message()).encode().replace(b'"value": "right"', b'"value": "%s"' % text)
    )
    assert ask("POST", "/secret/api/message", body)[0] == 400
    assert not (server.folder.root / "events").exists()


@pytest.mark.parametrize(
    "path",
    [
        "page/", "../server.py", "..%2fserver.py", "../../../../etc/passwd", "%2e%2e/x", "./", ".",
        "study/", "api/", "api", "index.html/", "main.js/..", "\\..\\server.py", "index.html%00",
        "P01.csv", "sessions/", "?",
    ],
)  # fmt: skip
def test_there_is_no_listing_and_no_way_out(ask, path):
    assert ask(path=f"/secret/{path}")[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"])
def test_other_methods_are_not_there(ask, method):
    assert ask(method)[0] == 501


def test_a_disk_that_refuses_is_told(ask, start, server, trial_message, monkeypatch):
    start()

    def append(*_):
        raise OSError("full")

    monkeypatch.setattr(durable, "append", append)
    assert ask("POST", "/secret/api/message", **trial_message())[0] == 507


def test_a_window_that_closes_hands_over_what_it_has(ask, start, server, trial_message):
    start()
    who = {key: trial_message()[key] for key in ("run", "code")}
    messages = [trial_message(1), trial_message(2)]
    assert ask("POST", "/secret/api/leave", **who, messages=messages)[0] == 200
    assert len((server.folder.root / "P01.csv").read_text().splitlines()) == 3
    assert ask("POST", "/secret/api/leave", **who, messages=[{"kind": "trial"}])[0] == 400
    assert ask("POST", "/secret/api/leave", **who, messages=[1])[0] == 400


def test_the_terminal_says_who_came_and_who_finished(
    ask, start, start_request, server, trial_message, finish
):
    for _ in range(2):
        start()
    ask("POST", "/secret/api/message", **trial_message(1))
    ask("POST", "/secret/api/start", **start_request(run=2, takeover=True))
    for _ in range(2):
        ask("POST", "/secret/api/message", **finish(run=2))
    assert server.said == [
        "P01 started session 1",
        "P01 continued session 1 at block 2 of 40",
        "P01 finished session 1: 1 trial",
    ]


def test_localhost_leads_to_the_address(ask, start, server):
    """Under another name the browser would have another store of unsent trials."""
    local = {"Host": f"localhost:{server.server_port}"}
    status, headers, _ = ask(headers=local)
    assert (status, headers["Location"]) == (307, server.address)
    assert ask(path="/wrong/", headers=local)[0] == 404
    assert start(headers=local)[0] == 403
    assert start(headers={**local, "Origin": f"http://{local['Host']}"})[0] == 403


def test_a_study_keeps_its_port():
    assert default_port("my_lab") == default_port("my_lab") != default_port("my_lab2")
    assert all(20_000 <= default_port(str(number)) < 30_000 for number in range(100))


def test_a_slow_client_holds_up_nobody(ask, server):
    with socket.create_connection(("127.0.0.1", server.server_port)) as slow:
        slow.sendall(b"POST /secret/api/message HTTP/1.1\r\nContent-Le")
        assert ask()[0] == 200
