"""A run as a script for ParaView: people, walls, water and density over time.

The script is paraview_scene.py with a line that names the run's files, relative to it. ParaView
5.11 reads snapshots.xdmf, but not the density files (its reader of VTKHDF takes cells for points),
so these get an .xdmf beside the script.
"""
from __future__ import annotations

import json
import os
from typing import Any
from xml.sax.saxutils import quoteattr

import h5py
import numpy as np

from throng.errors import Error, reading
from throng.files import Path, numbered_paths, snapshot_paths
from throng.scene import Feature, Scene
from throng.whole_file import whole_file

TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "paraview_scene.py")
LINE = "RUN = {}  # throng export writes this line"
HEIGHT = 3.0  # m, of walls
THICKNESS = 0.001  # m, of the density cells


def write(folder: str, output: Path, path: str, height: float | None) -> int:
    """Writes the script to a path that will be named output, and beside it what ParaView cannot
    read; returns the number of snapshots."""
    series = os.path.join(folder, "snapshots.xdmf")
    if not os.path.exists(series):
        raise Error(f"{series}: no such file; set output.snapshot_every in the scenario")
    if height is not None and not height > 0:
        raise Error("--height: a number of metres above 0 is expected")
    here, stem = os.path.dirname(os.path.abspath(output)), os.path.splitext(output)[0]
    scene, times, origin = Scene(folder), [], [0.0, 0.0]
    for name in snapshot_paths(folder).values():
        with reading(name, "a snapshot"), h5py.File(name) as file:
            times.append(float(file["throng"].attrs["time"]))
            origin = [float(x) for x in file["throng"].attrs["origin"]]
    map_path = os.path.join(folder, "map.geojson")
    if not scene.complete:
        map_path = f"{stem}-map.geojson"
        with whole_file(map_path) as begun, open(begun, "w", encoding="utf-8") as file:
            json.dump({"features": [as_json(one) for one in scene.features]}, file)
    density = write_density(folder, here, f"{stem}-density.xdmf")
    run = {"script": os.path.abspath(output), "series": relative(series, here),
           "map": relative(map_path, here), "origin": origin, "bbox": list(scene.bbox),
           "times": times, "title": scene.title, "attribution": scene.attribution,
           "height": height or HEIGHT, **density}
    with open(TEMPLATE, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(LINE, f"RUN = {run!r}", 1))
    return len(times)


def relative(path: str, here: str) -> str:
    """A path from the folder of the script."""
    return os.path.relpath(os.path.abspath(path), here)


def as_json(feature: Feature) -> dict[str, Any]:
    """A feature of an old run, which has polygons or lines."""
    kind, parts = ("MultiPolygon", [[ring.tolist() for ring in rings] for rings in
                                    feature.polygons]) if feature.polygons else (
        "MultiLineString", [line.tolist() for line in feature.lines])
    return {"properties": {"role": feature.role, "kind": feature.kind},
            "geometry": {"type": kind, "coordinates": parts}}


def write_density(folder: str, here: str, path: str) -> dict[str, Any]:
    """Writes the density files as a series of XDMF; each is shown from the beginning of its
    interval to the end. Returns its name and the limits of the levels of service."""
    paths = numbered_paths(folder, "density")
    if not paths:
        return {"density": None}
    begin, limits, grids = 0.0, np.empty(0), []
    for step, name in paths.items():
        with reading(name, "a density file"), h5py.File(name) as file:
            image, about = file["VTKHDF"], file["throng"].attrs
            x, y, _ = image.attrs["Origin"]
            _, rows, columns = image["CellData/density"].shape
            cell, limits = float(about["cell"]), about["fruin_limits"]
            grids.append(grid_text(step, begin, relative(name, here), (rows, columns),
                                   (float(x), float(y), cell)))
            begin = float(about["time"])
    with whole_file(path) as begun, open(begun, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n<Xdmf Version="2.0">\n<Domain>\n<Grid Name="density" '
                   'GridType="Collection" CollectionType="Temporal">\n' + "".join(grids)
                   + "</Grid>\n</Domain>\n</Xdmf>\n")
    return {"density": relative(path, here), "fruin_limits": [float(limit) for limit in limits]}


def grid_text(step: int, time: float, name: str, shape: tuple[int, int],
              place: tuple[float, float, float]) -> str:
    """A grid of XDMF: shape: rows and columns; place: x, y of the lower left corner, cell (m)."""
    (rows, columns), (x, y, cell) = shape, place
    def numbers(kind: str, values: str) -> str:
        return f'<DataItem Dimensions="3" NumberType="Float" Format="XML">{values}</DataItem>{kind}'
    arrays = "".join(
        f'<Attribute Name="{array}" AttributeType="Scalar" Center="Cell"><DataItem Format="HDF" '
        f'NumberType="Float" Precision="4" Dimensions="1 {rows} {columns}">'
        f'{quoteattr(name)[1:-1]}:/VTKHDF/CellData/{array}</DataItem></Attribute>\n'
        for array in ("density", "speed"))
    return (f'<Grid Name="step {step}" GridType="Uniform">\n<Time Value="{time!r}"/>\n'
            f'<Topology TopologyType="3DCoRectMesh" Dimensions="2 {rows + 1} {columns + 1}"/>\n'
            f'<Geometry GeometryType="ORIGIN_DXDYDZ">'
            + numbers("", f"0.03 {y!r} {x!r}") + numbers("", f"{THICKNESS} {cell!r} {cell!r}")
            + f"</Geometry>\n{arrays}</Grid>\n")
