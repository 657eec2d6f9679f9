"""The exception of this package."""
from __future__ import annotations

import contextlib
import csv
import re
from collections.abc import Iterator

USAGE, DAMAGED, INPUT_OUTPUT = 64, 65, 74  # exit codes, as those of the program


class Error(Exception):
    """An error that the user can correct, in one line; `code` is the exit code of docs/formats.md:
    64 bad arguments or no such file, 65 damaged, 74 input/output error, or what the program gave."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


def one_line(error: object) -> str:
    """The message of an exception in one line, shortened."""
    return " ".join(str(error).split())[:160]


def without_content(error: Exception) -> str:
    """The same, without the text that a conversion quotes: what is not the file that it should be
    may hold a secret."""
    if isinstance(error, ValueError) and not isinstance(error, UnicodeError):
        return re.sub(r"""(['"])(?:\\.|(?!\1).)*(\1|$)""", "...", one_line(error))
    return one_line(error)


@contextlib.contextmanager
def reading(path: object, kind: str) -> Iterator[None]:
    """Turns what can go wrong while a file of this kind is read into an Error that names it."""
    try:
        yield
    except FileNotFoundError:
        raise Error(f"{path}: no such file") from None
    except OSError as error:  # of HDF5: without an errno if the content is wrong
        if error.errno is not None:
            raise Error(f"{path}: {error.strerror or one_line(error)}", INPUT_OUTPUT) from None
        raise Error(f"{path}: not {kind}, or damaged ({one_line(error)})", DAMAGED) from None
    except (KeyError, RuntimeError, ValueError, TypeError, IndexError, AttributeError,
            csv.Error) as error:
        raise Error(f"{path}: not {kind}, or damaged ({without_content(error)})",
                    DAMAGED) from None
