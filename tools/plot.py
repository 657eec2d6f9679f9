#!/usr/bin/python3
"""Pictures and films of a run: tools/plot.py --help, docs/pictures.md."""
import sys

import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
from throng.__main__ import plot_main

if __name__ == "__main__":
    sys.exit(plot_main())
