#!/usr/bin/python3
"""Pictures and films of a run: walls, and agents coloured by speed.

    tools/plot.py RUN_DIR                     a PNG of the snapshot in the middle of the run
    tools/plot.py RUN_DIR --snapshot last     another snapshot: first, middle, last, or a step
    tools/plot.py RUN_DIR --trails            also the paths of all agents, with axes in m
    tools/plot.py RUN_DIR --movie             an MP4 of all snapshots
    tools/plot.py RUN_DIR --density           the measured density (measure.grid); also with --movie
    tools/plot.py RUN_DIR --lines --areas     curves of lines.csv and areas.csv

If there are too many agents to tell them apart, their density (persons per m^2) is drawn instead.
"""
import argparse
import os
import shutil
import subprocess
import sys
import time

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize, PowerNorm
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path
    from matplotlib.ticker import MaxNLocator
    import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
    from plot_curves import draw_curves
    from throng.errors import Error
    from throng.files import Field, Snapshot, Walls, field_paths, snapshot_paths
    from throng.scene import Scene
except ImportError as missing:
    sys.exit(f"plot.py: {missing}. On Debian and Ubuntu: apt-get install python3-h5py "
             "python3-numpy python3-matplotlib, then run this script with /usr/bin/python3")

GROUND, SOLID, EDGE = "#faf9f6", "#d8d4cc", "#b5afa4"
INK, FAINT = "#2b2f36", "#80858d"
KINDS = {"sea": "#d3e4ec", "water": "#d3e4ec", "locked": "#e7e6dc"}  # solid, but not a building
AROUND = (0.62, 0.95, 0.22, 0.30)  # inches above, right of, left of and below the map
MARGIN = 0.006   # of the picture's side, around the content
DOT_PIXELS = (1.1, 3.0)  # minimum radius of an agent: in a full picture, in an empty one


def truncated(name, low, high):
    """Part of a colormap, without the pale end, which would not show on paper."""
    colors = plt.get_cmap(name)(np.linspace(low, high, 256))
    return LinearSegmentedColormap.from_list(name, colors)


SPEED_COLORS = truncated("plasma", 0.0, 0.86)
DENSITY_COLORS = truncated("magma_r", 0.04, 0.92)


