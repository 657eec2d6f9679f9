"""Opens files of a folder that somebody else may have made: a pipe in it would wait for ever, and a
link, or an HDF5 file that refers to others, could lead to any file of the user."""
from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from throng.errors import DAMAGED, Error

if TYPE_CHECKING:
    import h5py


def require_regular(path: str | os.PathLike[str]) -> None:
    """An error if what has this name is not a regular file; nothing if there is nothing."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise Error(f"{os.fspath(path)}: not a regular file", DAMAGED)


def opened(path: str | os.PathLike[str], newline: str | None = None) -> TextIO:
    """A regular file, to read its text."""
    require_regular(path)
    return open(path, encoding="utf-8", newline=newline)


@contextlib.contextmanager
def opened_hdf5(path: str | os.PathLike[str]) -> Iterator[h5py.File]:
    """An HDF5 file, to read it, all of whose data lies in itself."""
    import h5py
    require_regular(path)
    with h5py.File(path, "r") as file:
        elsewhere = part_elsewhere(file)
        if elsewhere:
            raise Error(f"{os.fspath(path)}: {elsewhere} refers to another file; a file of throng "
                        "has no such thing, and none is followed", DAMAGED)
        yield file


def part_elsewhere(file: h5py.File) -> str | None:
    """The name of a link or dataset that refers to another file; None: there is none."""
    from h5py import h5, h5d, h5l, h5o

    def look(name: bytes, link: h5l.LinkInfo) -> bytes | None:
        if link.type == h5l.TYPE_SOFT:  # leads to another link of the file
            return None
        if link.type != h5l.TYPE_HARD:
            return name
        found = h5o.open(file.id, name)
        stored = found.get_create_plist() if isinstance(found, h5d.DatasetID) else None
        elsewhere = stored and (stored.get_external_count() or stored.get_layout() == h5d.VIRTUAL)
        return name if elsewhere else None

    name = file.id.links.visit(look, info=True, order=h5.ITER_NATIVE)
    return name.decode("utf-8", "replace") if name else None


def without_link(path: str | os.PathLike[str]) -> str:
    """The path of a file in a run's folder that is about to be written, where a link is removed:
    what it leads to stays as it is."""
    if os.path.islink(path):
        os.remove(path)
    require_regular(path)
    return os.fspath(path)
