"""A simulation that Python advances, reads and changes: libthrong."""
from __future__ import annotations

import atexit
import ctypes
import os
import sys
import traceback
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from throng import native
from throng.errors import Error
from throng.native import Library, whole, word
from throng.program import option_text

NUMBERS = {b"f": np.float32, b"i": np.int32, b"l": np.int64}
LIBRARY: list[Library] = []  # one, once it is loaded
CLOSED = "the simulation is closed"
THREADS_MAX, STEPS_MAX, NEIGHBOURS_MAX = 1024, 2**63 - 1, 32


def library() -> Library:
    """libthrong; starts MPI when it is first asked for."""
    if not LIBRARY:
        LIBRARY.append(Library())
        atexit.register(end)
    return LIBRARY[0]


class Handle:
    """A struct throng. Every view of its columns holds it, so that the memory stays.

    All ranks destroy theirs together. One rank does so when nobody holds it any more; several when
    the simulation is closed, or at the end of the program, in the order in which they were created.
    """

    open: list[weakref.ref[Handle]] = []  # in the order of creation
    shared: list[Handle] = []  # those of several ranks, which nothing else may end

    def __init__(self, options: native.Options) -> None:
        self.pointer = ctypes.c_void_p()
        library().call("create", ctypes.byref(self.pointer), ctypes.byref(options))
        Handle.open.append(weakref.ref(self))
        self.ranks: int = self.state().ranks
        if self.ranks > 1:
            Handle.shared.append(self)

    def state(self) -> native.State:
        """throng_get_state"""
        return library().state(self.given())

    def given(self) -> ctypes.c_void_p:
        """For a call. Raises Error if the simulation is closed."""
        if not self.pointer:
            raise Error(CLOSED)
        return self.pointer

    def destroy(self) -> None:
        """Frees it, on all ranks."""
        if self.pointer and os.getpid() == library().process:
            library().lib.throng_destroy(self.pointer)
        self.pointer = ctypes.c_void_p()
        Handle.open[:] = [one for one in Handle.open if one() not in (None, self)]
        Handle.shared[:] = [one for one in Handle.shared if one is not self]

    def __del__(self) -> None:
        self.destroy()


def end() -> None:
    """Before MPI ends."""
    for one in list(Handle.open):
        handle = one()
        if handle:
            handle.destroy()
    if os.getpid() == library().process:
        library().lib.throng_end()