class Picture:
    """A figure: the walls are drawn once, agents and text on top of them for each snapshot."""

    def __init__(self, walls, backdrop, region, pixels, snapshot, scale, trails=None):
        self.region = region
        self.width, self.height = region[1] - region[0]
        self.edge, self.legend = {"linewidths": 0}, []
        self.around = AROUND if trails is None else AROUND[:2] + (0.55, 0.55)
        self.figure, self.axes = self.make_axes(pixels)
        self.draw_ground(walls, backdrop)
        self.scale = scale
        self.draw_texts(snapshot, backdrop)
        if trails is not None:
            self.draw_trails(trails)
            self.draw_metres()
        self.people = self.draw_density() if scale.density else self.draw_dots()
        self.moving = [self.people, self.clock]
        if scale.density:  # smoothed density would cover the walls
            self.moving[1:1] = self.axes.patches
        self.draw_colorbar()
        self.figure.canvas.draw()
        self.background = self.figure.canvas.copy_from_bbox(self.figure.bbox)

    def make_axes(self, pixels):
        """A figure whose longer side has this many pixels, and axes that fill most of it."""
        dpi = min(pixels / 8, max(150, pixels / 12))  # text scales with the picture
        top, right, left, bottom = self.around
        map_side = pixels / dpi - (top + bottom if self.height > self.width else left + right)
        unit = map_side / max(self.width, self.height)
        # An even number of pixels, as H.264 requires.
        size = [2 * round(dpi * inches / 2) / dpi for inches in
                (max(self.width * unit, 4.2) + left + right,
                 max(self.height * unit, 1.2) + top + bottom)]
        figure = plt.figure(figsize=size, dpi=dpi, facecolor="white")
        axes = figure.add_axes([left / size[0], bottom / size[1],
                                1 - (left + right) / size[0], 1 - (top + bottom) / size[1]])
        axes.set_facecolor(GROUND)
        axes.set_aspect("equal")
        axes.set_xlim(self.region[0][0], self.region[1][0])
        axes.set_ylim(self.region[0][1], self.region[1][1])
        axes.set_xticks([])
        axes.set_yticks([])
        for spine in axes.spines.values():
            spine.set_color(EDGE)
            spine.set_linewidth(0.6)
        axes.apply_aspect()
        return figure, axes

    def draw_ground(self, walls, backdrop):
        """Draws solid ground: water in blue, buildings on top of it."""
        for feature in sorted(backdrop.of("obstacle"), key=lambda one: one.kind not in KINDS):
            color = KINDS.get(feature.kind, SOLID)
            self.fill([ring for polygon in feature.polygons for ring in polygon], color,
                      color if feature.kind == "sea" else EDGE, 1)
        lines = LineCollection(walls.open, colors=INK, linewidths=0.8, zorder=1.3)
        self.axes.add_collection(lines)

    def fill(self, rings, color, edge, zorder):
        """Draws closed rings as one shape; rings in the opposite direction are holes."""
        if not rings:
            return
        codes = np.concatenate([ring_codes(len(ring)) for ring in rings])
        path = Path(np.concatenate(rings), codes)
        self.axes.add_patch(PathPatch(path, facecolor=color, edgecolor=edge, linewidth=0.35,
                                      zorder=zorder))

    def draw_dots(self):
        """No agents yet; show() adds them."""
        return self.axes.scatter([], [], s=[], c=[], cmap=SPEED_COLORS, norm=self.scale.norm,
                                 zorder=3, animated=True, **self.edge)

    def draw_density(self):
        """An empty map of the region; show() fills it."""
        (x0, y0), (x1, y1) = self.region
        return self.axes.imshow(np.zeros((2, 2, 4)), origin="lower", extent=(x0, x1, y0, y1),
                                interpolation="bilinear", zorder=0.5, animated=True)

    def draw_texts(self, snapshot, backdrop):
        """Draws title, time, scale bar and attribution."""
        box = self.axes.get_position()
        height = self.figure.get_figheight()
        self.figure.text(box.x0, box.y1 + 0.34 / height, snapshot.name, fontsize=13,
                         fontweight="bold", color=INK, va="baseline")
        self.clock = self.figure.text(box.x0, box.y1 + 0.11 / height, "", fontsize=9.5,
                                      color=FAINT, va="baseline", animated=True)
        below = box.y0 - (self.around[3] - 0.10) / height
        credit = snapshot.attribution or backdrop.attribution
        credit = credit.split(" (http")[0].replace("(c)", "©")
        self.figure.text(box.x1, below, credit, fontsize=6.5, color=FAINT, ha="right")
        if self.around == AROUND:
            self.draw_scale_bar(box, below)

    def draw_trails(self, trails):
        """Draws the paths of all agents, coloured by speed; discs get an edge to stand out."""
        parts, speeds = trails
        self.axes.add_collection(LineCollection(parts, array=speeds, cmap=SPEED_COLORS,
                                                norm=self.scale.norm, linewidths=0.8, zorder=2))
        self.edge = {"linewidths": 0.7, "edgecolors": INK}
        self.legend = ["lines: paths over the whole run"]

    def draw_metres(self):
        """Draws axes instead of the scale bar."""
        for axis, name in ((self.axes.xaxis, "x (m)"), (self.axes.yaxis, "y (m)")):
            axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
            axis.set_label_text(name, fontsize=8.5, color=INK)
        self.axes.tick_params(labelsize=7.5, colors=INK, length=2, width=0.5)

    def draw_scale_bar(self, box, below):
        """Draws a scale bar of a round length, at most a fifth of the map."""
        length = round_down(self.width / 5)
        across = length / self.width * (box.x1 - box.x0)
        y = below + 0.035 / self.figure.get_figheight()
        self.figure.add_artist(plt.Line2D([box.x0, box.x0 + across], [y, y], color=INK,
                                          linewidth=1.6, solid_capstyle="butt"))
        name = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
        self.figure.text(box.x0 + across + 0.08 / self.figure.get_figwidth(), below, name,
                         fontsize=7.5, color=INK)

    def draw_colorbar(self):
        """Draws a narrow colour bar to the right of the map."""
        box = self.axes.get_position()
        width = self.figure.get_figwidth()
        tall = min(box.height, 4.0 / self.figure.get_figheight())
        place = self.figure.add_axes([box.x1 + 0.14 / width, box.y1 - tall, 0.13 / width, tall])
        colors = SPEED_COLORS if not self.scale.density else DENSITY_COLORS
        bar = self.figure.colorbar(plt.cm.ScalarMappable(self.scale.norm, colors), cax=place,
                                   extend="max")
        bar.outline.set_visible(False)
        place.tick_params(labelsize=7.5, colors=INK, length=2, width=0.5)
        if isinstance(self.scale.norm, LogNorm):
            place.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        place.set_ylabel(self.scale.label, fontsize=8.5, color=INK)

    def show(self, snapshot):
        """Draws the agents of a snapshot."""
        self.figure.canvas.restore_region(self.background)
        inside = np.all((snapshot.position >= self.region[0]) &
                        (snapshot.position <= self.region[1]), axis=1)
        if self.scale.density:
            cells = density(snapshot.position[inside], self.region, self.scale.cell)
            colors = DENSITY_COLORS(self.scale.norm(np.maximum(cells, self.scale.norm.vmin)))
            colors[..., 3] = np.clip(cells / self.scale.norm.vmin, 0, 1)  # shows empty ground
            self.people.set_data(colors)
        else:
            self.people.set_offsets(snapshot.position[inside])
            self.people.set_array(snapshot.speed[inside])
            self.people.set_sizes(self.dot_sizes(snapshot.radius[inside]))
        count = f"{snapshot.count:,} people" if snapshot.count != 1 else "1 person"
        parts = [clock_text(snapshot.time), count] + self.legend
        self.clock.set_text("   ·   ".join(parts))
        for artist in self.moving:
            self.figure.draw_artist(artist)

    def dot_sizes(self, radius):
        """Areas (pt^2): to scale, but never too small to be visible."""
        pixels = self.pixels_per_metre()
        count = max(len(radius), 1)
        room = np.sqrt(self.width * self.height * pixels**2 / count)  # mean pixels between dots
        least = np.clip(0.17 * room, *DOT_PIXELS)
        points = np.maximum(radius * pixels, least) * 72 / self.figure.dpi
        return (2 * points) ** 2

    def pixels_per_metre(self):
        """The size of a metre in pixels."""
        return self.axes.get_window_extent().width / self.width

    def image(self):
        """The current picture: rows of RGBA bytes."""
        return np.asarray(self.figure.canvas.buffer_rgba())


