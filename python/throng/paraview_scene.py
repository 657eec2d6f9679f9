"""A run of throng in ParaView 5.11 or newer: people, walls, water and density over time.

    pvpython THIS_FILE --picture town.png --time 120    a picture
    pvpython THIS_FILE --film frames                    frames/0000.png, one for each snapshot
    pvpython THIS_FILE --state town.pvsm                a state file
    paraview --script=THIS_FILE                         the window, also by File > Load State...

Pictures take --size 1600,1000, --top (from above) and --region X0,Y0,X1,Y1 (m). Debian's ParaView
needs a screen; without one: xvfb-run -a -s "-screen 0 1600x1200x24 -noreset" pvpython THIS_FILE ...
Written by throng export. The paths in it are relative to this file.
"""
import argparse
import builtins  # ParaView puts its own min, max and abs over those of this file
import math
import os
import sys

from paraview import simple

RUN = {}  # throng export writes this line
HERE = os.path.dirname(os.path.abspath(globals().get("__file__") or RUN["script"]))
GROUND, LOCKED, WATER, WALL, GOAL, PAPER = (  # colours
    (.93, .92, .89), (.85, .84, .79), (.62, .77, .87), (.55, .53, .50), (.56, .76, .53), (1, 1, 1))
FLAT = ("water", "sea", "locked")  # kinds of obstacles that nothing stands on
LEVELS = ((1, .95, .68), (1, .85, .46), (.99, .60, .24), (.94, .35, .17), (.72, .12, .25),
          (.35, .06, .29))  # of service, A to F

SURFACES = '''
import json
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkAppendPolyData
from vtkmodules.vtkFiltersGeneral import vtkContourTriangulator
from vtkmodules.vtkFiltersModeling import vtkLinearExtrusionFilter

def polylines(parts, closed):
    points, cells, data = vtkPoints(), vtkCellArray(), vtkPolyData()
    for part in parts:
        part = np.array(part, float)[:, :2] - ORIGIN
        if closed and np.array_equal(part[0], part[-1]):
            part = part[:-1]
        first = points.GetNumberOfPoints()
        for x, y in part:
            points.InsertNextPoint(x, y, BOTTOM)
        ids = list(range(first, first + len(part))) + ([first] if closed else [])
        cells.InsertNextCell(len(ids), ids)
    data.SetPoints(points)
    data.SetLines(cells)
    return data

def filled(rings):
    triangles = vtkContourTriangulator()
    triangles.SetInputData(polylines(rings, True))
    triangles.Update()
    return triangles.GetOutput()

def shapes(geometry):
    kind, found = geometry["type"], geometry["coordinates"]
    for part in found if kind.startswith("Multi") else [found]:
        if kind.endswith("Polygon") and FILL:
            yield filled(part)
        elif kind.endswith("Polygon"):
            yield polylines(part, True)
        elif kind.endswith("LineString"):
            yield polylines([part], False)

everything = vtkAppendPolyData()
count = 0
for feature in json.load(open(MAP, encoding="utf-8"))["features"]:
    about = feature["properties"]
    if about["role"] not in ROLES or not feature.get("geometry"):
        continue
    if about["role"] == "obstacle" and (about.get("kind") if about.get("kind") in FLAT
                                        else "raised") not in KINDS:
        continue
    for shape in shapes(feature["geometry"]):
        everything.AddInputData(shape)
        count += 1
if count:
    everything.Update()
    data = everything.GetOutput()
    if HEIGHT:
        solid = vtkLinearExtrusionFilter()
        solid.SetInputData(data)
        solid.SetExtrusionTypeToVectorExtrusion()
        solid.SetVector(0, 0, HEIGHT)
        solid.Update()
        data = solid.GetOutput()
    self.GetOutput().ShallowCopy(data)
'''

PEOPLE = '''
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray

def blocks(data):
    if data is None:
        return
    if not data.IsA("vtkMultiBlockDataSet"):
        yield data
        return
    for i in range(data.GetNumberOfBlocks()):
        yield from blocks(data.GetBlock(i))

out = self.GetOutput()
out.SetPoints(vtkPoints())
size, turn = np.zeros((0, 3)), np.zeros((0, 3))
for block in blocks(self.GetInputDataObject(0, 0)):
    values = block.GetPointData()
    if not values.HasArray("id"):
        continue  # walls
    out.SetPoints(block.GetPoints())
    out.GetPointData().ShallowCopy(values)
    count = block.GetNumberOfPoints()
    size, turn = np.ones((count, 3)), np.zeros((count, 3))
    size[:, :2] = (vtk_to_numpy(values.GetArray("radius"))[:, None] if values.HasArray("radius")
                   else .2)
    if values.HasArray("velocity"):
        vx, vy = vtk_to_numpy(values.GetArray("velocity"))[:, :2].T
        turn[:, 2] = np.degrees(np.arctan2(vy, vx))
cells = vtkCellArray()
for i in range(out.GetNumberOfPoints()):
    cells.InsertNextCell(1, [i])
out.SetVerts(cells)
for name, array in (("size", size), ("turn", turn)):
    array = numpy_to_vtk(np.ascontiguousarray(array), deep=1)
    array.SetName(name)
    out.GetPointData().AddArray(array)
'''

