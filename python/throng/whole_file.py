"""Files that are complete when they have their name."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from throng.errors import INPUT_OUTPUT, Error, one_line
from throng.guarded import without_link


def temporary(output: str | os.PathLike[str]) -> str:
    """The name of a file that is not complete; its ending stays, which GDAL, USD, matplotlib and
    ffmpeg go by."""
    return f"{os.fspath(output)}.tmp{os.path.splitext(output)[1]}"


def is_special(output: str | os.PathLike[str]) -> bool:
    """Whether this is a device, a pipe or a standard stream, which no file may take the place of."""
    stream = os.path.islink(output) and os.path.abspath(output).startswith("/dev/")
    return stream or (os.path.exists(output) and not os.path.isfile(output))


@contextlib.contextmanager
def whole_file(output: str | os.PathLike[str]) -> Iterator[str]:
    """A path to write to. The file gets its name after that; nothing is left of one that fails, and
    an older one stays. A device or a pipe is written as it is."""
    special = is_special(output)
    path = os.fspath(output) if special else without_link(temporary(output))
    try:
        yield path
        if not special:
            os.replace(path, output)
    except OSError as error:
        raise Error(f"{output}: cannot be written ({error.strerror or one_line(error)})",
                    INPUT_OUTPUT) from None
    finally:
        if not special and os.path.exists(path):
            os.remove(path)
