#!/usr/bin/python3
"""Writes regl.min.js from a wheel of bokeh, which contains regl:

    pip download --no-deps bokeh==3.9.2 && python/throng/player/vendor/update.py bokeh-3.9.2-*.whl
"""
import hashlib
import re
import sys
import zipfile
from pathlib import Path

BUNDLE = "bokeh/server/static/js/bokeh-gl.min.js"
HEAD = "/* regl, (c) 2016 Mikola Lysenko, MIT licence: see regl.LICENSE and README.md */\n"


def module(bundle: str) -> str:
    """The function that is regl, in a bundle whose modules begin with 'NUMBER: function'."""
    parts = re.split(r"(?m)^\d+: (?=function)", bundle)
    found = [part for part in parts if ".createREGL=" in part]
    if len(found) != 1:
        sys.exit(f"{len(found)} modules with createREGL; 1 is expected")
    return found[0].rstrip().rstrip(",")


def main() -> None:
    """Writes the file beside this one."""
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        text = f"{HEAD}({module(wheel.read(BUNDLE).decode())}).call(globalThis);\n"
    Path(__file__).with_name("regl.min.js").write_text(text, encoding="utf-8")
    print(len(text), hashlib.sha256(text.encode()).hexdigest())


if __name__ == "__main__":
    main()
