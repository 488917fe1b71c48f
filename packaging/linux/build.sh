#!/usr/bin/env bash
# Build the Linux bundle: a folder, and the same packed. Usage: packaging/linux/build.sh [OUTPUT-FOLDER]
#
# PYTHON names the interpreter of an environment with the app and its `bundle` extra installed (default .venv).
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

# Qt's X11 plug-in needs them, many desktops lack them: they must be here to come into the bundle.
for library in libxcb-cursor.so.0=libxcb-cursor0 libxcb-icccm.so.4=libxcb-icccm4 libxcb-keysyms.so.1=libxcb-keysyms1; do
    "$python" -c "import ctypes; ctypes.CDLL('${library%%=*}')" 2>/dev/null || {
        echo "${library%%=*} is missing. On Debian and Ubuntu: apt install ${library##*=}" >&2
        exit 2
    }
done

mkdir -p "$output"
bundle=$output/second-glance
"$python" -m PyInstaller --noconfirm --log-level WARN \
    --distpath "$output" --workpath "$output/build" "$root/packaging/linux/second-glance.spec"
"$python" "$root/packaging/licences.py" "$bundle/_internal/app/_resources/third-party-licences.txt" "$bundle"
"$python" -m bundle.desktop "$bundle/share"
install -m 755 "$root/packaging/linux/install.sh" "$bundle/install.sh"
tar --create --file - --directory "$output" --owner=0 --group=0 --numeric-owner --sort=name second-glance \
    | gzip -9 >"$output/second-glance-linux-$(uname -m).tar.gz"
du -sh "$bundle" "$output"/second-glance-linux-*.tar.gz
