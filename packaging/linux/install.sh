#!/usr/bin/env bash
# Put this folder's Second Glance into your menu, for you alone. It runs from where it lies: move it first, then run this.
# `./install.sh --remove` takes the entries away again; chats and settings stay.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
bin=${XDG_BIN_HOME:-$HOME/.local/bin}
entry=$data/applications/second-glance.desktop

put() { install -D -m 644 "$here/share/$1" "$data/$1"; }
take_away() { rm -f "$data/$1"; }

each=put
[ "${1:-}" != --remove ] || each=take_away
(cd "$here/share" && find . -type f -printf '%P\n') | while read -r file; do "$each" "$file"; done

if [ "$each" = put ]; then
    mkdir -p "$bin"
    ln -sfn "$here/second-glance" "$bin/second-glance"
    # Not every menu looks into ~/.local/bin; the whole path works everywhere.
    escaped=$(printf '%s' "$here/second-glance" | sed 's/[&|\\]/\\&/g')
    sed -i "s|^Exec=second-glance|Exec=\"$escaped\"|" "$entry"
else
    rm -f "$bin/second-glance"
fi
if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$data/applications"; fi
