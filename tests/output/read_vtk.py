"""Do VTK's own readers find the same? read_vtk.py vtkhdf|xdmf FOLDER"""
import os
import sys

try:
    import numpy as np
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)
from made_up import ORIGIN, WALLS, check, runs, same

VERSION = vtk.vtkVersion().GetVTKVersion()


def read_vtkhdf(path):
    """A file by vtkHDFReader."""
    reader = vtk.vtkHDFReader()
    check(reader.CanReadFile(path), f"{path}: VTK {VERSION} cannot read it")
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def check_agents(data, run, step):
    """Points and point data, by id."""
    check(data.GetNumberOfPoints() == run.agents, f"{data.GetNumberOfPoints()} points")
    if run.agents == 0:
        return
    arrays = data.GetPointData()
    back = np.argsort(vtk_to_numpy(arrays.GetArray("id")))
    same(vtk_to_numpy(data.GetPoints().GetData())[back], run.points(step), "points")
    for name, values in run.fields(step).items():
        check(arrays.HasArray(name), f"no array {name}")
        same(vtk_to_numpy(arrays.GetArray(name))[back].astype(values.dtype), values, name)


def check_walls(data):
    """The lines, corner by corner."""
    check(data.GetNumberOfCells() == len(WALLS), f"{data.GetNumberOfCells()} walls")
    for i, line in enumerate(WALLS):
        points = data.GetCell(i).GetPoints()
        same([points.GetPoint(k)[:2] for k in range(points.GetNumberOfPoints())],
             np.array(line, float) + ORIGIN, f"wall {i}")


def check_vtkhdf(run):
    """Every file by itself."""
    for step in run.steps:
        data = read_vtkhdf(run.path(step))
        check(data.IsA("vtkPolyData"), f"it is a {data.GetClassName()}")
        check(data.GetNumberOfVerts() == int(run.agents > 0), "vertices")
        check_agents(data, run, step)
    check_walls(read_vtkhdf(os.path.join(run.folder, "walls.vtkhdf")))


def blocks(data):
    """{name: grid} of a tree of blocks."""
    found = {}
    for i in range(data.GetNumberOfBlocks()):
        block = data.GetBlock(i)
        if block is not None and block.IsA("vtkMultiBlockDataSet"):
            found.update(blocks(block))
        elif block is not None:
            # The reader numbers grids of the same name: agents, agents[1], ...
            name = data.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME())
            found[name.split("[")[0]] = block
    return found


def check_xdmf(run):
    """The series in time."""
    reader = vtk.vtkXdmfReader()
    reader.SetFileName(os.path.join(run.folder, "snapshots.xdmf"))
    reader.UpdateInformation()
    key = vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    times = reader.GetOutputInformation(0).Get(key) or (0.0,)
    check(np.allclose(times, [0.1 * step for step in run.steps]), f"times {times}")
    for step in run.steps:
        reader.UpdateTimeStep(0.1 * step)
        found = blocks(reader.GetOutputDataObject(0))
        check(("agents" in found) == (run.agents > 0), f"blocks {list(found)}")
        if run.agents:
            check_agents(found["agents"], run, step)
        check_walls(found["walls"])


kind = sys.argv[1]
if kind == "vtkhdf" and tuple(map(int, VERSION.split(".")[:2])) < (9, 3):
    print(f"SKIPPED: VTK {VERSION} does not read VTKHDF PolyData; 9.3 does")
    sys.exit(77)
if kind == "xdmf" and not hasattr(vtk, "vtkXdmfReader"):
    print(f"SKIPPED: this VTK {VERSION} was built without XDMF")
    sys.exit(77)
for one in runs(sys.argv[2]):
    (check_vtkhdf if kind == "vtkhdf" else check_xdmf)(one)
    print(f"{os.path.basename(one.folder)}: right, by VTK {VERSION}")
