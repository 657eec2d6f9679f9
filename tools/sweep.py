#!/usr/bin/python3
"""Runs a scenario for many values and seeds: tools/sweep.py --help, docs/python.md."""
import sys

import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
from throng.__main__ import sweep_main

if __name__ == "__main__":
    sys.exit(sweep_main())
