"""Reads the output of a run: snapshots, density files, walls, and the map of the walls."""
import functools
import json
import math
import os
import re

import h5py
import numpy as np


class RunError(Exception):
    """An error in the files that the user can correct; reported in one line."""


class Snapshot:
    """One snapshot: positions [N][2] in metres from the origin, and the requested fields."""

    def __init__(self, path, fields=("speed", "radius")):
        try:
            with h5py.File(path, "r") as file:
                self.read(file, fields)
        except (OSError, KeyError, RuntimeError, ValueError) as error:
            raise RunError(f"{path}: not a snapshot, or damaged ({one_line(error)})") from None
        self.path = path

    def read(self, file, fields):
        """Fills this object from an open file."""
        about = file["throng"].attrs
        self.step, self.time = int(about["step"]), float(about["time"])
        self.origin = np.array(about["origin"])
        self.scenario = text(file["throng/scenario"][0])
        self.name = text(about.get("name", b"")) or scenario_value(self.scenario, "name")
        self.attribution = text(about.get("attribution", b""))
        self.position = file["VTKHDF/Points"][:, :2].astype(float)
        self.count = len(self.position)
        for field in fields:
            if field not in file["VTKHDF/PointData"]:
                raise ValueError(f"it has no {field}: see output.fields")
            setattr(self, field, file["VTKHDF/PointData/" + field][:])


class Field:
    """One density file: density [rows][columns] in persons/m^2, mean over an interval."""

    def __init__(self, path):
        try:
            with h5py.File(path, "r") as file:
                about, image = file["throng"].attrs, file["VTKHDF"]
                self.step, self.time = int(about["step"]), float(about["time"])
                self.cell, self.limits = float(about["cell"]), np.array(about["fruin_limits"])
                self.corner = np.array(image.attrs["Origin"][:2])
                self.density = image["CellData/density"][0]
                self.speed = image["CellData/speed"][0]
        except (OSError, KeyError, RuntimeError, ValueError) as error:
            raise RunError(f"{path}: not a density file, or damaged "
                           f"({one_line(error)})") from None
        self.path = path


