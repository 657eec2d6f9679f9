"""Writes a run as HTML that plays it in a browser: from disk, without a server or a network.

    throng.player.fragment("runs/hall", 10_000_000)     HTML for a report
    throng view runs/hall -o hall.html                  a page of its own (docs/player.md)
"""
from __future__ import annotations

from typing import Any


def fragment(run: Any, limit_bytes: int = 10_000_000, code: bool = True) -> str:
    """HTML to put into a page: a picture that turns into a player when it is clicked. It has at
    most limit_bytes bytes; run: a folder, or a throng.Run. Nothing is unpacked before the click.
    code: with the script, of which a page needs one, in its first fragment."""
    from throng.player.page import fragment as written  # loads numpy, h5py and matplotlib
    return written(run, limit_bytes, code)
