"""The native side of a bundle: which of Qt's plug-ins are taken, and which libraries stay the host's.

The list of host libraries follows AppImage's exclude list: every desktop has them, they must fit the host's drivers,
fonts or C library, and an older copy in front of them breaks what they work with. The last lines are of what only came
along with something that is left out (the client of CUPS brings a dozen), or happened to lie on the building machine.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from app import blas
from app.ui.translation import LANGUAGES
from bundle import contents

Entry = tuple[str, str, str]
"""PyInstaller's (name in the bundle, file here, kind)."""

HOST_LIBRARIES = re.compile(
    r"lib(stdc\+\+|gcc_s|GL|EGL|GLX|GLdispatch|OpenGL|drm|gbm|vulkan|wayland-\w+|X11|X11-xcb|xcb|Xau|Xdmcp|Xext|Xrender"
    r"|fontconfig|freetype|harfbuzz|expat|z|glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|gthread-2\.0|dbus-1|systemd"
    r"|gtk-3|gdk-3|gdk_pixbuf-2\.0|atk-1\.0|atk-bridge-2\.0|atspi|cairo|cairo-gobject|pango\w*-1\.0|epoxy|fribidi"
    r"|thai|datrie|graphite2|pixman-1|bsd|md|cap|gcrypt|gpg-error|lz4|lzma|zstd|pcre2-8|selinux|mount|blkid|brotli\w+"
    r"|png16|udev|resolv|mvec"
    r"|cups|avahi-\w+|gnutls|p11-kit|tasn1|nettle|hogweed|gmp|idn2|unistring"
    r"|gssapi_krb5|krb5|krb5support|k5crypto|com_err|keyutils|jpeg|cudart)\.so(\.\d+)*"
)

QT_PLUGINS = re.compile(
    r"plugins/(iconengines/libqsvgicon|imageformats/libq(svg|jpeg|gif|ico)|xcbglintegrations/libqxcb-\w+-integration"
    r"|platforms/libq(xcb|wayland\w*|offscreen|cocoa)|platformthemes/libq(xdgdesktopportal|gtk3)"
    r"|platforminputcontexts/lib(compose|ibus)platforminputcontextplugin|styles/libq\w+|printsupport/lib\w+"
    r"|wayland-(shell-integration/libxdg-shell|decoration-client/lib\w+"
    r"|graphics-integration-client/libqt-plugin-wayland-egl))\.(so|dylib)"
)

QT_UNUSED = re.compile(r"(lib)?Qt6?(Network|Qml\w*|Quick\w*|VirtualKeyboard\w*|Pdf\w*|EglF[sS]\w*|Test|Sql)(\.\S+)?")
"""A library, extension module or framework, or a folder on the way to one."""

QT_TRANSLATIONS = frozenset(f"qtbase_{name}.qm" for name in LANGUAGES)
"""Qt's own words, in buttons of dialogs and menus of text fields."""


def openblas() -> list[Entry]:
    """Return the OpenBLAS that :mod:`app.blas` would load here from a wheel, and what it links to.

    In the bundle it has the name by which the system's is asked for, and the bundle's folder is searched first.
    """
    library = next(iter(blas.in_wheels()), None)
    if library is None:
        return []
    linked = [path for pattern in ("libgfortran*", "libquadmath*") for path in library.parent.glob(pattern)]
    places = {blas.SYSTEM_LIBRARY: library} | {path.name: path for path in linked}
    return [(name, str(path), "BINARY") for name, path in places.items()]


def metal_kernels() -> list[tuple[str, str]]:
    """Return ``(file, folder in the bundle)`` of MLX's compiled Metal kernels.

    MLX looks for them beside its own library; PyInstaller puts data into Resources, where signing wants it, and a link
    beside the library.

    Raises:
        FileNotFoundError: this is no Mac, or MLX's Metal part is not installed.
    """
    found = [file for folder in contents.folders("mlx") for file in folder.glob("lib/*.metallib")]
    if not found:
        raise FileNotFoundError("mlx/lib/mlx.metallib is missing: install mlx-metal")
    return [(str(file), "mlx/lib") for file in found]


def keep_on_linux(entry: Entry) -> bool:
    """Whether the file belongs into a Linux bundle."""
    name, source, _ = entry
    if HOST_LIBRARIES.fullmatch(PurePosixPath(name).name) and not _from_a_wheel(source):
        return False
    return keep_of_qt(entry)


def keep_of_qt(entry: Entry) -> bool:
    """Whether the file is used by the app, as far as it is one of Qt's."""
    name = entry[0].replace("\\", "/")
    if "/Qt/translations/" in name or "/translations/qt" in name:
        return PurePosixPath(name).name in QT_TRANSLATIONS
    if "/plugins/" in name and "PySide6" in name:
        return QT_PLUGINS.search(name) is not None
    return not any(QT_UNUSED.fullmatch(part) for part in PurePosixPath(name).parts)


def _from_a_wheel(source: str) -> bool:
    return "site-packages" in source
