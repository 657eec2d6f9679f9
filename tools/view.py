#!/usr/bin/python3
"""Writes a run as a page that plays it in a browser: tools/view.py --help, docs/player.md."""
import sys

import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
from throng.__main__ import view_main

if __name__ == "__main__":
    sys.exit(view_main())
