"""Films: the map is drawn once, the people or cells on it for each frame; ffmpeg encodes."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from throng.errors import INPUT_OUTPUT, Error
from throng.files import Field, Snapshot, field_paths, snapshot_paths
from throng.pictures.cells import moment_text, service
from throng.pictures.people import PLACEHOLDER, Crowd, PeopleMap
from throng.pictures.sheet import Layout, Sheet, View
from throng.results import Run
from throng.whole_file import whole_file


class Film:
    """A finished sheet, of which only one artist changes, with what lies above it."""

    def __init__(self, sheet: Sheet, changing) -> None:
        axes = sheet.axes
        above = [*axes.images, *axes.collections, *axes.patches, *axes.lines, *axes.texts]
        self.moving = sorted((one for one in above if one.zorder >= changing.zorder),
                             key=lambda one: one.zorder) + [sheet.clock]
        for one in self.moving:
            one.set_animated(True)
        self.canvas = sheet.figure.canvas
        self.canvas.draw()
        self.ground = self.canvas.copy_from_bbox(sheet.figure.bbox)

    def frame(self) -> np.ndarray:
        """The current picture: rows of RGBA bytes."""
        self.canvas.restore_region(self.ground)
        for one in self.moving:
            one.axes.draw_artist(one)
        return np.asarray(self.canvas.buffer_rgba())


def film_people(run: Run, view: View, output: str, fps: float, density: str = "auto") -> None:
    """A film of all snapshots."""
    paths, scene = list(snapshot_paths(run.folder).values()), run.scene
    samples = [Snapshot(path) for path in paths[::max(len(paths) // 5, 1)]]
    layout = Layout(scene, view, [PLACEHOLDER])
    crowd = Crowd(samples, layout, view, density)
    sheet = Sheet(scene, run.folder, view, " ", [crowd.legend()])
    people = PeopleMap(sheet, crowd)
    people.show(samples[0])
    sheet.finish()
    encode(Film(sheet, people.artist), lambda path: people.show(Snapshot(path)), paths, output,
           fps)


def film_density(run: Run, view: View, output: str, fps: float, levels: str = "fruin") -> None:
    """A film of the mean densities of all intervals."""
    paths = list(field_paths(run.folder).values())

    def cells_of(path: str):
        field = Field(path)
        return service(field.density, field, levels, moment_text(field))

    first = cells_of(paths[0])
    sheet = Sheet(run.scene, run.folder, view, first.subtitle, [first.legend])
    sheet.show_cells(first.corner, first.cell, first.rgba())
    sheet.finish()

    def show(path: str) -> None:
        cells = cells_of(path)
        sheet.axes.images[0].set_data(cells.rgba())
        sheet.clock.set_text(cells.subtitle)

    encode(Film(sheet, sheet.axes.images[0]), show, paths, output, fps)


def encode(film: Film, show: Callable[[str], None], paths: list[str], output: str, fps: float
           ) -> None:
    """Encodes one frame per file."""
    if not shutil.which("ffmpeg"):
        raise Error("--movie needs ffmpeg (Debian, Ubuntu: apt-get install ffmpeg)")
    if not 0 < fps <= 240:
        raise Error("--fps: a value above 0 and at most 240 is expected")
    with whole_file(output) as begun:
        encoder = start_encoder(film.frame().shape, fps, begun)
        start = time.monotonic()
        try:
            for i, path in enumerate(paths):
                show(path)
                encoder.stdin.write(film.frame().tobytes())
                progress(i + 1, len(paths), time.monotonic() - start)
            encoder.stdin.close()
        except BrokenPipeError:
            pass
        errors = encoder.stderr.read().decode("utf-8", "replace")
        if encoder.wait() != 0:
            raise Error(f"{os.fspath(output)}: ffmpeg: {' '.join(errors.split())[:200]}",
                        INPUT_OUTPUT)


H264 = ["-c:v", "libx264", "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p",
        "-movflags", "+faststart"]  # what every player supports
GIF = ["-vf", "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none"]


def start_encoder(shape: tuple[int, ...], fps: float, output: str):
    """Starts ffmpeg with raw frames as its input; the name decides between MP4 and GIF."""
    coded = GIF if os.fspath(output).lower().endswith(".gif") else H264
    return subprocess.Popen(
        ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba",
         "-s", f"{shape[1]}x{shape[0]}", "-r", str(fps), "-i", "-", *coded, output],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE)


def progress(done: int, total: int, seconds: float) -> None:
    """Prints one line that overwrites itself; only on a terminal."""
    if sys.stderr.isatty():
        left = seconds / done * (total - done)
        print(f"\rframe {done} of {total}, {left:.0f} s left ", end="\n" if done == total else "",
              file=sys.stderr, flush=True)