# A body, a head and a nose: 1 wide, which is scaled by the radius, and 1.75 m high.
PERSON = '''
from vtkmodules.vtkCommonTransforms import vtkTransform
from vtkmodules.vtkFiltersCore import vtkAppendPolyData
from vtkmodules.vtkFiltersGeneral import vtkTransformPolyDataFilter
from vtkmodules.vtkFiltersSources import vtkConeSource, vtkCylinderSource, vtkSphereSource

def moved(source, scale, up, turn=0):
    transform, change = vtkTransform(), vtkTransformPolyDataFilter()
    transform.Translate(0, 0, up)
    transform.Scale(*scale)
    transform.RotateX(turn)
    change.SetTransform(transform)
    change.SetInputConnection(source.GetOutputPort())
    change.Update()
    return change.GetOutput()

person = vtkAppendPolyData()
body, head, nose = vtkCylinderSource(), vtkSphereSource(), vtkConeSource()
body.SetRadius(1)
body.SetResolution(12)
head.SetRadius(1)
nose.SetCenter(.8, 0, 0)
person.AddInputData(moved(body, (1, 1, 1.45), .725, 90))
person.AddInputData(moved(head, (.6, .6, .15), 1.6))
person.AddInputData(moved(nose, (.6, .6, .1), 1.6))
person.Update()
self.GetOutput().ShallowCopy(person.GetOutput())
'''


def path_of(name):
    """The path of a file that is named relative to this one."""
    return os.path.normpath(os.path.join(HERE, name))


def surfaces(name, roles, kinds=(), fill=True, bottom=0.0, height=0.0):
    """A source: the parts of the map with these roles, filled or as lines, up to a height (m).
    kinds of obstacles: of FLAT, or raised for all others."""
    constants = {"MAP": path_of(RUN["map"]), "ORIGIN": RUN["origin"], "ROLES": roles, "FLAT": FLAT,
                 "KINDS": kinds, "FILL": fill, "BOTTOM": bottom, "HEIGHT": height}
    script = "".join(f"{key} = {value!r}\n" for key, value in constants.items()) + SURFACES
    source = simple.ProgrammableSource(registrationName=name, Script=script)
    source.OutputDataSetType = "vtkPolyData"
    return source


def shown(view, source, colour, opacity=1.0, ambient=1.0):
    """Shows a source in one colour; what is flat has the same one from everywhere."""
    display = simple.Show(source, view)
    display.DiffuseColor = display.AmbientColor = colour
    display.Opacity, display.Specular = opacity, 0
    display.Ambient, display.Diffuse = ambient, 1 - ambient


def show_map(view):
    """Ground, water, destinations, buildings and walls."""
    height = RUN["height"]
    shown(view, surfaces("ground", ["ground"], bottom=-.1), GROUND)
    shown(view, surfaces("locked", ["obstacle"], ["locked"], bottom=-.06), LOCKED)
    shown(view, surfaces("water", ["obstacle"], ["water", "sea"], bottom=-.04), WATER)
    shown(view, surfaces("walkable", ["walkable"], bottom=-.02), PAPER)
    shown(view, surfaces("destinations", ["destination"], bottom=.02), GOAL, .6)
    shown(view, surfaces("buildings", ["obstacle"], ["raised"], height=height), WALL, 1, .45)
    shown(view, surfaces("walls", ["wall", "walkable"], fill=False, height=height), WALL,
          1, .45)


def show_people(view):
    """People as bodies of their width, which look where they walk, coloured by speed."""
    series = simple.XDMFReader(registrationName="snapshots", FileNames=[path_of(RUN["series"])])
    people = simple.ProgrammableFilter(registrationName="people", Input=series, Script=PEOPLE)
    people.OutputDataSetType = "vtkPolyData"
    person = simple.ProgrammableSource(registrationName="person", Script=PERSON)
    person.OutputDataSetType = "vtkPolyData"
    display = simple.Show(people, view)
    display.SetRepresentationType("3D Glyphs")
    display.GlyphType = "Pipeline Connection"
    display.GlyphType.Input = person
    display.Orient, display.OrientationMode = 1, "Rotation"
    display.SelectOrientationVectors = "turn"
    display.Scaling, display.ScaleMode = 1, "Vector Components"
    display.SelectScaleArray, display.ScaleFactor = "size", 1.0
    display.Ambient, display.Diffuse = .35, .7
    simple.ColorBy(display, ("POINTS", "speed"))
    colours = simple.GetColorTransferFunction("speed")
    colours.ApplyPreset("Viridis (matplotlib)", True)
    colours.RescaleTransferFunction(0.0, 1.5)
    colours.AutomaticRescaleRangeMode = "Never"
    add_bar(view, colours, "speed, m/s", "Upper Right Corner")
    label = simple.AnnotateTimeFilter(registrationName="time", Input=series, Format="{time:g} s")
    display = simple.Show(label, view)
    display.Color, display.WindowLocation = (.1, .1, .1), "Upper Left Corner"


