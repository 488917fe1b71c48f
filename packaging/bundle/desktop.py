"""What a Linux desktop wants to know about the app: menu entry, software-centre entry, icons.

``python -m bundle.desktop FOLDER`` writes them, laid out as below ``/usr/share``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bundle import facts
from bundle.icons import write_hicolor


def menu_entry(program: str = facts.PROGRAM) -> str:
    """Return the ``.desktop`` file; its name must be the app's ``desktopFileName``."""
    return f"""[Desktop Entry]
Type=Application
Name={facts.NAME}
GenericName=Picture chat
Comment={facts.SUMMARY}
Exec={program} %F
Icon={facts.PROGRAM}
Terminal=false
Categories=Graphics;
Keywords=image;screenshot;chat;vision;language;model;
MimeType={";".join(facts.MIME_TYPES)};
StartupNotify=true
StartupWMClass={facts.PROGRAM}
"""


def software_entry() -> str:
    """Return the AppStream component."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{facts.IDENTIFIER}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>Apache-2.0</project_license>
  <name>{facts.NAME}</name>
  <summary>{facts.SUMMARY}</summary>
  <description>
    <p>
      Drop a picture and ask about it. Models run on this computer; drop the same screenshot a second time and it is not
      looked at again. Every answer says what was reused, what was run, and why.
    </p>
  </description>
  <launchable type="desktop-id">{facts.PROGRAM}.desktop</launchable>
  <icon type="stock">{facts.PROGRAM}</icon>
  <categories>
    <category>Graphics</category>
  </categories>
  <content_rating type="oars-1.1"/>
  <provides>
    <binary>{facts.PROGRAM}</binary>
  </provides>
</component>
"""


def write(folder: Path) -> None:
    """Write everything below ``folder``."""
    files = {
        folder / "applications" / f"{facts.PROGRAM}.desktop": menu_entry(),
        folder / "metainfo" / f"{facts.IDENTIFIER}.metainfo.xml": software_entry(),
    }
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    write_hicolor(folder / "icons" / "hicolor")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
