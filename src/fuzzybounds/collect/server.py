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
from pathlib import Path
from typing import Any
from zlib import crc32

from fuzzybounds.collect.folder import StudyFolder
from fuzzybounds.collect.messages import BadMessageError, check_message
from fuzzybounds.core.errors import InputError

ADDRESS = "127.0.0.1"
LARGEST_BODY = 2_000_000
"""Bytes: a trial at 240 Hz that runs to the deadline takes less than a tenth of it."""
TIMEOUT_S = 30
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
JSON = "application/json"
IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.S)


def page_files() -> dict[str, str]:
    """The files of the page, by name."""
    folder = resources.files(__package__).joinpath("page")
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if Path(file.name).suffix in TYPES
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

    `token` is the secret part of the address; port 0 takes any; `say` is called with a line about
    each participant who comes or finishes, and each problem.
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
        self.address = f"{self.origin}/{self.token}/"
        self.routes = {
            "api/start": folder.start,
            "api/message": folder.store,
            "api/beat": self._beat,
            "api/leave": self._leave,
        }

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error; a window that was closed before its answer arrived is none."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    def _beat(self, content: Any) -> dict[str, Any]:
        check_message(content, "who")
        self.folder.seen(**content)
        return {}

    def _leave(self, content: Any) -> dict[str, Any]:
        check_message(content, "leave")
        for message in content.get("messages", []):
            self.folder.store(message)
        self.folder.left(content["run"], content["code"])
        return {}


class RefusedError(Exception):
    """A request that is answered with a status and a reason."""

    def __init__(self, status: HTTPStatus, reason: str, **headers: str):
        super().__init__(reason)
        self.status, self.headers = status, headers


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
        self._respond(self._page)

    def do_POST(self) -> None:
        """Store what the page sends."""
        self._respond(self._stored)

    def _respond(self, act: Callable[[str], tuple[str, str]]) -> None:
        status, more = HTTPStatus.OK, {}
        try:
            text, kind = act(self._route())
        except RefusedError as refusal:
            # The rest of the request is not read.
            self.close_connection = True
            status, more = refusal.status, {**refusal.headers, "Connection": "close"}
            text, kind = json.dumps({"error": str(refusal)}), JSON
        content = text.encode("utf-8")
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": str(len(content)), **more}
        for name, value in {**self.server.answer_headers, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _route(self) -> str:
        """Return the path after the secret."""
        host = self.headers.get("Host")
        local = self.command == "GET" and host == f"localhost:{self.server.server_port}"
        if not local and host != self.server.origin.removeprefix("http://"):
            raise RefusedError(HTTPStatus.FORBIDDEN, "wrong host")
        _, secret, route = [*self.path.split("/", 2), "", ""][:3]
        if not hmac.compare_digest(secret.encode(), self.server.token.encode()):
            raise RefusedError(HTTPStatus.NOT_FOUND, "no such page")
        if local:
            # Under another name a browser would have another store of unsent trials.
            address = self.server.address
            raise RefusedError(HTTPStatus.TEMPORARY_REDIRECT, "elsewhere", Location=address)
        return route

    def _page(self, route: str) -> tuple[str, str]:
        if route == "api/study":
            return json.dumps(self.server.folder.study.for_page(), ensure_ascii=False), JSON
        name = route or "index.html"
        if name not in self.server.files:
            raise RefusedError(HTTPStatus.NOT_FOUND, "no such file")
        return self.server.files[name], TYPES[Path(name).suffix]

    def _stored(self, route: str) -> tuple[str, str]:
        if self.headers.get("Origin") != self.server.origin:
            raise RefusedError(HTTPStatus.FORBIDDEN, "not from the page of this task")
        act = self.server.routes.get(route)
        if act is None:
            raise RefusedError(HTTPStatus.NOT_FOUND, "no such route")
        content = self._body()
        try:
            return json.dumps(act(content)), JSON
        except BadMessageError as error:
            self.server.say(f"refused: {error}")
            raise RefusedError(HTTPStatus.BAD_REQUEST, str(error)) from error
        except (OSError, InputError) as error:
            # A full disk: the page keeps the message and sends it again.
            self.server.say(f"not stored, the page will send it again: {error}")
            reason = "cannot be written to disk"
            raise RefusedError(HTTPStatus.INSUFFICIENT_STORAGE, reason) from error

    def _body(self) -> Any:
        """Return the content of a request."""
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,20}", length):
            raise RefusedError(HTTPStatus.LENGTH_REQUIRED, "no length")
        if int(length) > LARGEST_BODY:
            reason = f"more than {LARGEST_BODY} bytes"
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
        if self.headers.get_content_type() != "application/json":
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not JSON")
        try:
            content = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "not readable as JSON") from error
        if not isinstance(content, dict):
            raise RefusedError(HTTPStatus.BAD_REQUEST, "not an object")
        return content
