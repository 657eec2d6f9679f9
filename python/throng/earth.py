"""Where on earth a run is: its metres as coordinates of a reference system, by GDAL.

throng projects a map in degrees by two factors, metres per degree of longitude and of latitude at
the map's middle (throng.scene). So a run's coordinates are degrees on WGS84 again, exactly, by two
divisions; a square grid stays a regular grid. No projection of PROJ has both factors.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from throng.errors import Error, one_line
from throng.scene import Scene, metres_per_degree

DEGREES, METRES = "wgs84", "local"  # reference systems; others are those that GDAL knows


def gdal_modules(kind: str) -> tuple[Any, Any, Any]:
    """gdal, ogr and osr, which raise exceptions from now on."""
    try:
        from osgeo import gdal, ogr, osr
    except ImportError as missing:
        raise Error(f"{kind} needs GDAL's Python ({missing}): apt-get install python3-gdal"
                    ) from None
    for module in (gdal, ogr, osr):
        module.UseExceptions()
    gdal.PushErrorHandler("CPLQuietErrorHandler")  # an error is an exception and nothing else
    return gdal, ogr, osr


@dataclass
class Reference:
    """A reference system: system (osr), name, centre (longitude, latitude of 0, 0 m; None: the
    coordinates are the run's metres), and a transformation from degrees, if there is one."""

    system: Any
    name: str
    centre: tuple[float, float] | None
    transformation: Any = None

    @property
    def is_regular(self) -> bool:
        """Whether a square grid in metres is a regular grid here."""
        return self.transformation is None

    def points(self, xy: np.ndarray) -> np.ndarray:
        """Coordinates [n][2] of points [n][2] (m)."""
        xy = np.asarray(xy, float)
        if self.centre is None:
            return xy
        degrees = xy / metres_per_degree(self.centre[1]) + self.centre
        if self.transformation is None or len(xy) == 0:
            return degrees
        return np.array(self.transformation.TransformPoints(degrees))[:, :2]


def reference_of(scene: Scene, wanted: str | None, osr: Any) -> Reference:
    """The wanted system: wgs84, local, or what GDAL knows, as EPSG:25832. By default degrees if the
    run is somewhere on earth, otherwise its metres."""
    wanted = wanted or (DEGREES if scene.centre else METRES)
    system = osr.SpatialReference()
    if wanted.lower() == METRES:
        system.SetLocalCS(scene.title or "throng")
        system.SetLinearUnits("metre", 1.0)
        return Reference(system, "metres of the scenario", None)
    if scene.centre is None:
        raise Error(f"--crs {wanted}: the run does not say where on earth it is (its geometry is "
                    "not in degrees); --crs local has metres")
    degrees = osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    degrees.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    if wanted.lower() == DEGREES:
        return Reference(degrees, "EPSG:4326", scene.centre)
    try:
        system.SetFromUserInput(wanted)
    except RuntimeError as error:
        raise Error(f"--crs {wanted}: wgs84, local, or what GDAL knows, as EPSG:25832, is expected "
                    f"({one_line(error)})") from None
    system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return Reference(system, wanted, scene.centre, osr.CoordinateTransformation(degrees, system))
