"""A hub on this computer that speaks the protocol as far as downloads need it, and misbehaves on request."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "0123456789abcdef" * 2 + "01234567"
CHUNK = 4096
MISSING = "no such repository"


@dataclass
class FakeHub:
    """What it has, how it behaves, and what it was asked.

    Attributes:
        files: by repository, by name.
        status: error for every request to a repository, with headers.
        break_after: bytes of a weight file after which a connection is cut, for as many requests as ``breaks`` says.
        chunk_seconds: time between two chunks of a file.
        resumes: whether it can continue files.
        extra: bytes that a weight file has more than was announced.
        damage: whether weight files come with a wrong byte.
        gate: while cleared, weight files stop arriving after their first chunk.
        silent: while cleared, requests for weight files are not answered.
        renamed: repositories that have another name now; requests for the old one are redirected.
        elsewhere: status with which requests for weight files are redirected to ``url`` of another hub; 0 for none.
        asked: ``(path, Range header)`` of all requests.
        keys: the Authorization header of each of them.
    """

    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    licence: str = "apache-2.0"
    status: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)
    break_after: int = 0
    breaks: int = 0
    chunk_seconds: float = 0.0
    resumes: bool = True
    extra: int = 0
    damage: bool = False
    gate: threading.Event = field(default_factory=threading.Event)
    silent: threading.Event = field(default_factory=threading.Event)
    renamed: dict[str, str] = field(default_factory=dict)
    elsewhere: tuple[int, str] = (0, "")
    asked: list[tuple[str, str]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    url: str = ""

    def __post_init__(self) -> None:
        self.gate.set()
        self.silent.set()

    def asked_for(self, name: str) -> list[str]:
        """Return the ranges that were asked for of the file ``name``."""
        return [asked for path, asked in self.asked if path.endswith(f"/{name}")]


@contextmanager
def running(hub: FakeHub) -> Iterator[FakeHub]:
    """Serve ``hub`` on a free port of this computer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.gate.set()
        hub.silent.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        self.hub.asked.append((path, self.headers.get("Range", "")))
        self.hub.keys.append(self.headers.get("Authorization", ""))
        parts = path.strip("/").split("/")
        if target := self._redirected(path, parts):
            self._reply(target[0], b"", {"Location": target[1]})
            return
        try:
            if parts[:2] == ["api", "models"]:
                self._describe("/".join(parts[2:4]))
            else:
                self._send_file("/".join(parts[:2]), parts[-1])
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *arguments: object) -> None:
        pass

    def _redirected(self, path: str, parts: list[str]) -> tuple[int, str] | None:
        """Return status and address where a request is to be made anew, as hubs do."""
        repository = "/".join(parts[2:4] if parts[:2] == ["api", "models"] else parts[:2])
        if new := self.hub.renamed.get(repository):
            return 307, path.replace(repository, new)
        status, url = self.hub.elsewhere
        return (status, f"{url}{path}?signature=x") if status and path.endswith(".safetensors") else None

    def _refused(self, repository: str) -> bool:
        status, headers = self.hub.status.get(repository, (0, {}))
        if not status and repository not in self.hub.files:
            status, headers = 404, {"X-Error-Code": "RepoNotFound", "X-Error-Message": MISSING}
        if status:
            self._reply(status, b"{}", headers)
        return bool(status)

    def _describe(self, repository: str) -> None:
        if self._refused(repository):
            return
        siblings = [_sibling(name, content) for name, content in self.hub.files[repository].items()]
        card = {"license": self.hub.licence}
        info = {"id": repository, "sha": COMMIT, "siblings": siblings, "cardData": card, "tags": []}
        self._reply(200, json.dumps(info).encode(), {"Content-Type": "application/json"})

    def _send_file(self, repository: str, name: str) -> None:
        if self._refused(repository):
            return
        content = self.hub.files[repository][name]
        if name.endswith(".safetensors"):
            self.hub.silent.wait(150)
        if name.endswith(".safetensors"):
            content = content + b"+" * self.hub.extra
            if self.hub.damage:
                content = b"?" + content[1:]
        asked = self.headers.get("Range", "")
        begin = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.hub.resumes else 0
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        self._send(content[begin:], heavy=name.endswith(".safetensors"))

    def _send(self, content: bytes, *, heavy: bool) -> None:
        limit = len(content)
        if heavy and self.hub.breaks and limit > self.hub.break_after:
            self.hub.breaks -= 1
            limit = self.hub.break_after
        for start in range(0, limit, CHUNK):
            self.wfile.write(content[start : min(start + CHUNK, limit)])
            self.wfile.flush()
            time.sleep(self.hub.chunk_seconds)
            if heavy:
                self.hub.gate.wait(150)
        if limit < len(content):
            self.close_connection = True

    def _reply(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _sibling(name: str, content: bytes) -> dict[str, object]:
    blob = hashlib.sha1(f"blob {len(content)}\0".encode() + content, usedforsecurity=False).hexdigest()
    sibling: dict[str, object] = {"rfilename": name, "size": len(content), "blobId": blob}
    if name.endswith((".safetensors", ".bin")):
        sibling["lfs"] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest(), "pointerSize": 130}
    return sibling
