"""A run's folder that no run wrote: a small town with everything that map.geojson, totals.vtkhdf
and the tables can hold. The numbers follow from formulas, or from a generator with a fixed seed."""
import csv
import json
import os

import h5py
import numpy as np

ORIGIN = (1000.0, 2000.0)   # of the files, m
BOX = (900.0, 1900.0, 1060.0, 2000.0)   # of the world
CENTRE = (7.42, 43.73)
CELL, ROWS, COLUMNS, CORNER = 4.0, 25, 40, (900.0, 1900.0)
FRUIN, HBS = (.31, .43, .72, 1.08, 2.17), (.1, .25, .6, 1.3, 1.9)
LEVELS = sorted(FRUIN + HBS)
SAMPLE, SAMPLES, END = 2.0, 150, 300.0
PEOPLE = 400


def box(x0, y0, x1, y1):
    """A ring, from the lower left corner of the world."""
    return path((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0))


def path(*points):
    """A line, from the lower left corner of the world."""
    return [[CORNER[0] + x, CORNER[1] + y] for x, y in points]


def feature(role, shape, coordinates, **properties):
    """A feature of GeoJSON."""
    return {"type": "Feature", "geometry": {"type": shape, "coordinates": coordinates},
            "properties": {"role": role, "name": "", "kind": "", **properties}}


FEATURES = [
    feature("ground", "Polygon", [box(0, 0, 160, 100)]),
    # A building with a courtyard that is locked, the sea, a pond as two polygons.
    feature("obstacle", "Polygon", [box(20, 20, 60, 60), box(30, 30, 50, 50)], kind="building"),
    feature("obstacle", "Polygon", [box(30, 30, 50, 50)], kind="locked"),
    feature("obstacle", "Polygon", [box(120, 0, 160, 30)], kind="sea"),
    feature("obstacle", "MultiPolygon", [[box(80, 10, 90, 20)], [box(92, 10, 96, 20)]],
            kind="water"),
    feature("obstacle", "Polygon", [box(80, 40, 110, 70)]),
    feature("wall", "LineString", path((10, 80), (70, 80))),
    feature("destination", "MultiPolygon", [[box(150, 80, 158, 96)], [box(0, 0, 6, 10)]],
            name="outside", index=0),
    feature("destination", "MultiPolygon", [[box(70, 90, 78, 98)]], name="hall", index=1),
    feature("source", "MultiPolygon", [[box(2, 84, 30, 98)]], name="square", index=0),
    feature("area", "MultiPolygon", [[box(62, 20, 78, 60)]], name="street"),
    feature("zone", "MultiPolygon", [[box(62, 62, 70, 76)]], name="stairs", kind="stairs"),
    feature("door", "LineString", path((80, 50), (80, 56)), name="gate"),
    feature("line", "LineString", path((62, 40), (78, 40)), name="passage"),
    feature("queue", "LineString", path((100, 80), (100, 95), (120, 95)), name="till"),
    feature("street", "LineString", path((70, 0), (70, 100)), name="Main Street",
            kind="residential"),
    feature("street", "MultiLineString", [path((0, 10), (60, 10)), path((60, 10), (70, 12))],
            name="Quay", kind="footway"),
    feature("label", "Point", path((140, 60))[0], name="Old Harbour", kind="quarter"),
]


def write_map(folder, **more):
    """map.geojson."""
    data = {"type": "FeatureCollection", "title": "Harbour town", "bbox": BOX,
            "attribution": "(c) OpenStreetMap contributors (https://osm.org)",
            "throng:projection": "metres", "throng:centre": CENTRE, "features": FEATURES, **more}
    with open(os.path.join(folder, "map.geojson"), "w", encoding="utf-8") as file:
        json.dump(data, file)


def cell_values(seed=1):
    """{array of totals.vtkhdf: values}: people in a third of the cells."""
    draw = np.random.default_rng(seed)
    used = draw.random((ROWS, COLUMNS)) < 0.35
    shape = (ROWS, COLUMNS)
    values = {"density": (draw.gamma(1.2, 0.6, shape) * used).astype(np.float32)}
    values["max_density"] = (values["density"] * draw.uniform(1.5, 3, shape)).astype(np.float32)
    values["max_mean_density"] = (values["density"] * draw.uniform(1, 1.5, shape)
                                  ).astype(np.float32)
    values["speed"] = (draw.uniform(0.2, 1.6, shape) * used).astype(np.float32)
    values["people"] = np.round(values["density"] * CELL**2 * SAMPLES).astype(np.int64)
    values["delay"] = (draw.gamma(1, 40, shape) * used).astype(np.float32)
    share = np.exp(-np.array(LEVELS) / np.maximum(values["density"], 1e-9)[..., None])
    values["samples_above"] = np.round(SAMPLES * share).astype(np.int32)
    for name, mean in (("east", 60), ("west", 15), ("north", 8), ("south", 40)):
        values["crossed_" + name] = (draw.poisson(mean, shape) * used).astype(np.int64)
    return values


