"""The desktop portal, played by an object on a bus of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtDBus import QDBusConnection

from app.ui.capture.portal import MISSING, REFUSED, PortalCapture
from tests.ui.capture.conftest import FakePortal


def test_a_portal_with_screenshots_is_found(qtbot, portal: FakePortal, client: QDBusConnection) -> None:
    tool = PortalCapture(client)
    with qtbot.waitSignal(tool.checked) as checked:
        tool.check()
    assert checked.args == [""]
    assert portal.asked == ["Get"]


def test_a_bus_without_a_portal_has_none(qtbot, client: QDBusConnection) -> None:
    tool = PortalCapture(client)
    with qtbot.waitSignal(tool.checked) as checked:
        tool.check()
    assert checked.args == [MISSING]


def test_a_computer_without_a_bus_has_none(qtbot, tmp_path: Path) -> None:
    tool = PortalCapture(QDBusConnection.connectToBus(f"unix:path={tmp_path}/nobody", "nobody"))
    with qtbot.waitSignal(tool.checked) as checked:
        tool.check()
    assert checked.args == [MISSING]


def test_what_the_user_chose_arrives(qtbot, portal: FakePortal, client: QDBusConnection, shot: Path) -> None:
    portal.answer = (0, QUrl.fromLocalFile(str(shot)).toString(QUrl.ComponentFormattingOption.FullyEncoded))
    tool = PortalCapture(client)
    for _ in range(2):
        with qtbot.waitSignal(tool.captured) as captured:
            tool.start()
        assert captured.args == [shot.read_bytes()]


def test_cancelling_leaves_nothing(qtbot, portal: FakePortal, client: QDBusConnection) -> None:
    portal.answer = (1, "")
    tool = PortalCapture(client)
    with qtbot.waitSignal(tool.cancelled), qtbot.assertNotEmitted(tool.failed):
        tool.start()


def test_a_desktop_that_refuses_is_quoted(qtbot, portal: FakePortal, client: QDBusConnection) -> None:
    portal.refuses = True
    tool = PortalCapture(client)
    with qtbot.waitSignal(tool.failed) as failed:
        tool.start()
    assert failed.args == [f"{REFUSED} (not now)"]


def test_no_address_but_a_file_is_read(qtbot, portal: FakePortal, client: QDBusConnection) -> None:
    portal.answer = (0, "https://example.org/x.png")
    tool = PortalCapture(client)
    with qtbot.waitSignal(tool.failed) as failed:
        tool.start()
    assert failed.args == [REFUSED]


def test_a_picture_that_is_gone_is_no_crash(qtbot, portal: FakePortal, client: QDBusConnection, tmp_path: Path) -> None:
    portal.answer = (0, f"file://{tmp_path}/gone.png")
    tool = PortalCapture(client)
    with qtbot.waitSignal(tool.failed) as failed:
        tool.start()
    assert failed.args == ["The picture of the screen could not be read: No such file or directory."]
