"""Is the scene for films the run, read by OpenUSD itself? test_usd.py RUNS"""
import os
import pathlib
import sys
import tempfile

import numpy as np
from checkout import refused, run_tests
import made_run
from pxr import Gf, Usd, UsdGeom, UsdValidation

import throng
from throng import usd
from throng.scene import Scene, area
from throng.trajectory import Selection

RUNS = pathlib.Path(sys.argv[1])
WORK = tempfile.TemporaryDirectory()
TOWN = throng.open(made_run.write(os.path.join(WORK.name, "town")))
RUN = throng.open(RUNS / "compact")  # 10 frames a second; people come and go
FRAMES = list(RUN.frames())


def exported(run, name="a.usdc", **options):
    """The stage, and how many frames the export has counted."""
    path = os.path.join(WORK.name, name)
    selection = options.pop("selection", None)
    count = run.export(path, "usd", selection, **options)
    return Usd.Stage.Open(path), count


def people(stage, time):
    """{name: values} of the instances at a time code."""
    prim = UsdGeom.PointInstancer(stage.GetPrimAtPath("/run/people"))
    return {"ids": np.array(prim.GetIdsAttr().Get(time)),
            "positions": np.array(prim.GetPositionsAttr().Get(time)),
            "velocities": np.array(prim.GetVelocitiesAttr().Get(time)),
            "scales": np.array(prim.GetScalesAttr().Get(time)),
            "kinds": np.array(prim.GetProtoIndicesAttr().Get(time)),
            "transforms": prim.ComputeInstanceTransformsAtTime(time, time)}


def test_stage():
    stage, count = exported(RUN, fps=20)
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == 20
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode(), count) == (0, 400, 401)
    assert stage.GetDefaultPrim().GetPath() == "/run"
    samples = stage.GetAttributeAtPath("/run/people.positions").GetTimeSamples()
    assert samples == list(range(401))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    found = UsdValidation.ValidationContext(validators).Validate(stage)
    assert len(validators) > 10 and not found, [one.GetMessage() for one in found]


def test_recorded_frames():
    """Every second film frame is a recorded one: the same people at the same places."""
    stage, _ = exported(RUN, fps=20)
    counts = set()
    for k in (0, 1, 57, 120, 200):
        found, frame = people(stage, 2 * k), FRAMES[k].columns
        counts.add(len(frame["id"]))
        assert np.array_equal(found["ids"], frame["id"])
        expected = np.c_[frame["x"], frame["y"], 0 * frame["x"]]
        assert np.abs(found["positions"] - expected).max() < 1e-3
        assert np.allclose(found["velocities"], np.c_[frame["vx"], frame["vy"], 0 * frame["vx"]])
        assert np.allclose(found["scales"][:, 0] * 0.2, frame["radius"])
        assert np.array_equal(found["kinds"], frame["destination"] + 1)
        moves = np.hypot(frame["vx"], frame["vy"]) > 0.1
        ahead = np.array([(m[0][0], m[0][1]) for m in found["transforms"]])[moves]
        expected = np.c_[frame["vx"], frame["vy"]][moves]
        cosine = np.sum(ahead * expected, axis=1) / np.hypot(*ahead.T) / np.hypot(*expected.T)
        assert k == 0 or moves.sum() > 10 and cosine.min() > 0.999  # at 0 everybody stands
        head = found["transforms"][0].Transform(Gf.Vec3d(0, 0, 1.75))
        assert abs(head[2] - 1.75) < 1e-3
    assert len(counts) > 2


def test_between_frames():
    stage, _ = exported(RUN, fps=20)
    for k in (10, 100):
        found, a, b = people(stage, 2 * k + 1), FRAMES[k].columns, FRAMES[k + 1].columns
        both, i, j = np.intersect1d(a["id"], b["id"], return_indices=True)
        assert np.array_equal(found["ids"], both) and len(both) > 20
        middle = np.c_[a["x"][i] + b["x"][j], a["y"][i] + b["y"][j]] / 2
        assert np.abs(found["positions"][:, :2] - middle).max() < 1e-3
        speed = np.c_[b["x"][j] - a["x"][i], b["y"][j] - a["y"][i]] / 0.1
        assert np.allclose(found["velocities"][:, :2], speed, atol=1e-4)


