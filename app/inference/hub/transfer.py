"""One file over the network: resumed where it broke off, and checked against the digest that the hub states."""

from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from huggingface_hub import hf_hub_url
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.errors import HTTPError as NetworkError
from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

from app.inference.hub.failures import SERVER_FAULT, DownloadFailed
from app.inference.hub.plan import Plan, PlannedFile

ATTEMPTS = 5
"""Failures in a row, without a byte between them, after which a file is given up."""
READ_BYTES = 1024 * 1024
PARTIAL = 206


class Stopped(Exception):
    """The user paused or cancelled; what was fetched is kept."""


class StopSign:
    """Set by one thread to stop a transfer on another, at once even where its connection stalls."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None

    def set(self) -> None:
        """Ask for a stop, and break the connection that may be waited for."""
        with self._lock:
            self._event.set()
            self._break()

    def is_set(self) -> bool:
        """Whether a stop was asked for."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for a stop, and return whether it came."""
        return self._event.wait(seconds)

    @contextmanager
    def breaks(self, connection: socket.socket | None) -> Iterator[None]:
        """Let a stop break ``connection`` inside the ``with`` block."""
        with self._lock:
            self._socket = connection
            if self._event.is_set():
                self._break()
        try:
            yield
        finally:
            with self._lock:
                self._socket = None

    def _break(self) -> None:
        if self._socket is not None:
            with suppress(OSError):  # it broke by itself
                self._socket.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class Line:
    """How files come here.

    Attributes:
        endpoint: address of the hub; ``None`` for the library's own.
        timeout: seconds without a byte after which the connection counts as broken.
        patience: seconds before the second attempt; doubled with each further one.
    """

    endpoint: str | None = None
    timeout: float = 15.0
    patience: float = 1.0


@dataclass(frozen=True, slots=True)
class Watch:
    """How a transfer is followed and stopped.

    Attributes:
        stop: see :class:`StopSign`.
        on_bytes: told how many bytes were added; negative where some turned out useless.
    """

    stop: StopSign
    on_bytes: Callable[[int], None]

    def check(self) -> None:
        """Raise :class:`Stopped` if a stop was asked for."""
        if self.stop.is_set():
            raise Stopped


def fetch(plan: Plan, file: PlannedFile, target: Path, line: Line, watch: Watch) -> None:
    """Fetch ``file`` to ``target``; what was there of it before, beside ``target``, is not fetched again.

    Raises:
        Stopped: a stop was asked for.
        DownloadFailed: size or content are not what the hub stated; nothing of a damaged file is kept.
        Exception: of the hub library or the network.
    """
    path = _part(target)
    with path.open("a+b") as stream:
        part = _Part(file, stream, watch)
        part.read_again()
        failures = 0
        while part.length < file.size:
            before = part.length
            try:
                _continue(plan, part, line)
            except NetworkError as error:
                failures = failures + 1 if part.length <= before else 1
                if _is_final(error) or failures >= ATTEMPTS:
                    raise
                if watch.stop.wait(line.patience * 2 ** (failures - 1)):
                    raise Stopped from None
        sound = part.is_sound()
    if not sound:
        path.unlink()
        watch.on_bytes(-file.size)
        raise DownloadFailed(
            f"{file.name} of {plan.repository} arrived damaged and was thrown away. Try again.", plan.repository
        )
    path.replace(target)


def part_bytes(target: Path) -> int:
    """Return how many bytes of an unfinished file are here."""
    path = _part(target)
    return path.stat().st_size if path.exists() else 0


class _Part:
    """The beginning of a file, and the digest of it.

    Attributes:
        length: bytes that are here.
    """

    def __init__(self, file: PlannedFile, stream: BinaryIO, watch: Watch) -> None:
        self.file = file
        self.length = 0
        self.watch = watch
        self._stream = stream
        self._digest = _new_digest(file)

    def read_again(self) -> None:
        """Take what an earlier attempt left; what is too long cannot be right and is dropped."""
        self._stream.seek(0)
        while content := self._stream.read(READ_BYTES):
            self.watch.check()
            self._digest.update(content)
            self.length += len(content)
        if self.length > self.file.size:
            self.drop()

    def add(self, content: bytes) -> None:
        """Append ``content``."""
        self._stream.write(content)
        self._digest.update(content)
        self.length += len(content)
        self.watch.on_bytes(len(content))

    def drop(self) -> None:
        """Begin anew."""
        self._stream.truncate(0)
        self.watch.on_bytes(-min(self.length, self.file.size))
        self.length, self._digest = 0, _new_digest(self.file)

    def is_sound(self) -> bool:
        """Whether the content is what the hub stated."""
        return self._digest.hexdigest() == self.file.digest


def _continue(plan: Plan, part: _Part, line: Line) -> None:
    """Ask for what is missing, and append what arrives."""
    url = hf_hub_url(plan.repository, part.file.name, revision=plan.commit, endpoint=line.endpoint)
    headers = build_hf_headers(headers={"Accept-Encoding": "identity"})
    if part.length:
        headers["Range"] = f"bytes={part.length}-"
    with get_session().stream("GET", url, headers=headers, timeout=line.timeout) as response:
        hf_raise_for_status(response)
        if part.length and response.status_code != PARTIAL:  # the server does not continue files
            part.drop()
        stated = response.headers.get("Content-Length", "")
        if stated.isdigit():
            _check_size(plan, part.file, part.length + int(stated))
        with part.watch.stop.breaks(_socket_of(response)):
            for content in response.iter_raw():
                part.watch.check()
                part.add(content)
                if part.length > part.file.size:
                    break
    _check_size(plan, part.file, part.length)


def _socket_of(response: Any) -> socket.socket | None:
    stream = response.extensions.get("network_stream")
    found: socket.socket | None = stream.get_extra_info("socket") if stream is not None else None
    return found


def _check_size(plan: Plan, file: PlannedFile, size: int) -> None:
    if size != file.size:
        raise DownloadFailed(
            f"{file.name} of {plan.repository} has {size:,} bytes where the hub announced {file.size:,}. "
            "Try again later.",
            plan.repository,
        )


def _is_final(error: Exception) -> bool:
    """Whether asking again would not help."""
    return isinstance(error, HfHubHTTPError) and error.response.status_code < SERVER_FAULT


def _new_digest(file: PlannedFile) -> hashlib._Hash:
    if not file.git:
        return hashlib.sha256()
    digest = hashlib.sha1(usedforsecurity=False)
    digest.update(f"blob {file.size}\0".encode())
    return digest


def _part(target: Path) -> Path:
    return target.with_name(target.name + ".part")
