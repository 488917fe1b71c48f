#!/usr/bin/env bash
# Build “Second Glance.app” on an Apple-silicon Mac. Usage: packaging/macos/build.sh [OUTPUT-FOLDER]
#
# PYTHON names a Python 3.11 or newer from python.org (default python3). Everything else is installed into OUTPUT/env.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
output=${1:-$root/dist}
system=14.0
tag=macosx_${system/./_}_arm64

[ "$(uname -sm)" = "Darwin arm64" ] || { echo "This must run on an Apple-silicon Mac." >&2; exit 2; }
mkdir -p "$output/parts"
output=$(cd "$output" && pwd)

"${PYTHON:-python3}" -m venv --clear "$output/env"
python=$output/env/bin/python
install=("$python" -m pip install --quiet --disable-pip-version-check)
# On a newer macOS pip would take wheels of MLX that do not start on older ones. These two are pinned to the oldest system.
version=$("$python" -c "
import tomllib
lines = tomllib.load(open('$root/pyproject.toml', 'rb'))['project']['dependencies']
print(next(line for line in lines if line.startswith('mlx==')).split('==')[1].split(';')[0])")
"$python" -m pip download --quiet --no-deps --only-binary=:all: --platform "$tag" --dest "$output/wheels" \
    "mlx==$version" "mlx-metal==$version"
"${install[@]}" "$output"/wheels/mlx*"$tag".whl
"${install[@]}" "${root}[bundle]"

export PYTHONPATH="$root/packaging:$root" MACOSX_DEPLOYMENT_TARGET=$system QT_QPA_PLATFORM=offscreen
"$python" "$root/packaging/licences.py" "$output/parts/third-party-licences.txt"
"$python" -c "from pathlib import Path; from bundle.icons import write_icns; write_icns(Path('$output/parts/icon.icns'))"
"$python" -m PyInstaller --noconfirm --log-level WARN \
    --distpath "$output" --workpath "$output/build" "$root/packaging/macos/second-glance.spec"

app="$output/Second Glance.app"
[ -f "$app/Contents/Resources/mlx/lib/mlx.metallib" ] || { echo "mlx.metallib is missing." >&2; exit 1; }
[ -f "$app/Contents/Frameworks/mlx/lib/mlx.metallib" ] || { echo "mlx.metallib is not where MLX looks." >&2; exit 1; }
otool -l "$app/Contents/Frameworks/mlx/lib/libmlx.dylib" | grep -q "minos $system" \
    || { echo "libmlx.dylib needs a newer macOS than $system." >&2; exit 1; }
du -sh "$app"