class FieldPicture(Picture):
    """The walls and a measured density field, with Fruin's levels of service."""

    def draw_density(self):
        """An empty field; show() fills it."""
        return self.axes.imshow(np.zeros((2, 2, 4)), origin="lower", interpolation="nearest",
                                zorder=0.5, animated=True)

    def show(self, field):  # pylint: disable=arguments-renamed
        """Draws a field."""
        self.figure.canvas.restore_region(self.background)
        rows, columns = field.density.shape
        x, y = field.corner
        self.people.set_extent((x, x + columns * field.cell, y, y + rows * field.cell))
        self.axes.set_xlim(self.region[0][0], self.region[1][0])
        self.axes.set_ylim(self.region[0][1], self.region[1][1])
        colors = DENSITY_COLORS(self.scale.norm(field.density))
        colors[..., 3] = np.clip(field.density / (0.1 * self.scale.limits[0]), 0, 1)
        self.people.set_data(colors)
        self.clock.set_text(f"mean density up to {clock_text(field.time)}")
        for artist in self.moving + list(self.axes.collections):
            self.figure.draw_artist(artist)

    def draw_colorbar(self):
        """Draws persons per m^2, and the levels of service on the bar."""
        super().draw_colorbar()
        bar = self.figure.axes[-1]
        ends = [0, *self.scale.limits, self.scale.norm.vmax]
        bar.set_yticks(ends)
        bar.set_yticklabels([f"{end:.3g}" for end in ends])
        for letter, low, high in zip("ABCDEF", ends, ends[1:]):
            if high > low:
                color = "white" if (low + high) / 2 > 0.5 * self.scale.norm.vmax else INK
                bar.text(0.5, (low + high) / 2, letter, color=color, fontsize=6.5, ha="center",
                         va="center", transform=bar.get_yaxis_transform())


