"""What macOS wants to know about the app: the entries of its Info.plist."""

from __future__ import annotations

from typing import Any

from bundle import facts

MINIMUM_SYSTEM = "14.0"
"""The oldest macOS that MLX's wheels run on; also in ``packaging/macos/build.sh``."""

_FOLDERS = {
    "NSDesktopFolderUsageDescription": "Pictures on your desktop can be attached to a chat.",
    "NSDocumentsFolderUsageDescription": "Pictures and models in your documents can be opened.",
    "NSDownloadsFolderUsageDescription": "Pictures and models among your downloads can be opened.",
    "NSNetworkVolumesUsageDescription": "Pictures and models on network volumes can be opened.",
    "NSRemovableVolumesUsageDescription": "Pictures and models on removable volumes can be opened.",
}
"""Shown when the app first opens something there. Camera, microphone and screen are never asked for."""


def info() -> dict[str, Any]:
    """Return what goes into Info.plist beside PyInstaller's own entries."""
    return {
        "CFBundleName": facts.NAME,
        "CFBundleDisplayName": facts.NAME,
        "CFBundleShortVersionString": facts.VERSION,
        "CFBundleVersion": facts.VERSION,
        "CFBundleDevelopmentRegion": "en",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Picture",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Alternate",  # dropped on the Dock icon or by “Open with”; never the default
                "LSItemContentTypes": list(facts.UNIFORM_TYPES),
            }
        ],
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": MINIMUM_SYSTEM,
        "LSMultipleInstancesProhibited": True,  # one app per data folder
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "Licensed under Apache-2.0",
        "NSPrincipalClass": "NSApplication",
        "NSRequiresAquaSystemAppearance": False,
        "NSSupportsAutomaticGraphicsSwitching": True,
        **_FOLDERS,
    }
