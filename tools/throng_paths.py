"""Where the program and the scenarios of throng are, in a checkout and when installed."""
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent  # the checkout, or PREFIX/share/throng
IN_CHECKOUT = (ROOT / "CMakeLists.txt").is_file()
# Installed files are not ours to write to.
OUTPUT = ROOT if IN_CHECKOUT else Path.cwd()
PICTURES = ROOT / "docs/images" if IN_CHECKOUT else Path.cwd()


def program():
    """Path of throng: of this checkout or prefix; otherwise the one in PATH."""
    own = ROOT / "build/release/throng" if IN_CHECKOUT else ROOT.parent.parent / "bin/throng"
    return str(own if own.is_file() or IN_CHECKOUT else shutil.which("throng") or own)