class FieldScale:
    """One colour scale for all fields of a run; a square root spreads Fruin's limits."""

    def __init__(self, fields):
        most = max(float(field.density.max()) for field in fields)
        self.limits = fields[0].limits
        self.density, self.label = True, "persons / m$^2$, and Fruin's level of service"
        self.norm = PowerNorm(0.5, 0, max(most, 1.5 * self.limits[-1]))


class Scale:
    """One colour scale for all pictures of a run."""

    def __init__(self, snapshots, region, pixels, wanted):
        (x0, y0), (x1, y1) = region
        most = max((s.count for s in snapshots), default=0)
        side = pixels / max(x1 - x0, y1 - y0)  # pixels per metre
        shown = (x1 - x0) * (y1 - y0) * side**2
        self.density = wanted == "on" or (wanted == "auto" and
                                          most * np.pi * DOT_PIXELS[0]**2 > 0.4 * shown)
        if self.density:
            each = np.sqrt((x1 - x0) * (y1 - y0) / max(most, 1))  # mean distance between agents, m
            self.cell = max(1.0, 3 / side, min(1.5 * each, 8 / side))
            self.label = "persons / m$^2$"
            self.norm = self.density_norm(snapshots, region)
        else:
            self.label = "speed (m/s)"
            fastest = [np.percentile(s.speed, 99.5) for s in snapshots if s.count]
            self.norm = Normalize(0, np.ceil(4 * max(fastest + [0.5])) / 4)

    def density_norm(self, snapshots, region):
        """Linear; logarithmic if a few crowded places would leave all others blank."""
        cells = [density(s.position, region, self.cell).ravel() for s in snapshots]
        cells = np.concatenate(cells) if cells else np.zeros(1)
        cells = cells[cells > 0.02]
        if not len(cells):
            return Normalize(0.01, 1)
        high, usual = np.percentile(cells, 99.8), np.median(cells)
        if high > 12 * usual:
            return LogNorm(max(high / 300, 0.02), high)
        return Normalize(0.03 * high, 1.2 * high)


def density(position, region, cell):
    """Persons per m^2 on a grid over the region, smoothed over about three cells."""
    (x0, y0), (x1, y1) = region
    shape = [max(int(round((y1 - y0) / cell)), 1), max(int(round((x1 - x0) / cell)), 1)]
    cells = np.histogram2d(position[:, 1], position[:, 0], shape, [[y0, y1], [x0, x1]])[0]
    cells /= (y1 - y0) / shape[0] * (x1 - x0) / shape[1]
    kernel = np.array([1, 4, 6, 4, 1]) / 16
    for _ in (0, 1):  # along one axis, then along the other
        padded = np.pad(cells, ((2, 2), (0, 0)))
        cells = sum(w * padded[i:i + len(cells)] for i, w in enumerate(kernel)).T
    return cells


def ring_codes(count):
    """Path codes of a closed ring."""
    codes = np.full(count, Path.LINETO, Path.code_type)
    codes[0], codes[-1] = Path.MOVETO, Path.CLOSEPOLY
    return codes


def round_down(length):
    """The largest 1, 2 or 5 times a power of ten that is not longer."""
    power = 10.0 ** np.floor(np.log10(length))
    return next(m * power for m in (5, 2, 1) if m * power <= length * 1.0001)


