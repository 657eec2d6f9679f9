"""A run as GeoPackage: its map, people, their ways and what was counted, as layers for QGIS."""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from throng.earth import Reference, gdal_modules, reference_of
from throng.errors import Error
from throng.exits import arrived
from throng.files import Table, read_table
from throng.scene import Feature, Scene
from throng.trajectory import Frame, Selection

if TYPE_CHECKING:
    from throng.results import Run

LAYERS = {"ground": "ground", "obstacle": "obstacles", "walkable": "walkable", "wall": "walls",
          "destination": "destinations", "source": "sources", "zone": "zones", "area": "areas",
          "door": "doors", "line": "lines", "queue": "queues", "street": "streets",
          "label": "labels"}  # {role: layer}, in the order of drawing
POINT, LINE_M, MANY_LINES, MANY_POLYGONS = 1, 2002, 5, 6  # types of well-known binary
ROWS = 1 << 20  # positions that are gathered before they are sorted into ways
ALMOST = 1e-6  # s, to compare times
Row = dict[str, Any]  # {field: int, float, str or None}


class Package:
    """A GeoPackage that is being written."""

    def __init__(self, path: str, reference: Reference, about: str, ogr: Any) -> None:
        self.ogr, self.reference, self.about = ogr, reference, about
        if os.path.exists(path):
            os.remove(path)
        self.data = ogr.GetDriverByName("GPKG").CreateDataSource(path)
        self.count = 0

    def layer(self, name: str, kind: int, fields: Row, rows: Iterable[tuple[bytes, Row]]) -> int:
        """Writes a layer of geometries (well-known binary) with their fields, whose types are those
        of the examples in `fields`; returns how many."""
        types = {int: self.ogr.OFTInteger64, float: self.ogr.OFTReal, str: self.ogr.OFTString}
        layer = self.data.CreateLayer(name, self.reference.system, kind,
                                      [f"DESCRIPTION={self.about}"])
        for field, example in fields.items():
            layer.CreateField(self.ogr.FieldDefn(field, types[type(example)]))
        count = 0
        layer.StartTransaction()
        for shape, values in rows:
            feature = self.ogr.Feature(layer.GetLayerDefn())
            for at, field in enumerate(fields):
                value = values.get(field)
                if value is not None and value == value:  # nan: unknown
                    feature.SetField(at, value)
            feature.SetGeometryDirectly(self.ogr.CreateGeometryFromWkb(shape))
            layer.CreateFeature(feature)
            count += 1
        layer.CommitTransaction()
        self.count += count
        return count

    def points(self, xy: np.ndarray) -> list[bytes]:
        """Points of [n][2] (m)."""
        wkb = np.zeros(len(xy), [("order", "u1"), ("type", "<u4"), ("xy", "<f8", 2)])
        wkb["order"], wkb["type"], wkb["xy"] = 1, POINT, self.reference.points(xy)
        return [one.tobytes() for one in wkb]

    def way(self, txy: np.ndarray) -> bytes:
        """A line of [n][3]: the time (s) is its measure m."""
        points = np.c_[self.reference.points(txy[:, 1:]), txy[:, 0]]
        return head(LINE_M, len(points)) + points.astype("<f8").tobytes()

    def shape(self, feature: Feature) -> tuple[int, bytes]:
        """Type and geometry of a feature of the map."""
        if feature.polygons:
            many = [head(3, len(rings)) + b"".join(map(self.path, rings))
                    for rings in feature.polygons]
            return MANY_POLYGONS, head(MANY_POLYGONS, len(many)) + b"".join(many)
        if feature.lines:
            many = [head(2) + self.path(line) for line in feature.lines]
            return MANY_LINES, head(MANY_LINES, len(many)) + b"".join(many)
        return POINT, self.points(np.array(feature.points[:1]))[0]

    def path(self, line: np.ndarray) -> bytes:
        """The number of points and the points of a line or ring."""
        return np.uint32(len(line)).tobytes() + self.reference.points(line).astype("<f8").tobytes()

    def close(self) -> None:
        """Completes the file."""
        self.data.FlushCache()
        self.data = None


def head(kind: int, *count: int) -> bytes:
    """The beginning of a geometry: little-endian, its type, how many parts."""
    return b"\1" + np.array([kind, *count], "<u4").tobytes()


