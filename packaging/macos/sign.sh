#!/usr/bin/env bash
# Sign the app from the inside out, as Apple asks instead of `--deep`. Usage: packaging/macos/sign.sh APP
#
# SIGN_IDENTITY names the certificate, as in "Developer ID Application: Name (TEAM)"; "-" signs for this Mac only.
set -euo pipefail
app=${1:?which app?}
identity=${SIGN_IDENTITY:?which certificate? “security find-identity -p codesigning -v” lists them}
here=$(cd "$(dirname "$0")" && pwd)
main=$app/Contents/MacOS/second-glance

options=(--force --options runtime --sign "$identity")
[ "$identity" = - ] || options+=(--timestamp)

deepest_first() { awk -F/ '{ print NF "\t" $0 }' | sort -rn | cut -f 2-; }

# 1. Every library and program but the main one.
find "$app" -type f ! -path "$main" | deepest_first | while read -r file; do
    case "$(file -b "$file")" in Mach-O*) codesign "${options[@]}" "$file" ;; esac
done
# 2. The frameworks that they make up.
find "$app" -type d -name '*.framework' | deepest_first | while read -r framework; do
    codesign "${options[@]}" "$framework"
done
# 3. The app, which seals the rest. Only it has entitlements.
codesign "${options[@]}" --entitlements "$here/entitlements.plist" "$app"
codesign --verify --strict --verbose=2 "$app"
