"""Where a bundle starts: the app, or its self-test where the environment asks for one."""

from __future__ import annotations

import multiprocessing
import os
import sys

SELF_TEST = "SECOND_GLANCE_SELF_TEST"
"""Names the file that the report of the self-test goes to."""

if __name__ == "__main__":
    # A library that makes a lock starts this program anew as Python's resource tracker; this sends it there.
    multiprocessing.freeze_support()
    if os.environ.get(SELF_TEST):
        from tour import main
    else:
        from app.__main__ import main
    sys.exit(main())
