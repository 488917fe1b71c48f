#!/usr/bin/env bash
# Build the Linux bundle: a folder, and the same packed. Usage: packaging/linux/build.sh [OUTPUT-FOLDER]
#
# PYTHON names the interpreter of an environment with the app and its `bundle` extra installed (default .venv).
# With ARCHIVE=no only the folder is made.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
output=$(realpath -m "${1:-$root/dist}")
python=${PYTHON:-$root/.venv/bin/python}
export QT_QPA_PLATFORM=offscreen PYTHONPATH="$root/packaging:$root"
unset PYTHONDONTWRITEBYTECODE # PyInstaller looks at packages in many processes; each would compile them anew

"$python" -c 'import PyInstaller' 2>/dev/null || {
    echo "PyInstaller is missing: $python -m pip install --editable '${root}[bundle]'" >&2
    exit 2
}

missing=$("$root/packaging/linux/missing.sh" x11)
[ -z "$missing" ] || {
    echo "Libraries are missing. On Debian and Ubuntu: apt install" $missing >&2
    exit 2
}

mkdir -p "$output"
bundle=$output/second-glance
"$python" -m PyInstaller --noconfirm --log-level WARN \
    --distpath "$output" --workpath "$output/build" "$root/packaging/linux/second-glance.spec"
# Pythons that were built from source bring what only their debuggers read, three times as large as the rest.
if command -v strip >/dev/null; then strip --strip-debug "$bundle"/_internal/libpython*.so.*; fi
"$python" "$root/packaging/licences.py" "$bundle/_internal/app/_resources/third-party-licences.txt" "$bundle"
"$python" -m bundle.desktop "$bundle/share"
install -m 755 "$root/packaging/linux/install.sh" "$bundle/install.sh"
du -sh "$bundle"
[ "${ARCHIVE:-}" != no ] || exit 0
tar --create --file - --directory "$output" --owner=0 --group=0 --numeric-owner --sort=name second-glance \
    | gzip -9 >"$output/second-glance-linux-$(uname -m).tar.gz"
du -sh "$output"/second-glance-linux-*.tar.gz