class Ways:
    """Makes lines of frames. A line ends when its agent leaves, or leaves the region. Only agents
    that are inside are in memory."""

    def __init__(self) -> None:
        self.waiting: list[Frame] = []
        self.parts: dict[int, list[np.ndarray]] = {}  # {id: rows of number, time, x, y}

    def add(self, frame: Frame) -> Iterator[tuple[int, np.ndarray]]:
        """Takes a frame; gives (id, rows [n][3] of time, x, y) of lines that have ended."""
        self.waiting.append(frame)
        if sum(len(one.columns["id"]) for one in self.waiting) >= ROWS:
            yield from self.sort(set(frame.columns["id"].tolist()))

    def end(self) -> Iterator[tuple[int, np.ndarray]]:
        """All lines that are left."""
        yield from self.sort(set())

    def sort(self, inside: set[int]) -> Iterator[tuple[int, np.ndarray]]:
        """Moves the waiting rows to their agents; gives the lines of those who are not inside."""
        if self.waiting:
            ids = np.concatenate([one.columns["id"] for one in self.waiting])
            rows = np.concatenate([np.column_stack([
                np.full(len(one.columns["id"]), one.number), np.full(len(one.columns["id"]),
                                                                     one.time),
                one.columns["x"], one.columns["y"]]) for one in self.waiting])
            self.waiting = []
            order = np.argsort(ids, kind="stable")
            ids, rows = ids[order], rows[order]
            starts = np.flatnonzero(np.r_[len(ids) > 0, ids[1:] != ids[:-1]])
            for agent, part in zip(ids[starts].tolist(), np.split(rows, starts[1:])):
                self.parts.setdefault(agent, []).append(part)
        for agent in [one for one in self.parts if one not in inside]:
            way = np.concatenate(self.parts.pop(agent))
            for piece in np.split(way, np.flatnonzero(np.diff(way[:, 0]) > 1) + 1):
                if len(piece) > 1:
                    yield agent, piece[:, 1:]


def way_row(agent: int, way: np.ndarray) -> Row:
    """The fields of a way [n][3] of time, x, y."""
    length = float(np.sum(np.hypot(*np.diff(way[:, 1:], axis=0).T)))
    return {"id": agent, "start_s": float(way[0, 0]), "end_s": float(way[-1, 0]),
            "length_m": length, "mean_speed_m_s": length / float(way[-1, 0] - way[0, 0])}


def people_rows(frame: Frame, names: dict[int, str]) -> Iterator[Row]:
    """The fields of the people of a moment."""
    columns = {name: values.tolist() for name, values in frame.columns.items()}
    for i, agent in enumerate(columns["id"]):
        row = {name: values[i] for name, values in columns.items()}
        row |= {"id": agent, "time_s": frame.time}
        if "destination" in row:
            row["destination_name"] = names.get(row["destination"])
        if "vx" in row:
            row["heading_deg"] = float(np.degrees(np.arctan2(row["vx"], row["vy"])) % 360)
        yield row


def counted(folder: str) -> dict[str, dict[str, Row]]:
    """{role: {name: fields}} of what the tables say."""
    def table(name: str) -> Table:
        path = os.path.join(folder, name)
        return read_table(path) if os.path.exists(path) else {}

    found: dict[str, dict[str, Row]] = {"line": {}, "area": {}, "queue": {}, "destination": {}}
    for name, rows in by_name(table("lines.csv"), "line"):
        found["line"][name] = {"forward": int(rows["forward"][-1]),
                               "backward": int(rows["backward"][-1]),
                               "highest_flow_per_s": float(np.max(rows["flow_per_s"])),
                               "lowest_flow_per_s": float(np.min(rows["flow_per_s"]))}
    for name, rows in by_name(table("areas.csv"), "area"):
        density, at = rows["density_per_m2"], int(np.argmax(rows["density_per_m2"]))
        found["area"][name] = {"highest_count": int(np.max(rows["count"])),
                               "highest_density_per_m2": float(density[at]),
                               "highest_at_s": float(rows["time_s"][at]),
                               "mean_density_per_m2": float(np.mean(density))}
    for name, rows in by_name(table("queues.csv"), "queue"):
        found["queue"][name] = {"highest_waiting": int(np.max(rows["waiting"])),
                                "served": int(rows["served"][-1])}
    for name, rows in by_name(table("people.csv"), "destination"):
        gone = arrived(rows)
        taken = (rows["left_s"] - rows["entered_s"])[gone]
        found["destination"][name] = {"people": len(taken)} | (
            {"mean_time_s": float(np.mean(taken)), "last_s": float(np.max(rows["left_s"][gone]))}
            if len(taken) else {})
    return found


