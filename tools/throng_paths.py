"""Where the package throng, the program and the scenarios are, in a checkout and when installed.

Importing this module makes `import throng` possible."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

from throng.program import IN_CHECKOUT, ROOT, program  # noqa: E402,F401

# Installed files are not ours to write to.
OUTPUT = ROOT if IN_CHECKOUT else Path.cwd()
PICTURES = ROOT / "docs/images" if IN_CHECKOUT else Path.cwd()