def clock_text(seconds):
    """Time since the start: h:mm:ss from one hour on, else min:s, with tenths if any."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    if hours:
        return f"{hours}:{minutes:02d}:{int(rest):02d} h"
    return f"{minutes}:{rest:04.1f} min" if rest % 1 > 0.05 else f"{minutes}:{int(rest):02d} min"


def seen_region(snapshots, walls, wanted):
    """The region to show, [[x0, y0], [x1, y1]] m: the requested one, or everything."""
    if wanted:
        region = np.array(wanted, float).reshape(2, 2)
        if not np.all(region[0] < region[1]):
            raise Error("--region: X0 Y0 X1 Y1 with X0 < X1 and Y0 < Y1 is expected")
        return region
    points = np.concatenate([walls.points()] + [s.position for s in snapshots])
    if not len(points):
        return np.array([[-10.0, -10.0], [10.0, 10.0]])
    low, high = points.min(axis=0), points.max(axis=0)
    low, high = low - 0.5, high + 0.5
    margin = MARGIN * (high - low).max()
    side = 0.15 * (high - low).max()  # some space above and below a corridor
    spare = np.maximum(side - (high - low), 0) / 2
    return np.array([low - margin - spare, high + margin + spare])


def chosen(paths, which):
    """The path of the selected snapshot: first, middle, last or a step."""
    steps = list(paths)
    places = {"first": 0, "middle": len(steps) // 2, "last": -1}
    if which in places:
        return paths[steps[places[which]]]
    if which.isdigit() and int(which) in paths:
        return paths[int(which)]
    raise Error(f"--snapshot {which}: there is none; choose first, middle, last or one of "
                   f"the steps {', '.join(map(str, steps[:8]))}{', ...' if len(steps) > 8 else ''}")


def trails_of(snapshots):
    """Lines [n][2][2] between consecutive snapshots (m), and mean speeds on them (m/s)."""
    parts, speeds = [np.empty((0, 2, 2))], [np.empty(0)]
    for old, new in zip(snapshots, snapshots[1:]):
        _, i, j = np.intersect1d(old.id, new.id, return_indices=True)
        part = np.stack([old.position[i], new.position[j]], axis=1)
        parts.append(part)
        speeds.append(np.hypot(*(part[:, 1] - part[:, 0]).T) / (new.time - old.time))
    return np.concatenate(parts), np.concatenate(speeds)


def make_picture(options, paths, walls):
    """Makes one PNG."""
    snapshot = Snapshot(chosen(paths, options.snapshot))
    seen, trails = [snapshot], None
    if options.trails:
        seen = [Snapshot(path, ("speed", "radius", "id")) for path in paths.values()]
        trails = trails_of(seen)
    region = seen_region(seen, walls, options.region)
    scale = Scale(seen, region, options.size, "off" if options.trails else options.density)
    backdrop = Scene(options.run)
    picture = Picture(walls, backdrop, region, options.size, snapshot, scale, trails)
    picture.show(snapshot)
    name = os.path.basename(snapshot.path).replace(".vtkhdf", ".png")
    output = options.output or os.path.join(options.run, name)
    plt.imsave(output, picture.image())
    print(output)


def make_movie(options, paths, walls):
    """Makes an MP4 of all snapshots. The walls are drawn once; ffmpeg gets raw frames."""
    if not shutil.which("ffmpeg"):
        raise Error("--movie needs ffmpeg (Debian, Ubuntu: apt-get install ffmpeg)")
    output = options.movie if options.movie is not True else os.path.join(options.run, "movie.mp4")
    every = max(len(paths) // 5, 1)
    samples = [Snapshot(path) for path in list(paths.values())[::every]]
    region = seen_region(samples, walls, options.region)
    scale = Scale(samples, region, options.size, options.density)
    backdrop = Scene(options.run)
    picture = Picture(walls, backdrop, region, options.size, samples[0], scale)
    film(options, picture, Snapshot, paths, output)


def make_field(options, paths, walls):
    """Makes a PNG or a film of the measured density."""
    fields = field_paths(options.run)
    snapshot = Snapshot(next(iter(paths.values())))
    every = max(len(fields) // 20, 1) if options.movie else 1
    path = chosen(fields, options.snapshot)
    samples = [Field(p) for p in (list(fields.values())[::every] if options.movie else [path])]
    some = list(paths.values())[::max(len(paths) // 5, 1)]
    region = seen_region([Snapshot(p) for p in some], walls, options.region)
    picture = FieldPicture(walls, Scene(options.run), region, options.size,
                           snapshot, FieldScale(samples))
    if options.movie:
        output = options.movie if options.movie is not True else os.path.join(options.run,
                                                                              "density.mp4")
        film(options, picture, Field, fields, output)
        return
    picture.show(samples[0])
    output = options.output or path.replace(".vtkhdf", ".png")
    plt.imsave(output, picture.image())
    print(output)


def film(options, picture, load, paths, output):
    """Encodes one frame per file, and prints the path of the film."""
    if not shutil.which("ffmpeg"):
        raise Error("--movie needs ffmpeg (Debian, Ubuntu: apt-get install ffmpeg)")
    encoder = start_encoder(picture.image().shape, options.fps, output)
    start = time.monotonic()
    try:
        for i, path in enumerate(paths.values()):
            picture.show(load(path))
            encoder.stdin.write(picture.image().tobytes())
            progress(i + 1, len(paths), time.monotonic() - start)
        encoder.stdin.close()
    except BrokenPipeError:
        pass
    errors = encoder.stderr.read().decode("utf-8", "replace")
    if encoder.wait() != 0:
        raise Error(f"{output}: ffmpeg: {' '.join(errors.split())[:200]}")
    print(output)


def start_encoder(shape, fps, output):
    """Starts ffmpeg with raw frames as its input; writes H.264 that every player supports."""
    return subprocess.Popen(
        ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba",
         "-s", f"{shape[1]}x{shape[0]}", "-r", str(fps), "-i", "-", "-c:v", "libx264",
         "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
         output], stdin=subprocess.PIPE, stderr=subprocess.PIPE)


def progress(done, total, seconds):
    """Prints one line that overwrites itself; only on a terminal."""
    if sys.stderr.isatty():
        left = seconds / done * (total - done)
        print(f"\rframe {done} of {total}, {left:.0f} s left ", end="\n" if done == total else "",
              file=sys.stderr, flush=True)


def about():
    """The docstring, with the name by which this tool was called: throng-plot when installed."""
    return __doc__.replace("tools/plot.py", os.path.basename(sys.argv[0]))


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=about(),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN_DIR", help="output directory of a run")
    parser.add_argument("--snapshot", default="middle", metavar="STEP|first|middle|last")
    parser.add_argument("--output", metavar="FILE.png", help="default: next to the snapshot")
    parser.add_argument("--movie", nargs="?", const=True, metavar="FILE.mp4",
                        help="a film of all snapshots; default RUN_DIR/movie.mp4")
    parser.add_argument("--trails", action="store_true",
                        help="also draw the paths of all agents")
    parser.add_argument("--fps", type=float, default=20, help="frames per second (20)")
    parser.add_argument("--size", type=int, default=1800, metavar="PIXELS",
                        help="longer side of the picture (1800)")
    parser.add_argument("--density", nargs="?", const="field", default="auto",
                        choices=("auto", "on", "off", "field"),
                        help="without a value: the measured density; on, off: draw persons/m^2 "
                        "instead of agents; auto: only if agents would hide each other")
    parser.add_argument("--lines", action="store_true",
                        help="curves of crossings of the lines (lines.csv)")
    parser.add_argument("--areas", action="store_true",
                        help="curves of density and speed in the areas (areas.csv)")
    parser.add_argument("--region", nargs=4, type=float, metavar=("X0", "Y0", "X1", "Y1"),
                        help="show only this part; m, the scenario's coordinates")
    options = parser.parse_args()
    if options.trails and (options.movie or options.density in ("on", "field")):
        parser.error("--trails cannot be combined with --movie, --density or --density on")
    if not 400 <= options.size <= 8000:
        parser.error("--size: 400 to 8000 pixels are expected")
    if not 0 < options.fps <= 240:
        parser.error("--fps: a value above 0 and at most 240 is expected")
    return options


def main():
    """Draws what was requested; reports an error that the user can correct in one line."""
    options = arguments()
    try:
        if options.lines or options.areas:
            print(draw_curves(options.run, options.lines, options.areas, options.output))
            return 0
        paths = snapshot_paths(options.run)
        walls = Walls(options.run)
        make = (make_field if options.density == "field"
                else make_movie if options.movie else make_picture)
        make(options, paths, walls)
    except (Error, OSError) as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
