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
    from h5py import h5, h5l
    links: list[tuple[bytes, int]] = []
    file.id.links.visit(lambda name, link: links.append((name, link.type)), info=True,
                        order=h5.ITER_NATIVE)
    for name, kind in links:  # a soft link leads to another link of the file
        if kind != h5l.TYPE_SOFT and (kind != h5l.TYPE_HARD or is_elsewhere(file, name)):
            return name.decode("utf-8", "replace")
    return None


def is_elsewhere(file: h5py.File, name: bytes) -> bool:
    """Whether this is a dataset whose values are in another file."""
    from h5py import h5d, h5o
    found = h5o.open(file.id, name)
    stored = found.get_create_plist() if isinstance(found, h5d.DatasetID) else None
    return bool(stored and (stored.get_external_count() or stored.get_layout() == h5d.VIRTUAL))


def without_link(path: str | os.PathLike[str]) -> str:
    """The path of a file in a run's folder that is about to be written, where a link is removed:
    what it leads to stays as it is."""
    if os.path.islink(path):
        os.remove(path)
    require_regular(path)
    return os.fspath(path)
