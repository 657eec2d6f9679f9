"""libthrong by ctypes: its types and functions as in throng.h."""
from __future__ import annotations

import ctypes
import operator
import os
import sys
import threading
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char, c_char_p, c_double, c_int,
                    c_int64, c_size_t, c_uint64, c_void_p)
from pathlib import Path

from throng.errors import Error
from throng.program import program

API = 1  # THRONG_API: the throng.h that these types are those of
EMBEDDED = 1
PROFILES, SOURCES, DESTINATIONS, JOURNEYS = range(4)
CALLBACK = CFUNCTYPE(None, c_void_p)


def word(value: str | os.PathLike[str], what: str) -> bytes:
    """A text for a function of C, which would end it at a NUL."""
    data = os.fsencode(value)
    if b"\0" in data:
        raise Error(f"{what}: {value!r} has a NUL character")
    return data


def whole(value: int, least: int, most: int, what: str) -> int:
    """A whole number for a function of C, which would cut its upper digits off."""
    number = operator.index(value)
    if not least <= number <= most:
        raise Error(f"{what} {number}: a whole number from {least} to {most} is expected", 64)
    return number


# pylint: disable=too-few-public-methods
class Options(Structure):
    """struct throng_options"""
    _fields_ = [("size", c_size_t), ("path", c_char_p), ("text", c_char_p),
                ("set", POINTER(c_char_p)), ("set_count", c_int), ("backend", c_char_p),
                ("threads", c_int), ("directory", c_char_p), ("restart", c_char_p),
                ("steps", c_int64), ("max_wall", c_double), ("quiet", c_int),
                ("has_communicator", c_int), ("communicator", c_int), ("replay", c_char_p),
                ("replay_from", c_int64), ("replay_identity", c_uint64)]


class State(Structure):
    """struct throng_state"""
    _fields_ = [("step", c_int64), ("time", c_double), ("dt", c_double), ("agents", c_int64),
                ("created", c_int64), ("arrived", c_int64), ("removed", c_int64),
                ("overlaps", c_int64), ("is_over", c_int), ("rank", c_int), ("ranks", c_int),
                ("origin_x", c_double), ("origin_y", c_double), ("quantum", c_double),
                ("extent", c_double * 4)]


class Column(Structure):
    """struct throng_column"""
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("type", c_char), ("is_writable", c_int),
                ("is_inverted", c_int), ("count", c_int64), ("data", c_void_p)]


class Agent(Structure):
    """struct throng_agent"""
    _fields_ = [("x", c_double), ("y", c_double), ("goal_x", c_double), ("goal_y", c_double),
                ("radius", c_double), ("speed", c_double), ("source", c_int), ("profile", c_int),
                ("destination", c_int), ("journey", c_int)]


def library_path() -> str:
    """Path of libthrong: that in THRONG_LIBRARY, or beside the program: in its folder, in a build,
    or in the lib of its prefix; or where the system looks for libraries."""
    named = os.environ.get("THRONG_LIBRARY")
    if named:
        return named
    name, here = f"libthrong.so.{API}", Path(program()).resolve().parent
    for folder in (here, *sorted(here.parent.glob("lib*")), *sorted(here.parent.glob("lib/*"))):
        if (folder / name).is_file():
            return str(folder / name)
    return name


def prototypes(lib: ctypes.CDLL) -> None:
    """Tells ctypes what the functions take and return."""
    pointer, ids, numbers = c_void_p, POINTER(c_int64), POINTER(c_double)
    for name, result, arguments in (
            ("begin", c_int, [c_int]), ("end", None, []), ("api", c_int, []),
            ("version", c_char_p, []), ("messages", c_char_p, []),
            ("default_options_of", None, [POINTER(Options), c_size_t]),
            ("create", c_int, [POINTER(c_void_p), POINTER(Options)]),
            ("destroy", None, [pointer]), ("advance", c_int, [pointer, c_int64]),
            ("finish", c_int, [pointer]), ("checkpoint", c_int, [pointer]),
            ("get_state", None, [pointer, POINTER(State)]),
            ("checksum", c_int, [pointer, POINTER(c_uint64)]),
            ("name", c_char_p, [pointer, c_int, c_int]),
            ("get_column", c_int, [pointer, c_int, c_char_p, POINTER(Column)]),
            ("add", c_int, [pointer, POINTER(Agent), c_int64, ids]),
            ("remove", c_int, [pointer, ids, c_int64, ids]),
            ("steer", c_int, [pointer, ids, numbers, c_int64, ids]),
            ("send", c_int, [pointer, ids, c_int64, c_int, ids]),
            ("nearest", c_int, [pointer, numbers, c_int64, c_int, c_double, ids, numbers]),
            ("on_preferred", c_int, [pointer, CALLBACK, c_void_p])):
        function = getattr(lib, "throng_" + name)
        function.restype, function.argtypes = result, arguments


class Library:
    """The loaded libthrong. Calls of functions that return a code raise Error. One thread calls:
    that which has loaded it."""

    def __init__(self) -> None:
        self.process, self.thread = os.getpid(), threading.get_ident()
        self.depth, self.told = 0, False  # calls within calls: of the function of a step
        path = library_path()
        try:
            # Not RTLD_GLOBAL: h5py may bring an HDF5 of its own.
            self.lib = ctypes.CDLL(path)
        except OSError as error:
            raise Error(f"{path}: cannot be loaded ({error}); build throng, or set THRONG_LIBRARY "
                        "to the path of libthrong.so") from None
        prototypes(self.lib)
        if self.lib.throng_api() != API:
            raise Error(f"{path}: is of another release than this package")
        self.call("begin", EMBEDDED)

    def call(self, name: str, *arguments: object) -> None:
        """Calls a function that returns a code. Warnings of a call that succeeds are printed."""
        if os.getpid() != self.process:
            raise Error("a simulation is of the process that began it; start others by the method "
                        "spawn of multiprocessing")
        if threading.get_ident() != self.thread:
            raise Error("one thread drives simulations: the one that created the first")
        self.depth += 1
        code = getattr(self.lib, "throng_" + name)(*arguments)
        self.depth -= 1
        said = self.lib.throng_messages().decode("utf-8", "replace").strip()
        told, self.told = self.told, self.depth > 0 and code != 0  # to the caller of the outer call
        if code != 0:
            raise Error(said or f"throng_{name}: exit code {code}", code)
        if said and not told and self.depth == 0:
            print(said, file=sys.stderr)

    def options(self) -> Options:
        """throng_default_options"""
        options = Options()
        self.lib.throng_default_options_of(byref(options), ctypes.sizeof(options))
        return options

    def state(self, handle: c_void_p) -> State:
        """throng_get_state"""
        state = State()
        self.lib.throng_get_state(handle, byref(state))
        return state

    def names(self, handle: c_void_p, of: int) -> list[str]:
        """All names that throng_name has."""
        names: list[str] = []
        while (name := self.lib.throng_name(handle, of, len(names))) is not None:
            names.append(name.decode())
        return names