def text(value):
    """A string attribute of HDF5, as str; h5py may return bytes."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def one_line(error):
    """The message of an exception in one line, shortened."""
    return " ".join(str(error).split())[:160]


def numbered_paths(folder, word):
    """{step: path} of the complete files WORD-STEP.vtkhdf of a run, in order of time."""
    if not os.path.isdir(folder):
        raise RunError(f"{folder}: no such directory; give the output directory of a run")
    steps = {}
    for name in os.listdir(folder):
        match = re.fullmatch(word + r"-(\d+)\.vtkhdf", name)
        if match:
            steps[int(match[1])] = os.path.join(folder, name)
    return dict(sorted(steps.items()))


def snapshot_paths(folder):
    """{step: path} of the snapshots of a run."""
    steps = numbered_paths(folder, "snapshot")
    if not steps:
        raise RunError(f"{folder}: no snapshots (snapshot-*.vtkhdf); is this the output directory "
                       "of a run?")
    return steps


def field_paths(folder):
    """{step: path} of the density files of a run."""
    steps = numbered_paths(folder, "density")
    if not steps:
        raise RunError(f"{folder}: no density files (density-*.vtkhdf); set measure.grid.every "
                       "in the scenario")
    return steps


def scenario_value(scenario, key):
    """The value in the first line `key: value` of a scenario, at any depth; '' if there is none."""
    match = re.search(rf"(?m)^[ \t]*{re.escape(key)}:[ \t]*([^\n#]*)", scenario)
    return match[1].strip().strip("'\"") if match else ""


class Walls:
    """The walls of a run: closed and open lines of points [n][2] in metres from the origin."""

    def __init__(self, folder):
        self.closed, self.open = [], []
        path = os.path.join(folder, "walls.vtkhdf")
        if not os.path.exists(path):
            return
        try:
            with h5py.File(path, "r") as file:
                points = file["VTKHDF/Points"][:, :2]
                ids = file["VTKHDF/Lines/Connectivity"][:]
                ends = file["VTKHDF/Lines/Offsets"][:]
        except (OSError, KeyError, RuntimeError, ValueError) as error:
            raise RunError(f"{path}: damaged ({one_line(error)})") from None
        for begin, end in zip(ends[:-1], ends[1:]):
            line = points[ids[begin:end]]
            is_closed = end - begin > 3 and ids[begin] == ids[end - 1]
            (self.closed if is_closed else self.open).append(line)

    def points(self):
        """All corners [n][2]."""
        lines = self.closed + self.open
        return np.concatenate(lines) if lines else np.empty((0, 2))

    def outside_is_solid(self):
        """Whether agents walk inside the outlines, so that the largest one runs clockwise."""
        areas = [area(line) for line in self.closed]
        return bool(areas) and max(areas, key=abs) < 0


def area(line):
    """Signed area of a closed line: positive if it runs counter-clockwise."""
    x, y = (line - line[0]).T
    return 0.5 * float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


AREA = object()  # marks named areas: they are not solid, but part of the extent


class Map:
    """The GeoJSON file of a run's walls: shows which solid ground is water, for the colours.

    The output does not contain the file, so it may be missing, changed or moved. It is used only if
    its corners are found among the walls.
    """

    def __init__(self):
        self.shapes, self.attribution = [], ""  # shapes: (kind, [rings])

    @staticmethod
    def find(snapshot, walls, given=None):
        """The map of a snapshot's scenario, or an empty map."""
        name = given or scenario_value(snapshot.scenario, "geometry")
        root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
        for folder in ("", "configs", os.path.join(root, "configs")):
            path = os.path.join(folder, name)
            if name.endswith("json") and os.path.isfile(path):
                found = Map()
                if found.load(path, snapshot, walls):
                    return found
        if given:
            raise RunError(f"{given}: not the map of this run (no GeoJSON, or other walls)")
        return Map()

    def load(self, path, snapshot, walls):
        """Reads the file; False if it is not the map of these walls."""
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            shapes = [(AREA if f["properties"].get("throng") in ("area", "destination")
                       else f["properties"].get("kind", ""), ring_lists(f["geometry"]))
                      for f in data["features"] if f.get("geometry")]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False
        shapes = [(kind, rings) for kind, many in shapes for rings in many]
        if not shapes:
            return False
        corners = np.concatenate([ring for _, rings in shapes for ring in rings])
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        project = projection(middle, snapshot.origin)
        if data.get("throng:projection") == "metres":
            project = functools.partial(np.add, -snapshot.origin)
        if not alike(project(corners), walls.points()):
            return False
        self.shapes = [(kind, [project(ring) for ring in rings])
                       for kind, rings in shapes if kind != AREA]
        self.attribution = text(data.get("attribution", ""))
        return True


def ring_lists(geometry):
    """[[ring, hole, ...], ...] of a polygon or multipolygon; empty for other geometries."""
    kind, coordinates = geometry["type"], geometry.get("coordinates", [])
    polygons = {"Polygon": [coordinates], "MultiPolygon": coordinates}.get(kind, [])
    return [[np.array(ring, float)[:, :2] for ring in polygon] for polygon in polygons]


def projection(middle, origin):
    """Projects longitude and latitude to metres around the middle, on WGS84, as throng does."""
    a, e2 = 6378137.0, 0.0066943799901413165
    latitude = math.radians(middle[1])
    w = math.sqrt(1 - e2 * math.sin(latitude) ** 2)
    scale = np.radians([a / w * math.cos(latitude), a * (1 - e2) / w**3])
    return lambda ring: (ring - middle) * scale - origin


def alike(corners, others):
    """Are the walls' corners among these, within 10 cm? Clipping and merging remove some."""
    def cells(points):
        return set(map(tuple, np.round(points * 10).astype(np.int64)))

    if not len(others):
        return False
    known = cells(corners)
    known |= {(x + i, y + j) for x, y in known for i in (-1, 0, 1) for j in (-1, 0, 1)}
    mine = cells(others)
    return sum(cell in known for cell in mine) > 0.3 * len(mine)