def by_name(table: Table, column: str) -> Iterator[tuple[str, Table]]:
    """The rows of each name in a column."""
    for name in dict.fromkeys(table.get(column, ())):
        rows = table[column] == name
        yield str(name), {key: values[rows] for key, values in table.items()}


def write_map(package: Package, scene: Scene, folder: str) -> None:
    """A layer for each role and type of geometry that the map has."""
    tables = counted(folder)
    for role, layer in LAYERS.items():
        shapes: dict[int, list[tuple[bytes, Row]]] = {}
        for feature in scene.of(role):
            kind, shape = package.shape(feature)
            row: Row = {"name": feature.name or None, "kind": feature.kind or None,
                        "index": feature.index}
            shapes.setdefault(kind, []).append(
                (shape, row | tables.get(role, {}).get(feature.name, {})))
        for kind, rows in shapes.items():
            fields: Row = {"name": "", "kind": ""} | ({"index": 0} if any(
                row["index"] is not None for _, row in rows) else {})
            for _, row in rows:
                fields |= {name: value for name, value in row.items() if name not in fields
                           and value is not None}
            package.layer(layer if len(shapes) == 1 else f"{layer}_{kind}", kind, fields, rows)


def write_starts(package: Package, folder: str) -> None:
    """People where they entered, with the time that they took: people.csv, if there is one."""
    path = os.path.join(folder, "people.csv")
    if not os.path.exists(path):
        return
    table = read_table(path)
    table["time_s"] = table["left_s"] - table["entered_s"]
    names = ("id", "source", "profile", "destination", "exit", "entered_s", "left_s", "time_s",
             "delay_s")
    columns = {name: table[name].tolist() for name in names}
    shapes = package.points(np.c_[table["start_x"], table["start_y"]])
    fields = {name: "" if name in ("source", "profile", "destination") else 0.0 for name in names}
    fields |= {"id": 0, "exit": 0}
    rows = ({name: columns[name][i] for name in names} for i in range(len(shapes)))
    exits = ({**row, "exit": None if row["exit"] != row["exit"] else int(row["exit"])}
             for row in rows)
    package.layer("starts", POINT, fields, zip(shapes, exits))


def write_people(package: Package, frame: Frame, scene: Scene) -> None:
    """People of a moment."""
    names = {one.index: one.name for one in scene.of("destination") if one.index is not None}
    rows = people_rows(frame, names)
    fields: Row = {"id": 0, "time_s": 0.0}
    fields |= {name: 0 if values.dtype.kind in "iu" else 0.0
               for name, values in frame.columns.items() if name != "id"}
    if "destination" in fields:
        fields["destination_name"] = ""
    if "vx" in fields:
        fields["heading_deg"] = 0.0
    shapes = package.points(np.c_[frame.columns["x"], frame.columns["y"]])
    package.layer("people", POINT, fields, zip(shapes, rows))


def write(run: Run, path: str, selection: Selection, at: float | None, crs: str | None) -> int:
    """Writes the layers; returns how many features they have."""
    _, ogr, osr = gdal_modules("geopackage")
    scene = Scene(run.folder)
    about = ". ".join(filter(None, (scene.title, scene.attribution)))
    package = Package(path, reference_of(scene, crs, osr), about, ogr)
    moment: list[Frame] = []

    def ways() -> Iterator[tuple[bytes, Row]]:
        """Their lines; keeps the moment that is asked for, or that with the most people."""
        gathered = Ways()
        for frame in run.trajectory.frames(selection):
            most = len(moment[0].columns["id"]) if moment else -1
            if abs(frame.time - at) < ALMOST if at is not None else len(
                    frame.columns["id"]) > most:
                moment[:] = [frame]
            for agent, way in gathered.add(frame):
                yield package.way(way), way_row(agent, way)
        for agent, way in gathered.end():
            yield package.way(way), way_row(agent, way)

    try:
        write_map(package, scene, run.folder)
        write_starts(package, run.folder)
        package.layer("trajectories", LINE_M, way_row(0, np.array([[0., 0, 0], [1, 0, 0]])), ways())
        if at is not None and not moment:
            raise Error(f"--at {at:g}: no recorded moment; see output.snapshot_every and "
                        "output.trajectory.every")
        for frame in moment:
            write_people(package, frame, scene)
    finally:
        package.close()
    return package.count
