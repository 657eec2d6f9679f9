#!/usr/bin/python3
"""Writes one HTML file about runs: tools/report.py --help, docs/report.md."""
import sys

import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
from throng.__main__ import report_main

if __name__ == "__main__":
    sys.exit(report_main())
