"""A run's folder that no run wrote, with everything that a report can show: made_run.py and the
tables, summary and log beside it. Names are hostile: they must be shown, not obeyed."""
import json
import os

import made_run
import numpy as np

HOSTILE = "<script>document.title='run'</script> & \"$x^2$\" </table>"
SEEN = 380  # of 400 people have left


def write_series(folder):
    """series.csv from people.csv: everybody in the world at the time of the row."""
    rows = made_run.people_rows()
    left = np.array([float(row["left_s"] or "inf") for row in rows])
    entered = np.array([float(row["entered_s"]) for row in rows])
    made_run.write_table(folder, "series.csv", [
        {"step": 10 * t, "time_s": t, "agents": int(np.sum((entered <= t) & (left > t))),
         "arrived": int(np.sum(left <= t)), "mean_speed_m_s": f"{1.2 - t / 900:.6f}",
         "net_speed_m_s": f"{1.1 - t / 800:.6f}", "overlaps": 0} for t in range(0, 301, 2)])


def write_travel(folder, hostile):
    """travel.csv: all rows of one source and profile, and of two destinations."""
    rows = [row for row in made_run.people_rows() if row["left_s"]]

    def row(chosen, **names):
        spent = np.array([float(one["left_s"]) - float(one["entered_s"]) for one in chosen])
        waited = np.array([float(one["delay_s"]) for one in chosen])
        return {"source": "all", "profile": "all", "destination": "all", **names,
                "count": len(spent), "mean_s": f"{spent.mean():.6f}", "min_s": f"{spent.min():.9g}",
                "max_s": f"{spent.max():.9g}", "mean_waiting_s": f"{waited.mean():.6f}",
                **{name: int(np.ceil(np.quantile(spent, share))) for name, share in
                   (("median_s", 0.5), ("p90_s", 0.9), ("p95_s", 0.95))}}

    table = [row(rows), row(rows, source="square"), row(rows, profile=HOSTILE if hostile else "adult")]
    for name in ("outside", "hall"):
        table.append(row([one for one in rows if one["destination"] == name], destination=name))
    made_run.write_table(folder, "travel.csv", table)
    return table[0]


def write_alarms(folder):
    """alarms.csv: 30 alarms of either kind."""
    made_run.write_table(folder, "alarms.csv", [
        {"time_s": 20 + i, "kind": "jam" if i % 3 else "density", "x": 970.0 + i / 10, "y": 1942.5,
         "value": 30.0 + i if i % 3 else 2.5 + i / 100, "id": 7 + i} for i in range(30)])


def write_summary(folder, seed, travel, hostile):
    """summary.json"""
    summary = {
        "name": HOSTILE if hostile else "Harbour town", "config": "town.yaml", "config_path": "/home/a<b>/town.yaml",
        "identity": "bf3122e9190a387c", "overrides": [f"seed={seed}", "time.end=300"],
        "changed_by_caller": True, "version": "0.2.0", "revision": "b8fabf5-dirty",
        "compiler": "GNU 12.2.0", "config_hash": "98b7df433ac109e4", "checksum": "076b96e38479d9df",
        "backend": "simd16", "seed": seed, "ranks": 4, "threads": 2, "steps": 3000, "time_s": 300,
        "step_s": 0.1, "agents": made_run.PEOPLE, "inside": made_run.PEOPLE - SEEN,
        "arrived": SEEN, "evacuation_time_s": None, "overlaps": 12, "agents_in_walls": 1,
        "infeasible": 9, "full_neighbourhoods": 4, "contact_share": 0.0148, "wall_s": 12.345,
        "deepest_overlap_m": 0.213852, "deepest_overlap": {"time_s": 78.3, "x": 939.456, "y": 1928.259},
        "agent_steps": 100000, "alarms": {"density": 10, "jam": 20},
        "audit": {"non_finite": 0, "escapes": 0, "too_fast": 2, "wall_crossings": 0,
                  "first": f"agent 3 of {HOSTILE if hostile else 7}", "first_overlap": None},
        "travel": {"arrived": SEEN, "last_arrival_s": 290.1,
                   **{key: float(travel[key]) for key in ("mean_s", "max_s", "median_s")}}}
    with open(os.path.join(folder, "summary.json"), "w", encoding="utf-8") as file:
        json.dump(summary, file)


def rename(folder):
    """Gives the measured places and the map hostile names."""
    for name in ("lines.csv", "areas.csv", "queues.csv", "people.csv"):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        quoted = '"' + HOSTILE.replace('"', '""') + '"'
        for old in ("passage", "street", "till", "square"):
            text = text.replace(f",{old},", f",{quoted},")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    path = os.path.join(folder, "map.geojson")
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    data["title"], data["attribution"] = HOSTILE, f"(c) {HOSTILE}"
    for one in data["features"]:
        if one["properties"]["name"] in ("passage", "street", "till", "square", "Main Street"):
            one["properties"]["name"] = HOSTILE
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file)


def write(folder, seed=1, hostile=False):
    """All files of a run; hostile: its names are HTML."""
    folder = os.fspath(folder)
    made_run.write(folder, seed)
    write_series(folder)
    write_alarms(folder)
    write_summary(folder, seed, write_travel(folder, hostile), hostile)
    if hostile:
        rename(folder)
    return folder
