"""A window's worth of composer, a fake ``screencapture``, and a fake portal on a bus of its own."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QObject, QTimer
from PySide6.QtDBus import (
    QDBusConnection,
    QDBusMessage,
    QDBusObjectPath,
    QDBusVariant,
    QDBusVirtualObject,
)

from app.ui.capture.portal import OBJECT, REQUEST, SERVICE

Answer = tuple[int, str]


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    """Return a picture of a screen, under a name that a desktop might give it."""
    buffer = io.BytesIO()
    Image.new("RGB", (64, 40), "teal").save(buffer, "PNG")
    path = tmp_path / "Bildschirmfoto vom 3. März.png"
    path.write_bytes(buffer.getvalue())
    return path


@pytest.fixture
def screencapture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that puts a ``screencapture`` with these shell lines in the path; ``$target`` is its file."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def put(lines: str) -> None:
        command = folder / "screencapture"
        command.write_text(f'#!/bin/sh\n[ "$1" = -i ] || exit 64\nfor target; do :; done\n{lines}\n')
        command.chmod(0o755)

    return put


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[str]:
    """Return the address of a message bus that only this test knows."""
    if not shutil.which("dbus-daemon") or not shutil.which("gdbus"):
        pytest.skip("needs dbus-daemon and gdbus")
    command = ["dbus-daemon", "--session", "--nofork", "--print-address", f"--address=unix:path={tmp_path}/bus"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        assert daemon.stdout is not None
        yield daemon.stdout.readline().strip()
        daemon.terminate()


class FakePortal(QDBusVirtualObject):
    """Answers as a desktop does: the request at once, what the user chose later, from its own path."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.answer: Answer = (0, "")
        self.refuses = False
        self.asked: list[str] = []
        self.bus = QDBusConnection.connectToBus(address, f"portal {address}")
        sub_path = QDBusConnection.VirtualObjectRegisterOption.SubPath
        assert self.bus.registerVirtualObject(OBJECT, self, sub_path)
        assert self.bus.registerService(SERVICE)

    def introspect(self, path: str) -> str:
        return ""

    def handleMessage(self, message: QDBusMessage, connection: QDBusConnection) -> bool:
        self.asked.append(message.member())
        if message.member() == "Get":
            return connection.send(message.createReply([QDBusVariant(2)]))
        if self.refuses:
            error = message.createErrorReply("org.freedesktop.DBus.Error.AccessDenied", "not now")
            return connection.send(error)
        sender = message.service().removeprefix(":").replace(".", "_")
        request = f"{OBJECT}/request/{sender}/second_glance_{os.getpid()}_{self.asked.count('Screenshot')}"
        connection.send(message.createReply([QDBusObjectPath(request)]))
        QTimer.singleShot(0, lambda: self.respond(request))
        return True

    def respond(self, request: str) -> None:
        """Tell the outcome; PySide cannot send an unsigned number, so another program does."""
        code, uri = self.answer
        results = f"{{'uri': <'{uri}'>}}" if uri else "@a{sv} {}"
        command = ["gdbus", "emit", "--session", "--object-path", request, "--signal", f"{REQUEST}.Response"]
        environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": self.address}
        subprocess.run([*command, f"uint32 {code}", results], check=True, env=environment)


@pytest.fixture
def portal(qapp: QObject, bus: str) -> Iterator[FakePortal]:
    made = FakePortal(bus)
    yield made
    made.bus.unregisterObject(OBJECT)
    QDBusConnection.disconnectFromBus(made.bus.name())


@pytest.fixture
def client(qapp: QObject, bus: str) -> Iterator[QDBusConnection]:
    made = QDBusConnection.connectToBus(bus, f"client {bus}")
    yield made
    QDBusConnection.disconnectFromBus(made.name())
