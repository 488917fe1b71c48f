#!/usr/bin/env bash
# Put the signed app into a disk image, and have Apple notarise it. Usage: packaging/macos/dmg.sh APP
#
# SIGN_IDENTITY as for sign.sh. NOTARY_PROFILE names what `xcrun notarytool store-credentials` stored; without it nothing
# is sent to Apple.
set -euo pipefail
app=${1:?which app?}
identity=${SIGN_IDENTITY:?which certificate?}
image=${app%.app}.dmg

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
ditto "$app" "$stage/$(basename "$app")"
ln -s /Applications "$stage/Applications"
hdiutil create -volname "Second Glance" -srcfolder "$stage" -fs APFS -format ULFO -ov "$image"
codesign --force --sign "$identity" "$image"

if [ -n "${NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
    spctl --assess --type open --context context:primary-signature --verbose "$image"
fi
