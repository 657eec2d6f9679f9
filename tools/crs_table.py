#!/usr/bin/env python3
"""Makes src/scenario/shapes/crs_table.c from PROJ's database: crs_table.py FILE

It lists the codes of EPSG and Esri whose coordinates are not true metres. Needs pyproj and numpy
(pip install pyproj numpy)."""
import argparse
import math
import warnings

import numpy as np
import pyproj
from pyproj.database import query_crs_info

AUTHORITIES = ("EPSG", "ESRI")
LEFT_OUT = ("VERTICAL_CRS", "GEOCENTRIC_CRS")  # without a longitude or an x
STRETCHED = 0.02  # of a length, somewhere in the area that the system is made for
GAP = 4  # codes that nobody uses may lie within a range
HEAD = """\
// Made by tools/crs_table.py from the database of PROJ {version}; do not edit.
#include "crs_table.h"

// clang-format off
#define D CRS_DEGREES
#define U CRS_OTHER_UNIT
#define S CRS_STRETCHED
#define A CRS_OTHER_ANGLES
const struct crs_range crs_table[] = {{
"""
TAIL = """\
};
// clang-format on
const int crs_table_count = sizeof crs_table / sizeof *crs_table;
"""


def horizontal(crs):
    """Without heights."""
    if crs.is_compound:
        crs = crs.sub_crs_list[0]
    while crs.is_bound:
        crs = crs.source_crs
    return crs


def stretch(crs):
    """By how much lengths are wrong at worst."""
    area = crs.area_of_use
    east = area.east + 360 * (area.east < area.west)
    lon, lat = np.meshgrid(np.linspace(area.west, east, 9),
                           np.linspace(max(area.south, -85), min(area.north, 85), 9))
    try:
        found = pyproj.Proj(crs).get_factors((lon.ravel() + 180) % 360 - 180, lat.ravel())
    except pyproj.exceptions.ProjError:  # a scale of -1: x to the west, y to the south
        return 0
    scales = np.array([found.tissot_semimajor, found.tissot_semiminor])
    scales = scales[np.isfinite(scales)]
    return np.abs(scales - 1).max() if scales.size else math.inf


def kind_of(crs):
    """The letter of the kind in the table, or "" for metres."""
    crs = horizontal(crs)
    units = [axis.unit_conversion_factor for axis in crs.axis_info[:2]]
    if crs.is_geographic:
        degrees = all(abs(unit - math.pi / 180) < 1e-12 for unit in units)
        return "D" if degrees and crs.prime_meridian.longitude == 0 else "A"
    if abs(units[0] - 1) > 1e-3:  # the German legal metre is one
        return "U"
    return "S" if stretch(crs) > STRETCHED else ""


def ranges():
    """[first, last, kind] of all that are not metres."""
    kinds = {int(info.code): kind_of(pyproj.CRS.from_authority(info.auth_name, info.code))
             for info in query_crs_info(allow_deprecated=True)
             if info.auth_name in AUTHORITIES and info.type.name not in LEFT_OUT}
    found = []
    for code in sorted(kinds):
        if found and found[-1][2] == kinds[code] and code - found[-1][1] <= GAP:
            found[-1][1] = code
        else:
            found.append([code, code, kinds[code]])
    return [one for one in found if one[2]]


def main():
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", metavar="FILE")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    line, lines = "", []
    for first, last, kind in ranges():
        word = f"{{{first}, {last}, {kind}}}, "
        if len(line + word) > 98:
            lines.append(line)
            line = ""
        line += word
    with open(options.file, "w", encoding="utf-8") as out:
        out.write(HEAD.format(version=pyproj.proj_version_str))
        out.writelines(f"  {text.rstrip()}\n" for text in [*lines, line])
        out.write(TAIL)


if __name__ == "__main__":
    main()
