#!/usr/bin/env bash
# Print the Debian packages that building the bundle needs and that are missing here, one a line.
# With `and-tools` also those of the programs that it is tried with: a menu's own judge, and a display without a screen.
set -euo pipefail

# Qt's X11 plug-in needs them and many desktops lack them: they must be here to come into the bundle.
libraries="libxcb-cursor.so.0=libxcb-cursor0 libxcb-icccm.so.4=libxcb-icccm4 libxcb-image.so.0=libxcb-image0
libxcb-keysyms.so.1=libxcb-keysyms1 libxcb-randr.so.0=libxcb-randr0 libxcb-render-util.so.0=libxcb-render-util0
libxcb-render.so.0=libxcb-render0 libxcb-shape.so.0=libxcb-shape0 libxcb-shm.so.0=libxcb-shm0
libxcb-sync.so.1=libxcb-sync1 libxcb-util.so.1=libxcb-util1 libxcb-xfixes.so.0=libxcb-xfixes0
libxcb-xkb.so.1=libxcb-xkb1 libxkbcommon-x11.so.0=libxkbcommon-x11-0"
tools="desktop-file-validate=desktop-file-utils xauth=xauth xvfb-run=xvfb"

known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
for pair in $libraries; do
    case "$known" in *"${pair%%=*} "*) ;; *) echo "${pair##*=}" ;; esac
done
[ "${1:-}" = and-tools ] || exit 0
for pair in $tools; do
    command -v "${pair%%=*}" >/dev/null || echo "${pair##*=}"
done
