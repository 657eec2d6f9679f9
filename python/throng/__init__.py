"""Reads, starts and exports runs of the crowd simulator throng.

    run = throng.open("runs/hall")                      the files of a run
    run = throng.run("hall.yaml", set={"time.end": 60})     runs the program
    table = throng.sweep("hall.yaml", over={"sources.0.count": [100, 200]}, output="sweeps/hall")
    with throng.Simulation("hall.yaml") as sim: sim.step(10)      drives one, by libthrong

Coordinates are the scenario's own, in m. Tables are dicts of numpy arrays, one for each column.
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

from throng.errors import Error
from throng.program import run
from throng.sweeps import Sweep, sweep

if TYPE_CHECKING:
    from throng.results import Run
    from throng.simulation import Simulation

__all__ = ["Error", "Run", "Simulation", "Sweep", "__version__", "open", "run", "sweep"]
__version__ = "0.2.0"


def open(folder: str | os.PathLike[str]) -> Run:  # pylint: disable=redefined-builtin
    """The run in this output directory; it may still be going on. Raises Error if it is no run."""
    from throng.results import Run  # h5py and numpy are loaded only where they are needed
    return Run(folder)


def __getattr__(name: str) -> object:
    """throng.Run and throng.Simulation: load numpy and h5py, or libthrong, when asked for."""
    if name == "Run":
        from throng.results import Run
        return Run
    if name == "Simulation":
        from throng.simulation import Simulation
        return Simulation
    raise AttributeError(f"module 'throng' has no attribute '{name}'")