def abort(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """An error on one rank of several ends all: the others would wait for it for ever."""
    traceback.print_exception(kind, error, trace)
    sys.stderr.flush()
    os._exit(1)


def excepthook(kind: type[BaseException], error: BaseException,
               trace: TracebackType | None) -> None:
    """In place of sys.excepthook."""
    if Handle.shared:
        abort(kind, error, trace)
    sys.__excepthook__(kind, error, trace)


def ids_of(ids: Any) -> np.ndarray:
    """Ids as the library takes them: a list of integers of any shape."""
    array = np.asarray(ids)
    if array.dtype == bool:
        raise Error('ids are expected, not a mask; take sim.agents["id"][mask]')
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise Error(f"ids are integers, not {array.dtype}")
    return np.ascontiguousarray(array.ravel(), dtype=np.int64)


def points_of(points: Any) -> np.ndarray:
    """Points as the library takes them: [n, 2], or one pair."""
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.size == 0:
        return array.reshape(0, 2)
    if array.shape == (2,):
        return array.reshape(1, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise Error(f"points are an array [n, 2], not {list(array.shape)}")
    return array


def pointer_to(array: np.ndarray) -> Any:
    """To the numbers of an array."""
    kind: Any = ctypes.c_int64 if array.dtype == np.int64 else ctypes.c_double
    return array.ctypes.data_as(ctypes.POINTER(kind))


class Agents(Mapping[str, np.ndarray]):
    """The agents of this rank as columns: `agents["speed"]` is the memory of the simulation.

    Writing to a column changes the simulation; what makes no sense is refused by the next step. A
    view means nothing any more after a step: ask again. x, y, goal_x and goal_y are in m, in the
    scenario's coordinates, and as `column` gives them, in quanta of `Simulation.quantum` m, in
    memory. Those and the indices of destinations and the like are copies that cannot be written;
    see Simulation.move, steer and send.
    """
    # pylint: disable=unsupported-assignment-operation

    LENGTHS = ("x", "y", "goal_x", "goal_y")

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def _column(self, index: int, name: str) -> native.Column:
        column = native.Column()
        library().call("get_column", self._handle.given(), index, word(name, "column"),
                       ctypes.byref(column))
        return column

    def column(self, name: str) -> np.ndarray:
        """The memory of a column, whatever its unit."""
        found = self._column(-1, name)
        kind = np.dtype(NUMBERS[found.type])
        if found.count == 0:
            return np.empty(0, kind)
        memory = (ctypes.c_char * (found.count * kind.itemsize)).from_address(found.data)
        memory.handle = self._handle  # lives as long as a view does
        view = np.frombuffer(memory, kind)
        view.flags.writeable = bool(found.is_writable)
        return view

    def __getitem__(self, name: str) -> np.ndarray:
        found = self._found(name)
        view = self.column(name)
        if name in self.LENGTHS:
            state = self._handle.state()
            origin = state.origin_x if name.endswith("x") else state.origin_y
            view = origin + state.quantum * view
        elif found.is_inverted:
            view = ~view
        else:
            return view
        view.flags.writeable = False
        return view

    def __setitem__(self, name: str, values: Any) -> None:
        """agents["speed"] = 1.2, and agents["speed"] *= 0.5: into the memory of the simulation."""
        found = self._found(name)
        if name in self.LENGTHS or not found.is_writable:
            raise Error(f"{name} cannot be written; see Simulation.move, steer and send")
        view = self.column(name)
        if values is not view:  # nothing is written where one of them is no number
            view[:] = np.asarray(values, view.dtype)

    def _found(self, name: str) -> native.Column:
        self._handle.given()
        try:
            return self._column(-1, name)
        except Error as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        self._handle.given()
        index = 0
        while True:
            try:
                yield self._column(index, "").name.decode()
            except Error:
                return
            index += 1

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Simulation:  # pylint: disable=too-many-public-methods
    """A scenario that Python advances step by step.

        with throng.Simulation("hall.yaml") as sim:
            while not sim.over:
                sim.step(10)
                print(sim.time, sim.inside)

    Driven in steps of any number, without changes, it ends with the checksum of `throng run`, on
    any number of ranks. Under mpirun all ranks make the same calls with the same arguments; each
    sees its own agents in `agents`. With mpi4py, `comm` is a communicator; by default all ranks.
    """

    # pylint: disable=redefined-builtin,too-many-arguments
    def __init__(self, config: str | os.PathLike[str] = "text", *,
                 text: str | None = None, set: Mapping[str, object] | None = None,
                 output: str | os.PathLike[str] | None = None,
                 restart: str | os.PathLike[str] | None = None, steps: int | None = None,
                 threads: int = 0, backend: str = "auto", comm: Any = None) -> None:
        """Reads a scenario, and makes its first agents.

        text: YAML instead of the file's; files that it names are found from the folder of
        `config`. set: options of the scenario, as {"time.end": 60}. output: directory of the files
        that the scenario asks for, which `finish` completes; none are written without it. restart:
        a checkpoint, or "auto". steps: in all, instead of time.end. threads: 0: the rank's share
        of the cores. backend: as --backend. Raises Error with the messages of throng.
        """
        options = library().options()
        words = [word(f"{key}={option_text(value)}", "set") for key, value in (set or {}).items()]
        options.path = word(config, "config")
        options.text = None if text is None else word(text, "text")
        options.set, options.set_count = (ctypes.c_char_p * len(words))(*words), len(words)
        options.backend, options.quiet = word(backend, "backend"), 1
        options.threads = whole(threads, 0, THREADS_MAX, "threads")
        options.directory = None if output is None else word(output, "output")
        options.restart = None if restart is None else word(restart, "restart")
        options.steps = -1 if steps is None else whole(steps, 0, STEPS_MAX, "steps")
        if comm is not None:
            options.has_communicator, options.communicator = 1, comm.py2f()
        self._handle = Handle(options)
        if self._handle.ranks > 1:
            sys.excepthook = excepthook
        self._called: object = None  # by every step
        self._raised: BaseException | None = None  # in it
        self._within = False  # it
        self.agents = Agents(self._handle)

    def _call(self, name: str, *arguments: object) -> None:
        library().call(name, self._handle.given(), *arguments)

    def _state(self) -> native.State:
        return self._handle.state()

    # ------------------------------------------------------------------------------- steps

    def step(self, count: int = 1) -> int:
        """Advances by `count` steps, or to the end. Returns the number of steps made."""
        whole(count, 0, STEPS_MAX, "step")
        before = self._state().step
        at_once = 1 if self._called else count
        for _ in range(0, count, max(1, at_once)):
            self._call("advance", at_once)
            if self._raised:
                raised, self._raised = self._raised, None
                raise raised
            if self.over:
                break
        return self._state().step - before

    def run(self) -> None:
        """To the end of the scenario; then `finish`."""
        while not self.over:
            self.step(10)
        self.finish()

    def finish(self) -> None:
        """Completes the files of `output`: the last ones and summary.json."""
        self._call("finish")

    def checkpoint(self) -> None:
        """Writes a checkpoint of the present state into `output`."""
        self._call("checkpoint")

    def close(self) -> None:
        """Frees the simulation. On several ranks, call it on all of them, and use no view of a
        column after it; on one rank the memory stays until nobody holds a view."""
        if self._within:
            raise Error("the function of a step cannot close its simulation")
        handle, self._handle = self._handle, CLOSED_HANDLE
        self.agents = Agents(self._handle)
        self._called = None
        if handle.ranks > 1:
            handle.destroy()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if kind and error and self._handle.ranks > 1:
            abort(kind, error, trace)
        self.close()

    # ------------------------------------------------------------------------------- state

    @property
    def steps(self) -> int:
        """Steps made."""
        return self._state().step

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._state().time

    @property
    def dt(self) -> float:
        """Length of a step, s."""
        return self._state().dt

    @property
    def over(self) -> bool:
        """The time is over, or nobody is inside and nobody will enter."""
        return bool(self._state().is_over)

    @property
    def inside(self) -> int:
        """Agents inside, on all ranks."""
        return self._state().agents

    @property
    def arrived(self) -> int:
        """Agents that have left at their destination, on all ranks."""
        return self._state().arrived

    @property
    def removed(self) -> int:
        """Agents that `remove` has removed, on all ranks."""
        return self._state().removed

    @property
    def overlaps(self) -> int:
        """Pairs of agents that overlapped in the last step."""
        return self._state().overlaps

    @property
    def rank(self) -> int:
        """This rank, of `ranks`."""
        return self._state().rank

    @property
    def ranks(self) -> int:
        """Ranks that hold the simulation."""
        return self._state().ranks

    @property
    def quantum(self) -> float:
        """m: the unit of positions in memory (Agents.column)."""
        return self._state().quantum

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The world: x0, y0, x1, y1, m."""
        x0, y0, x1, y1 = self._state().extent
        return x0, y0, x1, y1

    @property
    def checksum(self) -> str:
        """Of the state, as in summary.json. On all ranks."""
        value = ctypes.c_uint64()
        self._call("checksum", ctypes.byref(value))
        return f"{value.value:016x}"

    @property
    def positions(self) -> np.ndarray:
        """x and y of this rank's agents, m: [n, 2], a copy."""
        return np.column_stack((self.agents["x"], self.agents["y"]))

    # ----------------------------------------------------------------------------- changes

    def _number(self, of: int, name: str | None, word: str) -> int:
        if name is None:
            return -1
        names = library().names(self._handle.given(), of)
        if name not in names:
            raise Error(f"{name}: there is no such {word}; there are: {', '.join(names) or 'none'}")
        return names.index(name)

    # pylint: disable=too-many-arguments
    def add(self, points: Any, *, source: str | None = None, profile: str | None = None,
            destination: str | None = None, journey: str | None = None, goals: Any = None,
            radius: float | Sequence[float] | np.ndarray | None = None,
            speed: float | Sequence[float] | np.ndarray | None = None) -> np.ndarray:
        """Adds an agent at each of points[n, 2], m. Returns their ids.

        source: they get what agents of that source get. Otherwise a profile (by default the first)
        and a destination, a journey, or goals[n, 2] to which they walk straight; or they stay.
        radius, speed: m, m/s; by default drawn by the profile.
        """
        at = points_of(points)
        ways = [one is not None for one in (source, destination, journey, goals)]
        if sum(ways) > 1 or (source is not None and profile is not None):
            raise Error("either a source, or a profile and one of a destination, a journey and "
                        "goals are expected")
        to = np.full_like(at, np.nan) if goals is None else points_of(goals)
        if len(to) != len(at):
            raise Error(f"{len(at)} points need as many goals, not {len(to)}")
        numbers = [self._number(of, name, word) for of, name, word in (
            (native.SOURCES, source, "source"), (native.PROFILES, profile, "profile"),
            (native.DESTINATIONS, destination, "destination"),
            (native.JOURNEYS, journey, "journey"))]
        radii, speeds = (np.broadcast_to(np.nan if value is None else value, len(at))
                         for value in (radius, speed))
        agents = (native.Agent * len(at))(*(
            native.Agent(*at[k], *to[k], radii[k], speeds[k], *numbers) for k in range(len(at))))
        first = ctypes.c_int64()
        self._call("add", agents, len(at), ctypes.byref(first))
        return first.value + np.arange(len(at))

    def _found(self, name: str, ids: np.ndarray, *arguments: object) -> int:
        found = ctypes.c_int64()
        self._call(name, pointer_to(ids), *arguments, ctypes.byref(found))
        return found.value

    def move(self, ids: Any, points: Any) -> int:
        """Puts agents at points[n, 2], m. All of them, or none: a point outside the world is
        refused. The next step refuses points in a wall. Returns how many of them are this rank's.
        """
        chosen, to = ids_of(ids), points_of(points)
        if len(to) != len(chosen):
            raise Error(f"{len(chosen)} ids need as many points, not {len(to)}")
        state, place = self._state(), {one: k for k, one in enumerate(chosen.tolist())}
        outside = np.flatnonzero(~np.all((to >= state.extent[:2]) & (to <= state.extent[2:]), 1))
        if len(outside):
            x, y = to[outside[0]]
            raise Error(f"agent {chosen[outside[0]]}: ({x:g}, {y:g}) lies outside the world", 64)
        quanta = np.rint((to - (state.origin_x, state.origin_y)) / state.quantum).astype(np.int32)
        own = [(i, place[one]) for i, one in enumerate(self.agents["id"].tolist()) if one in place]
        for axis, name in enumerate(("x", "y")):
            self.agents.column(name)[[i for i, _ in own]] = quanta[[k for _, k in own], axis]
        return len(own)

    def remove(self, ids: Any) -> int:
        """Removes agents. Returns how many of them were inside."""
        chosen = ids_of(ids)
        return self._found("remove", chosen, len(chosen))

    def steer(self, ids: Any, goals: Any) -> int:
        """Sends agents straight to goals[n, 2], m: they leave their journey or queue. Who arrives
        does what goal.on_arrival says. Returns how many of them were inside."""
        chosen, to = ids_of(ids), points_of(goals)
        if len(to) != len(chosen):
            raise Error(f"{len(chosen)} ids need as many goals, not {len(to)}")
        return self._found("steer", chosen, pointer_to(to), len(chosen))

    def send(self, ids: Any, destination: str) -> int:
        """Sends agents along the routes to a destination. Returns how many of them were inside."""
        chosen = ids_of(ids)
        return self._found("send", chosen, len(chosen),
                           self._number(native.DESTINATIONS, destination, "destination"))

    def nearest(self, points: Any, k: int = 1,
                within: float = 1e6) -> tuple[np.ndarray, np.ndarray]:
        """The ids of the k (at most 32) nearest agents to each of points[n, 2] and their distances,
        m: two arrays [n, k]; -1 and inf where there are fewer within that range, m."""
        at = points_of(points)
        whole(k, 1, NEIGHBOURS_MAX, "k")
        ids, distances = np.empty((len(at), k), np.int64), np.empty((len(at), k))
        self._call("nearest", pointer_to(at), len(at), k, within, pointer_to(ids),
                   pointer_to(distances))
        return ids, distances

    def each_step(self, function: Callable[[Simulation], None] | None) -> None:
        """Calls function(simulation) in every step when agents["prefer_x"] and ["prefer_y"], m/s,
        hold the velocities at which the agents of this rank would like to walk. It may change them;
        collision avoidance follows. An exception that it raises is raised by `step`;
        of several ranks, it ends all."""
        def call(_: object) -> None:
            assert function
            self._within = True
            try:
                function(self)
            except BaseException as error:  # pylint: disable=broad-exception-caught
                self._raised = error
                if self._handle.ranks > 1:
                    abort(type(error), error, error.__traceback__)
            self._within = False

        callback = native.CALLBACK(call) if function else native.CALLBACK(0)
        self._call("on_preferred", callback, None)
        self._called = callback if function else None


class Closed(Handle):
    """In place of the handle of a simulation that was closed."""

    def __init__(self) -> None:  # pylint: disable=super-init-not-called
        self.pointer, self.ranks = ctypes.c_void_p(), 1

    def __del__(self) -> None:
        pass


CLOSED_HANDLE = Closed()
