"""A run as a scene for films in USD (Universal Scene Description): people as instances that move
and look, with velocities and lasting ids; walls, water and ground as meshes.

Z is up, units are metres, time code k is second k / fps of the run. Between two recorded frames
people walk straight on. Whoever is not in both is there only in the frame that was recorded.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from throng.errors import Error
from throng.export import Orientation
from throng.scene import Scene
from throng.solids import solids_of
from throng.trajectory import Frame, Selection

if TYPE_CHECKING:
    from throng.results import Run

ENDINGS = (".usdc", ".usda", ".usd")
FPS, HEIGHT = 24.0, 3.0  # frames per second; m, of walls
TALL, WIDE, FACE = 1.75, 0.2, 1.55  # m: height and radius of a body, height of its nose
NEAR = 10_000.0  # m: positions are float32, to 1 mm up to here
PART = 64 << 20  # bytes of frames that are kept before they go to the file
ALMOST = 1e-6  # frames, to compare times
COLOURS = {"ground": (.93, .92, .89), "locked": (.85, .84, .79), "water": (.62, .77, .87),
           "walkable": (1, 1, 1), "destinations": (.56, .76, .53), "buildings": (.55, .53, .50),
           "walls": (.55, .53, .50)}
# Okabe and Ito's colours for the colour-blind, by destination; grey: none.
PEOPLE = ((.6, .6, .6), (0, .447, .698), (.902, .624, 0), (0, .62, .451), (.8, .475, .655),
          (.337, .706, .914), (.835, .369, 0), (.722, .663, 0))


@dataclass
class Crowd:
    """The people of one film frame: number of the frame; ids, places [n][2] (m), velocities [n][2]
    (m/s), angle to the x axis, radius (m), destination (-1: none)."""

    number: int
    ids: np.ndarray
    places: np.ndarray
    velocities: np.ndarray
    angles: np.ndarray
    radii: np.ndarray
    destinations: np.ndarray


def crowd_of(number: int, frame: Frame, ahead: np.ndarray) -> Crowd:
    """A recorded frame with the directions in which people look."""
    columns, count = frame.columns, len(frame.columns["id"])
    return Crowd(number, columns["id"], np.column_stack([columns["x"], columns["y"]]),
                 np.column_stack([columns[name] for name in ("vx", "vy")]) if "vx" in columns
                 else np.zeros((count, 2)), np.arctan2(ahead[:, 1], ahead[:, 0]),
                 columns.get("radius", np.full(count, WIDE)),
                 columns.get("destination", np.full(count, -1)))


def between(number: int, share: float, seconds: float, last: Crowd, new: Crowd) -> Crowd:
    """The people who are in two recorded frames, at a share (0 to 1) of the time between them."""
    ids, a, b = np.intersect1d(last.ids, new.ids, assume_unique=True, return_indices=True)
    step = new.places[b] - last.places[a]
    turn = (new.angles[b] - last.angles[a] + np.pi) % (2 * np.pi) - np.pi
    return Crowd(number, ids, last.places[a] + share * step, step / seconds,
                 last.angles[a] + share * turn, last.radii[a], last.destinations[a])


def film(frames: Iterator[Frame], fps: float) -> Iterator[Crowd]:
    """The people of every film frame from the first recorded moment to the last."""
    looks, last, time = Orientation(), None, 0.0
    for frame in frames:
        new = crowd_of(0, frame, looks.of(frame.columns))
        if last is not None:
            for number in range(int(np.ceil(time * fps - ALMOST)),
                                int(np.ceil(frame.time * fps - ALMOST))):
                share = (number / fps - time) / (frame.time - time)
                if share * fps * (frame.time - time) < ALMOST:
                    last.number = number
                    yield last
                else:
                    yield between(number, share, frame.time - time, last, new)
        last, time = new, frame.time
    if last is not None and abs(time * fps - round(time * fps)) < ALMOST:
        last.number = round(time * fps)
        yield last


class Stage:
    """A file of USD that is being written."""

    def __init__(self, path: str, scene: Scene, fps: float, pxr: Any) -> None:
        self.pxr, self.path = pxr, path
        if os.path.exists(path):
            os.remove(path)
        self.stage = stage = pxr.Usd.Stage.CreateNew(path)
        pxr.UsdGeom.SetStageUpAxis(stage, pxr.UsdGeom.Tokens.z)
        pxr.UsdGeom.SetStageMetersPerUnit(stage, 1.0)
        stage.SetTimeCodesPerSecond(fps)
        stage.SetFramesPerSecond(fps)
        x0, y0, x1, y1 = scene.bbox
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2]).round()
        self.origin = middle if max(abs(side) for side in scene.bbox) > NEAR else np.zeros(2)
        stage.GetRootLayer().customLayerData = {
            "throng": {"origin_m": pxr.Gf.Vec2d(*self.origin), "title": scene.title,
                       "attribution": scene.attribution, "seconds_at_time_code_0": 0.0}}
        root = pxr.UsdGeom.Xform.Define(stage, "/run")
        stage.SetDefaultPrim(root.GetPrim())
        for scope in ("map", "materials"):
            pxr.UsdGeom.Scope.Define(stage, f"/run/{scope}")

    def colour(self, prim: Any, name: str, colour: tuple[float, ...]) -> None:
        """Gives it a colour, and a material for programs that look only at those."""
        pxr, path = self.pxr, f"/run/materials/{name}"
        prim.GetDisplayColorAttr().Set([colour])
        material = pxr.UsdShade.Material.Define(self.stage, path)
        shader = pxr.UsdShade.Shader.Define(self.stage, path + "/surface")
        shader.CreateIdAttr("UsdPreviewSurface")
        shader.CreateInput("diffuseColor", pxr.Sdf.ValueTypeNames.Color3f).Set(colour)
        shader.CreateInput("roughness", pxr.Sdf.ValueTypeNames.Float).Set(.9)
        material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        pxr.UsdShade.MaterialBindingAPI.Apply(prim.GetPrim()).Bind(material)

    def write_map(self, scene: Scene, height: float, earcut: Any) -> None:
        """A mesh for each kind of ground and wall."""
        vt = self.pxr.Vt
        for solid in solids_of(scene, self.origin, height, earcut):
            mesh = self.pxr.UsdGeom.Mesh.Define(self.stage, f"/run/map/{solid.name}")
            points = vt.Vec3fArray.FromNumpy(solid.points.astype(np.float32))
            mesh.GetPointsAttr().Set(points)
            mesh.GetFaceVertexCountsAttr().Set(vt.IntArray(len(solid.triangles), 3))
            mesh.GetFaceVertexIndicesAttr().Set(vt.IntArray.FromNumpy(
                np.ascontiguousarray(solid.triangles.ravel(), np.int32)))
            mesh.GetSubdivisionSchemeAttr().Set("none")
            mesh.GetDoubleSidedAttr().Set(True)
            mesh.GetExtentAttr().Set(self.pxr.UsdGeom.PointBased.ComputeExtent(points))
            self.colour(mesh, solid.name, COLOURS[solid.name])

    def write_person(self, number: int) -> str:
        """The prototype of people with a destination; returns its path."""
        geom, path = self.pxr.UsdGeom, f"/run/people/prototypes/person_{number}"
        geom.Xform.Define(self.stage, path)
        body = geom.Capsule.Define(self.stage, path + "/body")
        body.GetAxisAttr().Set(geom.Tokens.z)
        body.GetRadiusAttr().Set(WIDE)
        body.GetHeightAttr().Set(TALL - 2 * WIDE)
        body.GetExtentAttr().Set([(-WIDE, -WIDE, -TALL / 2), (WIDE, WIDE, TALL / 2)])
        geom.XformCommonAPI(body).SetTranslate((0, 0, TALL / 2))
        nose = geom.Sphere.Define(self.stage, path + "/nose")
        nose.GetRadiusAttr().Set(.06)
        nose.GetExtentAttr().Set([(-.06, -.06, -.06), (.06, .06, .06)])
        geom.XformCommonAPI(nose).SetTranslate((WIDE, 0, FACE))
        for part in (body, nose):
            self.colour(part, f"people_{number}", PEOPLE[number])
        return path

    def write_people(self, crowds: Iterator[Crowd], scene: Scene) -> int:
        """Instances, frame by frame; what was written leaves memory (not of .usda). Returns the
        number of frames."""
        people = self.pxr.UsdGeom.PointInstancer.Define(self.stage, "/run/people")
        for number in range(len(PEOPLE)):
            people.GetPrototypesRel().AddTarget(self.write_person(number))
        x0, y0, x1, y1 = scene.bbox
        people.GetExtentAttr().Set([(x0 - self.origin[0], y0 - self.origin[1], 0),
                                    (x1 - self.origin[0], y1 - self.origin[1], TALL)])
        first, last, count, size = 0, 0, 0, 0
        for crowd in crowds:
            with self.pxr.Sdf.ChangeBlock():
                size += self.set_crowd(people, crowd)
            first, last, count = first if count else crowd.number, crowd.number, count + 1
            if size > PART and not self.path.endswith(".usda"):
                self.stage.GetRootLayer().Save()
                size = 0
        self.stage.SetStartTimeCode(first)
        self.stage.SetEndTimeCode(last)
        return count

    def set_crowd(self, people: Any, crowd: Crowd) -> int:
        """The people of a frame; returns the bytes that they take."""
        vt, count = self.pxr.Vt, len(crowd.ids)
        flat = np.zeros((count, 3), np.float32)
        flat[:, :2] = crowd.places - self.origin
        moves, sizes = np.zeros((count, 3), np.float32), np.ones((count, 3), np.float32)
        moves[:, :2], sizes[:, :2] = crowd.velocities, (crowd.radii / WIDE)[:, None]
        turns = np.zeros((count, 4), np.float16)  # x, y, z, w
        turns[:, 2], turns[:, 3] = np.sin(crowd.angles / 2), np.cos(crowd.angles / 2)
        kinds = np.where(crowd.destinations < 0, 0, crowd.destinations % (len(PEOPLE) - 1) + 1)
        for attribute, values in (
                (people.GetIdsAttr(), vt.Int64Array.FromNumpy(crowd.ids.astype(np.int64))),
                (people.GetProtoIndicesAttr(), vt.IntArray.FromNumpy(kinds.astype(np.int32))),
                (people.GetPositionsAttr(), vt.Vec3fArray.FromNumpy(flat)),
                (people.GetVelocitiesAttr(), vt.Vec3fArray.FromNumpy(moves)),
                (people.GetScalesAttr(), vt.Vec3fArray.FromNumpy(sizes)),
                (people.GetOrientationsAttr(), vt.QuathArray.FromNumpy(turns))):
            attribute.Set(values, crowd.number)
        return 60 * count

    def close(self) -> None:
        """Completes the file."""
        self.stage.GetRootLayer().Save()
        self.stage = None


def write(run: Run, path: str, selection: Selection, height: float | None, fps: float | None
          ) -> int:
    """Writes the scene; returns the number of frames."""
    try:
        import mapbox_earcut as earcut
        import pxr
        from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, Vt  # noqa: F401  (submodules of pxr)
    except ImportError as missing:
        raise Error(f"usd needs OpenUSD and earcut ({missing}): pip install usd-core mapbox_earcut"
                    ) from None
    if not path.endswith(ENDINGS):
        raise Error(f"usd: a file with the ending {', '.join(ENDINGS)} is expected")
    for name, value in (("height", height), ("fps", fps)):
        if value is not None and not 0 < value < np.inf:
            raise Error(f"--{name}: a number above 0 is expected")
    scene = Scene(run.folder)
    stage = Stage(path, scene, fps or FPS, pxr)
    stage.write_map(scene, height or HEIGHT, earcut)
    count = stage.write_people(film(run.trajectory.frames(selection), fps or FPS), scene)
    stage.close()
    return count
