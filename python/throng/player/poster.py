"""A picture of a run at its fullest moment, which stands where the player will be."""
from __future__ import annotations

import io

from throng.files import Path, read_table, snapshot_paths

PIXELS = 960


def poster(folder: Path) -> bytes:
    """A PNG; empty if the run has no snapshots."""
    return b""
