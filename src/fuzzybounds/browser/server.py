"""The server of the task: this machine only, one address with a secret, a handful of routes.

Requests are refused before anything in them is used unless all of these are as expected: the
address (Host), the page they came from (Origin), the secret in the path, type, length and content.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from zlib import crc32

from fuzzybounds.browser.folder import StudyFolder
from fuzzybounds.browser.messages import BadMessageError, check_message
from fuzzybounds.storage.errors import InputError

ADDRESS = "127.0.0.1"
LARGEST_BODY = 2_000_000
"""Bytes: a trial at 240 Hz that runs to the deadline takes less than a tenth of it."""
TIMEOUT_S = 30
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.S)


def page_files() -> dict[str, str]:
    """The files of the page, by name."""
    folder = resources.files(__package__).joinpath("page")
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if "." + file.name.rpartition(".")[2] in TYPES
    }


def default_port(study: str) -> int:
    """Return the study's own port: a browser keeps unsent trials by address and port."""
    return 20_000 + crc32(study.encode()) % 10_000


def security_headers(index: str) -> dict[str, str]:
    """Headers of every answer; the policy allows nothing but this server's own files."""
    (inline,) = IMPORT_MAP.findall(index)
    digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
        # Isolated pages have clocks of 5 microseconds instead of 100.
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


class TaskServer(ThreadingHTTPServer):
    """Serves the page of a study and stores what it sends.

    Parameters
    ----------
    folder : StudyFolder
    token : str
        The secret part of the address.
    port : int
        0 takes any.
    say : callable
        Called with a line about each participant who comes or finishes, and each problem.
    """

    daemon_threads = True

    def __init__(
        self, folder: StudyFolder, token: str, port: int, say: Callable[[str], None] = print
    ):
        self.folder, self.token, self.say = folder, token, say
        folder.say = say
        self.files = page_files()
        self.answer_headers = security_headers(self.files["index.html"])
        super().__init__((ADDRESS, port), TaskHandler)
        self.origin = f"http://{ADDRESS}:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error; a window that was closed before its answer arrived is none."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """Where the task is."""
        return f"{self.origin}/{self.token}/"


class TaskHandler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: TaskServer
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT_S
    server_version, sys_version = "fuzzybounds", ""

    def log_message(self, *_: Any) -> None:
        """Log nothing: requests contain participant codes, and addresses are private."""

    def do_GET(self) -> None:
        """Answer with a file of the page, or with the study."""
        route = self._route()
        if route is None:
            return
        if route == "api/study":
            self._answer(HTTPStatus.OK, self.server.folder.study.for_page())
            return
        content = self.server.files.get(route or "index.html")
        if content is None:
            self._refuse(HTTPStatus.NOT_FOUND, "no such file")
            return
        kind = TYPES["." + (route or "index.html").rpartition(".")[2]]
        self._send(HTTPStatus.OK, content.encode("utf-8"), kind)

    def do_POST(self) -> None:
        """Store what the page sends."""
        route = self._route()
        if route is None:
            return
        if self.headers.get("Origin") != self.server.origin:
            self._refuse(HTTPStatus.FORBIDDEN, "not from the page of this task")
            return
        act = {
            "api/start": self.server.folder.start,
            "api/message": self.server.folder.store,
            "api/beat": self._beat,
            "api/leave": self._leave,
        }.get(route)
        if act is None:
            self._refuse(HTTPStatus.NOT_FOUND, "no such route")
            return
        content = self._body()
        if content is None:
            return
        try:
            answer = act(content)
        except BadMessageError as error:
            self.server.say(f"refused: {error}")
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        except (OSError, InputError) as error:
            # A full disk: the page keeps the message and sends it again.
            self.server.say(f"not stored, the page will send it again: {error}")
            self._refuse(HTTPStatus.INSUFFICIENT_STORAGE, "cannot be written to disk")
        else:
            self._answer(HTTPStatus.OK, answer)

    def _beat(self, content: Any) -> dict[str, Any]:
        check_message(content, "WHO")
        self.server.folder.seen(**content)
        return {}

    def _leave(self, content: Any) -> dict[str, Any]:
        check_message(content, "LEAVE")
        for message in content.get("messages", []):
            self.server.folder.store(message)
        self.server.folder.left(content["run"], content["code"])
        return {}

    def _route(self) -> str | None:
        """Return the path after the secret; None, after answering, if the request is refused."""
        host = self.headers.get("Host")
        local = self.command == "GET" and host == f"localhost:{self.server.server_port}"
        if not local and host != self.server.origin.removeprefix("http://"):
            self._refuse(HTTPStatus.FORBIDDEN, "wrong host")
            return None
        _, secret, *rest = [*self.path.split("/", 2), "", ""][:3]
        if not hmac.compare_digest(secret.encode(), self.server.token.encode()):
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")
            return None
        if local:
            # Under another name a browser would have another store of unsent trials.
            self._send(HTTPStatus.TEMPORARY_REDIRECT, b"", TYPES[".html"], self.server.address)
            return None
        return rest[0]

    def _body(self) -> Any:
        """Return the content of a request; None, after answering, if it is not acceptable."""
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,20}", length):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "no length")
            return None
        if int(length) > LARGEST_BODY:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"more than {LARGEST_BODY} bytes")
            return None
        if self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not JSON")
            return None
        try:
            content = json.loads(self.rfile.read(int(length)), parse_constant=_no_constant)
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "not readable as JSON")
            return None
        if not isinstance(content, dict):
            self._refuse(HTTPStatus.BAD_REQUEST, "not an object")
            return None
        return content

    def _answer(self, status: HTTPStatus, content: dict[str, Any]) -> None:
        text = json.dumps(content, ensure_ascii=False).encode("utf-8")
        self._send(status, text, "application/json")

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        # The rest of the request is not read.
        self.close_connection = True
        self._answer(status, {"error": reason})

    def _send(self, status: HTTPStatus, content: bytes, kind: str, location: str = "") -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        for name, value in self.server.answer_headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)


def _no_constant(text: str) -> float:
    raise ValueError(f"{text} is not JSON")
