"""The measured grid of a run as GeoTIFF: a band for each quantity, for QGIS and others."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from throng.earth import Reference, gdal_modules, reference_of
from throng.errors import Error
from throng.files import Field, Totals, field_paths
from throng.scene import Scene

OPTIONS = ["TILED=YES", "COMPRESS=DEFLATE", "PREDICTOR=3", "BIGTIFF=IF_SAFER", "SPARSE_OK=TRUE"]
FLOAT32 = 6  # gdal.GDT_Float32
ALMOST = 1e-6  # s, to compare times


@dataclass
class Band:
    """values [rows][columns], the lowest row first; nan: no data."""

    name: str
    unit: str
    values: np.ndarray


@dataclass
class Grid:
    """Bands of square cells: corner [2] (m), the lower left one; cell (m); about: what the file
    says of it."""

    corner: np.ndarray
    cell: float
    bands: list[Band]
    about: dict[str, str]

    def edges(self) -> np.ndarray:
        """The lower left and the upper right corner [2][2] (m)."""
        rows, columns = self.bands[0].values.shape
        return self.corner + [[0, 0], [columns * self.cell, rows * self.cell]]


def where_people_were(values: np.ndarray) -> np.ndarray:
    """Mean speeds, with no data where nobody was."""
    return np.where(values > 0, values, np.nan)


def grid_of_totals(totals: Totals) -> Grid:
    """The whole run."""
    density, speed, span = "persons/m^2", "m/s", f"0 to {totals.time:g} s"
    bands = [Band("mean density", density, totals.density),
             Band("maximum density", density, totals.max_density),
             Band("maximum mean density of an interval", density, totals.max_mean_density)]
    bands += [Band(f"time at {level:.3g} persons/m^2 or more", "s",
                   totals.samples_above[..., k] * totals.sample)
              for k, level in enumerate(totals.levels)]
    bands += [Band("mean speed", speed, where_people_were(totals.speed)),
              Band("delay", "person s", totals.delay),
              Band("person-seconds", "person s", totals.people * totals.sample)]
    return Grid(totals.corner, totals.cell, bands, {"time": span})


def grid_of_field(folder: str, at: float) -> Grid:
    """The interval of a density file that ends at a time (s)."""
    fields = [Field(path) for path in field_paths(folder).values()]
    found = [field for field in fields if abs(field.time - at) < ALMOST]
    if not found:
        some = ", ".join(f"{field.time:g}" for field in fields[:8])
        raise Error(f"--at {at:g}: no density file of this time; there are {some}"
                    f"{', ...' if len(fields) > 8 else ''} s")
    field = found[0]
    return Grid(field.corner, field.cell,
                [Band("mean density", "persons/m^2", field.density),
                 Band("mean speed", "m/s", where_people_were(field.speed))],
                {"time": f"the interval that ends at {field.time:g} s"})


def write(folder: str, path: str, at: float | None, crs: str | None) -> int:
    """Writes the totals of a run, or the density file of a time (s); returns the number of
    bands."""
    gdal, _, osr = gdal_modules("geotiff")
    scene = Scene(folder)
    reference = reference_of(scene, crs, osr)
    if at is None and not os.path.exists(os.path.join(folder, "totals.vtkhdf")):
        raise Error(f"{folder}: no totals.vtkhdf, which a run with measure.grid writes at its end; "
                    "--at T writes the density file of an interval")
    grid = grid_of_totals(Totals(folder)) if at is None else grid_of_field(folder, at)
    grid.about |= {"title": scene.title, "attribution": scene.attribution}
    if reference.is_regular:
        fill(gdal.GetDriverByName("GTiff"), path, grid, reference, OPTIONS)
    else:
        degrees = reference_of(scene, "wgs84", osr)
        source = fill(gdal.GetDriverByName("MEM"), "", grid, degrees, [])
        gdal.Warp(path, source, dstSRS=reference.system.ExportToWkt(), format="GTiff",
                  resampleAlg="near", xRes=grid.cell, yRes=grid.cell, creationOptions=OPTIONS)
        describe(gdal.Open(path, gdal.GA_Update), grid)
    require_whole(gdal, path, len(grid.bands))
    return len(grid.bands)


def fill(driver: Any, path: str, grid: Grid, reference: Reference, options: list[str]) -> Any:
    """A dataset with the bands, the northernmost row first."""
    rows, columns = grid.bands[0].values.shape
    (x0, y0), (x1, y1) = reference.points(grid.edges())
    data = driver.Create(path, columns, rows, len(grid.bands), FLOAT32, options)
    data.SetGeoTransform((x0, (x1 - x0) / columns, 0, y1, 0, (y0 - y1) / rows))
    data.SetProjection(reference.system.ExportToWkt())
    describe(data, grid)
    for number, band in enumerate(grid.bands, 1):
        values = np.ascontiguousarray(band.values[::-1], np.float32)
        data.GetRasterBand(number).WriteArray(values)
    data.FlushCache()
    return data


def describe(data: Any, grid: Grid) -> None:
    """Names, units and values without data."""
    data.SetMetadata({name: value for name, value in grid.about.items() if value})
    for number, band in enumerate(grid.bands, 1):
        target = data.GetRasterBand(number)
        target.SetDescription(band.name)
        target.SetUnitType(band.unit)
        target.SetNoDataValue(float("nan"))
    data.FlushCache()


def require_whole(gdal: Any, path: str, bands: int) -> None:
    """An error if the file cannot be read: GDAL reports a full disk too late to be heard."""
    data = gdal.Open(path)
    if data is None or data.RasterCount != bands:
        raise OSError("GDAL wrote an incomplete file")
    for number in range(1, bands + 1):
        data.GetRasterBand(number).Checksum()