def write_totals(folder, seed=1):
    """totals.vtkhdf; returns its values."""
    values = cell_values(seed)
    with h5py.File(os.path.join(folder, "totals.vtkhdf"), "w") as file:
        image, about = file.create_group("VTKHDF"), file.create_group("throng").attrs
        image.attrs["Version"], image.attrs["Type"] = (1, 0), np.bytes_("ImageData")
        image.attrs["WholeExtent"] = (0, COLUMNS, 0, ROWS, 0, 1)
        image.attrs["Origin"] = (CORNER[0] - ORIGIN[0], CORNER[1] - ORIGIN[1], 0.0)
        image.attrs["Spacing"] = (CELL, CELL, 1.0)
        for name, array in values.items():
            image["CellData/" + name] = array[None]
        for name, value in (("step", 3000), ("time", END), ("since", 0), ("samples", SAMPLES),
                            ("sample", SAMPLE), ("cell", CELL), ("origin", ORIGIN),
                            ("fruin_limits", FRUIN), ("hbs_limits", HBS), ("levels", LEVELS)):
            about[name] = value
    return values


def position(ids, time):
    """Where people are: on straight lines to the east, at 0.1 to 0.5 m/s."""
    x = CORNER[0] + 5 + ids * 7.31 % 60 + (0.1 + 0.4 * (ids % 5) / 4) * time
    y = CORNER[1] + 4 + ids * 3.77 % 92
    return np.stack([x, y], axis=1)


def write_snapshot(folder, step):
    """A snapshot of 10 steps a second."""
    ids, time = np.arange(PEOPLE), step / 10
    with h5py.File(os.path.join(folder, f"snapshot-{step:08d}.vtkhdf"), "w") as file:
        about, data = file.create_group("throng"), file.create_group("VTKHDF/PointData")
        for name, value in (("step", step), ("time", time), ("origin", ORIGIN),
                            ("name", "Harbour town"), ("agents", PEOPLE)):
            about.attrs[name] = value
        about["scenario"] = np.array([b"world: {geometry: harbour.geojson, margin: 0}\n"])
        points = np.c_[position(ids, time) - ORIGIN, np.zeros(PEOPLE)]
        file["VTKHDF/Points"] = points.astype(np.float32)
        data["id"], data["radius"] = ids, np.full(PEOPLE, 0.2, np.float32)
        data["speed"] = (0.1 + 0.4 * (ids % 5) / 4).astype(np.float32)
        data["destination"] = (ids % 2).astype(np.int32)


def people_rows():
    """The rows of people.csv: 400 people, of whom the last 20 are still inside."""
    draw, rows = np.random.default_rng(7), []
    starts = position(np.arange(PEOPLE), 0)
    for i in range(PEOPLE):
        taken = 40 + np.hypot(*(starts[i] - CORNER - (150, 90))) + draw.gamma(2, 10)
        inside = i >= PEOPLE - 20
        outside = i % 3 != 0
        rows.append({"id": i, "source": "square", "profile": "adult",
                     "destination": "outside" if outside else "hall",
                     "exit": "" if inside else i % 2 if outside else 0,
                     "entered_s": f"{i / 10:.1f}", "start_x": f"{starts[i][0]:.3f}",
                     "start_y": f"{starts[i][1]:.3f}",
                     "left_s": "" if inside else f"{i / 10 + taken:.1f}",
                     "x": f"{starts[i][0] + 9:.3f}", "y": f"{starts[i][1]:.3f}",
                     "delay_s": f"{draw.gamma(1, 8):.1f}"})
    return rows


def write_table(folder, name, rows):
    """A table of these rows."""
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)


def write_tables(folder):
    """people.csv, queues.csv, lines.csv, areas.csv."""
    write_table(folder, "people.csv", people_rows())
    times = [(10 * i, float(i)) for i in range(0, 301, 5)]
    write_table(folder, "queues.csv", [
        {"step": step, "time_s": t, "queue": name, "waiting": int(w * (1 + np.sin(t / 40))),
         "served": int(t / w)} for step, t in times for name, w in (("till", 12), ("gate", 5))])
    write_table(folder, "lines.csv", [
        {"step": step, "time_s": t, "line": "passage", "forward": int(t), "backward": int(t / 4),
         "flow_per_s": 0.75} for step, t in times])
    write_table(folder, "areas.csv", [
        {"step": step, "time_s": t, "area": "street", "count": int(t / 3),
         "density_per_m2": t / 200, "mean_speed_m_s": "" if t == 0 else 1.3 - t / 400}
        for step, t in times])


def write(folder, seed=1):
    """All files of the run."""
    os.makedirs(folder, exist_ok=True)
    write_map(folder)
    write_totals(folder, seed)
    for step in range(0, 3001, 500):
        write_snapshot(folder, step)
    write_tables(folder)
    return folder
