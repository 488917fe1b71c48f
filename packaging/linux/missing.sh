#!/usr/bin/env bash
# Print the Debian packages that are missing here, one a line. Usage: packaging/linux/missing.sh KIND …, of these:
#   app    what Qt and MLX load from the system
#   x11    what Qt needs beside that on an X11 desktop; many lack it, so the bundle brings what the building machine has
#   tools  what the bundle is tried with: a judge of menu entries, and a display without a screen
set -euo pipefail

app="libEGL.so.1=libegl1 libGL.so.1=libgl1 libxkbcommon.so.0=libxkbcommon0 libdbus-1.so.3=libdbus-1-3
libfontconfig.so.1=libfontconfig1 libglib-2.0.so.0=libglib2.0-0 libgomp.so.1=libgomp1"
x11="libxcb-cursor.so.0=libxcb-cursor0 libxcb-icccm.so.4=libxcb-icccm4 libxcb-image.so.0=libxcb-image0
libxcb-keysyms.so.1=libxcb-keysyms1 libxcb-randr.so.0=libxcb-randr0 libxcb-render-util.so.0=libxcb-render-util0
libxcb-render.so.0=libxcb-render0 libxcb-shape.so.0=libxcb-shape0 libxcb-shm.so.0=libxcb-shm0
libxcb-sync.so.1=libxcb-sync1 libxcb-util.so.1=libxcb-util1 libxcb-xfixes.so.0=libxcb-xfixes0
libxcb-xkb.so.1=libxcb-xkb1 libxkbcommon-x11.so.0=libxkbcommon-x11-0"
tools="desktop-file-validate=desktop-file-utils xauth=xauth xvfb-run=xvfb"

known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
for pair in $(for kind in "$@"; do echo "${!kind}"; done); do
    case "$known" in *"${pair%%=*} "*) continue ;; esac
    command -v "${pair%%=*}" >/dev/null || echo "${pair##*=}"
done