def test_who_leaves_is_gone():
    last = {int(i): k for k, frame in enumerate(FRAMES) for i in frame.columns["id"]}
    agent, k = next((i, k) for i, k in last.items() if k < len(FRAMES) - 1)
    stage, _ = exported(RUN, fps=20)
    assert agent in people(stage, 2 * k)["ids"]
    assert agent not in people(stage, 2 * k + 1)["ids"]


def test_selection_and_rate():
    """24 frames a second, from 2.1 s on: the first whole frame is 51."""
    stage, count = exported(RUN, selection=Selection(begin=2.1, end=5, ids=[3, 4, 5]))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode(), count) == (51, 120, 70)
    assert people(stage, 60)["ids"].tolist() == [3, 4, 5]


def test_written_in_parts():
    """The same if every frame goes to the file at once, and as text."""
    whole, _ = exported(RUN, "whole.usdc")
    usd.PART, before = 1, usd.PART
    parts, _ = exported(RUN, "parts.usdc")
    usd.PART = before
    text, _ = exported(RUN, "text.usda")
    for time in range(0, 481, 60):
        one = people(whole, time)
        for other in (people(parts, time), people(text, time)):
            assert all(np.array_equal(one[name], other[name]) for name in one
                       if name != "transforms")


def mesh(stage, name):
    """Points and triangles."""
    prim = UsdGeom.Mesh(stage.GetPrimAtPath(f"/run/map/{name}"))
    points = np.array(prim.GetPointsAttr().Get(), float)
    corners = prim.GetFaceVertexIndicesAttr().Get()
    assert UsdGeom.Mesh.ValidateTopology(corners, prim.GetFaceVertexCountsAttr().Get(),
                                         len(points))[0]
    return points, np.array(corners).reshape(-1, 3)


def test_walls():
    """The faces of the buildings look outwards and enclose their volume; the floor is flat."""
    stage, _ = exported(TOWN, height=5.0)
    points, triangles = mesh(stage, "buildings")
    a, b, c = (points[triangles[:, k]] for k in range(3))
    volume = np.sum(a * np.cross(b, c)) / 6
    dry = [rings for one in Scene(TOWN.folder).of("obstacle") if not one.kind
           or one.kind == "building" for rings in one.polygons]
    ground = sum(area(ring) for rings in dry for ring in rings)
    assert ground == 40 * 40 - 20 * 20 + 30 * 30
    assert abs(volume - 5 * ground) < 0.5, (volume, 5 * ground)
    roof = (a[:, 2] > 4.9) & (b[:, 2] > 4.9) & (c[:, 2] > 4.9)
    assert abs(np.cross(b - a, c - a)[roof, 2].sum() / 2 - ground) < 0.1
    assert (points[:, 2].min(), points[:, 2].max()) == (0, 5)
    for name, size in (("water", 40 * 30 + 10 * 10 + 4 * 10), ("locked", 20 * 20)):
        points, triangles = mesh(stage, name)
        a, b, c = (points[triangles[:, k]] for k in range(3))
        assert abs(np.cross(b - a, c - a)[:, 2].sum() / 2 - size) < 0.1 and points[:, 2].max() < 0
    points, _ = mesh(stage, "walls")
    assert points[:, 0].min() == 910 and points[:, 0].max() == 970 and points[:, 2].max() == 5


def test_far_away():
    """A run at large coordinates is moved to the origin, which the file tells."""
    data = made_run.write(os.path.join(WORK.name, "far"))
    made_run.write_map(data, bbox=[500000, 4800000, 500160, 4800100])
    stage, _ = exported(throng.open(data))
    about = stage.GetRootLayer().customLayerData["throng"]
    assert tuple(about["origin_m"]) == (500080, 4800050) and about["title"] == "Harbour town"


def test_errors():
    def write(name, **options):
        return lambda: TOWN.export(os.path.join(WORK.name, name), "usd", **options)
    refused(write("a.obj"), "ending", 64)
    refused(write("b.usdc", fps=-1), "--fps", 64)
    refused(write("b.usdc", crs="local"), "no option --crs", 64)
    refused(lambda: TOWN.export("/nowhere/a.usdc", "usd"), "cannot be written", 74)
    assert not [name for name in os.listdir(WORK.name) if "tmp" in name]


run_tests(globals())
WORK.cleanup()