def show_density(view):
    """The measured cells where somebody was, as levels of service."""
    if not RUN["density"]:
        return
    grid = simple.XDMFReader(registrationName="density", FileNames=[path_of(RUN["density"])])
    used = simple.Threshold(registrationName="cells with people", Input=grid)
    used.Scalars, used.LowerThreshold, used.UpperThreshold = ["CELLS", "density"], 1e-6, 1e9
    display = simple.Show(used, view)
    display.SetRepresentationType("Surface")
    simple.ColorBy(display, ("CELLS", "density"))
    display.Opacity, display.Ambient, display.Diffuse = .85, 1, 0
    colours, points = simple.GetColorTransferFunction("density"), []
    limits = [0.0, *RUN["fruin_limits"], 2 * RUN["fruin_limits"][-1]]
    for low, high, colour in zip(limits[:-1], limits[1:], LEVELS):
        points += [low, *colour, high - 1e-6, *colour]
    colours.RGBPoints, colours.ColorSpace = points, "RGB"
    colours.AutomaticRescaleRangeMode = "Never"
    add_bar(view, colours, "persons/m^2, A to F", "Lower Right Corner")


def add_bar(view, colours, title, place):
    """A legend."""
    bar = simple.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle, bar.WindowLocation = title, "", place
    bar.TitleColor = bar.LabelColor = (.1, .1, .1)
    bar.TitleFontSize = bar.LabelFontSize = 12
    bar.ScalarBarLength = .25
    bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.1f", "%.1f"
    bar.Visibility = 1


def look(view, box, top, aspect):
    """The camera on a box (m): from the south, or from above with north at the top. aspect: width
    of the picture over its height."""
    x0, y0, x1, y1 = (box[i] - RUN["origin"][i % 2] for i in range(4))
    x, y, height = (x0 + x1) / 2, (y0 + y1) / 2, RUN["height"]
    tilt = math.radians(90 if top else 50)
    back, up = (-math.cos(tilt), math.sin(tilt)), (math.sin(tilt), math.cos(tilt))  # y, z
    tall = math.tan(math.radians(view.CameraViewAngle / 2)) * .95
    distance = builtins.max(
        builtins.max(math.fabs(px - x) / (tall * aspect),
                     math.fabs((py - y) * up[0] + pz * up[1]) / tall)
        + (py - y) * back[0] + pz * back[1]
        for px in (x0, x1) for py in (y0, y1) for pz in (0, height))
    view.CameraFocalPoint = view.CenterOfRotation = (x, y, 0)
    view.CameraPosition = (x, y + distance * back[0], distance * back[1])
    view.CameraViewUp = (0, *up)


def build():
    """The whole view."""
    simple._DisableFirstRenderCameraReset()  # pylint: disable=protected-access
    view = simple.GetActiveViewOrCreate("RenderView")
    view.UseColorPaletteForBackground = 0
    view.Background = PAPER
    view.OrientationAxesVisibility = 0
    show_map(view)
    show_density(view)
    show_people(view)
    words = "  ".join(filter(None, (RUN["title"], RUN["attribution"])))
    if words:
        display = simple.Show(simple.Text(registrationName="title", Text=words), view)
        display.Color, display.WindowLocation = (.1, .1, .1), "Lower Left Corner"
        display.FontSize = 12
    return view


def numbers(text):
    """Numbers with commas between them."""
    return [float(word) for word in text.split(",")]


def main(words):
    """Builds the view and writes what is asked for."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--picture")
    parser.add_argument("--film")
    parser.add_argument("--state")
    parser.add_argument("--time", type=float)
    parser.add_argument("--size", default="1600,1000")
    parser.add_argument("--region")
    parser.add_argument("--top", action="store_true")
    if "--region" in words[:-1]:  # argparse takes a value with a minus for an option
        at = words.index("--region")
        words = [*words[:at], f"--region={words[at + 1]}", *words[at + 2:]]
    given = parser.parse_args(words)
    view = build()
    size = [int(number) for number in numbers(given.size)]
    if words:  # the window has its own size
        view.ViewSize = size
    look(view, numbers(given.region) if given.region else RUN["bbox"], given.top,
         size[0] / size[1])
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.PlayMode = "Snap To TimeSteps"

    def picture(time, path):
        scene.AnimationTime = view.ViewTime = time
        simple.SaveScreenshot(path, view, ImageResolution=size)

    times = RUN["times"]
    if given.picture:
        wanted = times[len(times) // 3] if given.time is None else given.time
        picture(builtins.min(times, key=lambda time: (time - wanted) ** 2), given.picture)
    if given.film:
        os.makedirs(given.film, exist_ok=True)
        for number, time in enumerate(times):
            picture(time, os.path.join(given.film, f"{number:04d}.png"))
    if given.state:
        simple.SaveState(given.state)


ASKED = {"--picture", "--film", "--state", "--help"} & {word.split("=")[0] for word in sys.argv}
main(sys.argv[1:] if ASKED else [])
