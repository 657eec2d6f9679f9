"""A run's folder that no run wrote: a plaza on which everybody's place follows from a formula."""
import json
import os
import pathlib
import sys

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/python")]

BOX = (1000.0, 500.0, 1080.0, 550.0)
ORIGIN, QUANTUM = (1040.0, 525.0), 2.0**-10
TITLE = "Plaza </script><b>&amp;"  # no page may read this as HTML
WALKERS = 60


def square(x0, y0, x1, y1):
    """A ring, from the corner of the box."""
    return [[BOX[0] + x, BOX[1] + y] for x, y in
            ((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0))]


FEATURES = [("ground", "Polygon", [square(0, 0, 80, 50)], {}),
            ("obstacle", "Polygon", [square(30, 18, 44, 34), square(34, 22, 40, 30)[::-1]],
             {"kind": "building"}),
            ("obstacle", "Polygon", [square(34, 22, 40, 30)], {"kind": "locked"}),
            ("obstacle", "Polygon", [square(60, 0, 80, 10)], {"kind": "water"}),
            ("destination", "MultiPolygon", [[square(72, 38, 78, 48)]],
             {"name": "east </script>", "index": 0}),
            ("destination", "MultiPolygon", [[square(2, 2, 8, 10)]], {"name": "west", "index": 1}),
            ("door", "LineString", [[BOX[0] + 44, BOX[1] + y] for y in (24, 28)], {"name": "gate"}),
            ("street", "LineString", [[BOX[0], BOX[1] + 14], [BOX[2], BOX[1] + 14]],
             {"name": "Long Street", "kind": "residential"}),
            ("street", "LineString", [[BOX[0] + 56, BOX[1]], [BOX[0] + 56, BOX[3]]],
             {"kind": "tram"})]


def person(number, time):
    """Place (m, from the corner) and destination of a person at a time (s); None: not inside.

    0 stands. 1 leaves after 10 s at the right; 2 comes at 12 s at the left and takes its place in
    the player's arrays. 3 is away from 8 to 14 s. The others walk from left to right or back, on
    lines that differ, at 0.5 to 1.4 m/s, and some of them come late or leave early.
    """
    if number == 0:
        return 20.0, 40.0, 255
    if number == 1:
        return (70.0, 30.0 + 0.5 * time, 0) if time <= 10 else None
    if number == 2:
        return (4.0, 20.0 + 0.5 * (time - 12), 1) if time >= 12 else None
    if number == 3:
        return None if 8 < time < 14 else (10.0 + time, 45.0, 0)
    if not number % 7 <= time <= 40 - number % 5:
        return None
    pace = 0.5 + 0.9 * (number % 10) / 9
    way = pace * (time - number % 7)
    x = 4 + number % 13 + way if number % 2 else 76 - number % 11 - way
    y = 1.5 + (number * 7 % WALKERS) * 0.25
    return x, y, number % 2


def ids():
    """The number of each person as the run has it: large ones too."""
    return {number: number * 3 + (1 << 33 if number == 4 else 0) for number in range(WALKERS)}


def write(folder, every=0.5, end=30.0, layout="compact", destinations=True, people=True):
    """Writes the folder: map.geojson, trajectory.h5 of either layout, people.csv."""
    os.makedirs(folder, exist_ok=True)
    features = [{"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates},
                 "properties": {"role": role, "name": "", "kind": "", **more}}
                for role, kind, coordinates, more in FEATURES]
    with open(os.path.join(folder, "map.geojson"), "w", encoding="utf-8") as file:
        json.dump({"type": "FeatureCollection", "title": TITLE, "attribution": "(c) nobody <i>",
                   "bbox": BOX, "throng:projection": "metres", "features": features}, file)
    times = np.arange(0, end + every / 2, every)
    rows = [[(number_id, *found) for number, number_id in sorted(ids().items(), key=lambda a: a[1])
             if (found := person(number, time))] for time in times]
    with h5py.File(os.path.join(folder, "trajectory.h5"), "w") as file:
        table = np.array([row for frame in rows for row in frame])
        counts = np.array([len(frame) for frame in rows])
        file["frames/step"] = np.round(times / 0.1).astype(np.int64)
        file["frames/count"], file["frames/first"] = counts, np.cumsum(counts) - counts
        about = file.create_group("throng")
        about.attrs.update(origin=ORIGIN, quantum=QUANTUM, step_s=0.1, name="plaza")
        about["walkable"] = np.array([b""])
        place = table[:, 1:3] + BOX[:2]
        if layout == "archive":
            kinds = [("id", "i8"), ("frame", "i8"), ("x", "f8"), ("y", "f8"), ("z", "f8")]
            found = np.zeros(len(table), kinds)
            found["id"], found["x"], found["y"] = table[:, 0], place[:, 0], place[:, 1]
            file.create_dataset("trajectory", data=found, chunks=(64,))
        else:
            group = file.create_group("trajectory")
            quanta = np.round((place - ORIGIN) / QUANTUM).astype(np.int32)
            columns = {"id": table[:, 0].astype(np.int64), "x": quanta[:, 0], "y": quanta[:, 1]}
            if destinations:
                columns["destination"] = np.where(table[:, 3] == 255, -1, table[:, 3]
                                                  ).astype(np.int32)
            for name, values in columns.items():
                group.create_dataset(name, data=values, chunks=(64,))
        file["trajectory"].attrs["fps"] = 1 / every
    if people:
        write_people(folder)
    return times


def write_people(folder):
    """people.csv, without the columns that the player does not read."""
    with open(os.path.join(folder, "people.csv"), "w", encoding="utf-8") as file:
        file.write("id,source,profile,destination,exit,entered_s,start_x,start_y,left_s,x,y,"
                   "delay_s\n")
        for number, number_id in sorted(ids().items(), reverse=True):  # as they may have left
            place = ("east </script>", "west")[number % 2]
            file.write(f"{number_id},gate {number % 3},adult,{place},,0,0,0,,0,0,0\n")


def write_crowd(folder, count, seconds=20.0, every=0.5):
    """Many people who walk and sway in all directions: a trajectory on an empty map."""
    draw = np.random.default_rng(5)
    times = np.arange(0, seconds + every / 2, every)
    start = draw.uniform((1, 1), (399, 399), (count, 2))
    velocity = draw.normal(0, 0.9, (count, 2))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "map.geojson"), "w", encoding="utf-8") as file:
        json.dump({"type": "FeatureCollection", "title": "crowd", "bbox": [0, 0, 400, 400],
                   "features": []}, file)
    with h5py.File(os.path.join(folder, "trajectory.h5"), "w") as file:
        place = [np.abs(start + velocity * time + 0.3 * np.sin(time)) for time in times]
        place = np.concatenate([200 - np.abs(200 - one % 400) for one in place])
        file["frames/step"] = np.round(times / 0.1).astype(np.int64)
        file["frames/count"] = np.full(len(times), count)
        file["frames/first"] = np.arange(len(times)) * count
        about, group = file.create_group("throng"), file.create_group("trajectory")
        about.attrs.update(origin=(0.0, 0.0), quantum=QUANTUM, step_s=0.1, name="crowd")
        about["walkable"] = np.array([b""])
        group.attrs["fps"] = 1 / every
        group.create_dataset("id", data=np.tile(np.arange(count), len(times)), chunks=(4096,))
        for axis, name in enumerate("xy"):
            group.create_dataset(name, data=np.round(place[:, axis] / QUANTUM).astype(np.int32),
                                 chunks=(4096,))
