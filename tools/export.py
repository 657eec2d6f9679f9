#!/usr/bin/python3
"""Writes the trajectory of a run for other programs: tools/export.py --help, docs/python.md."""
import sys

import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
from throng.__main__ import export_main

if __name__ == "__main__":
    sys.exit(export_main())
