"""Do two runs have the same density files and totals, value by value? compare_fields.py ONE OTHER"""
import glob
import sys

import h5py
import numpy as np

ONE, OTHER = sys.argv[1:]
names = sorted(glob.glob("density-*.vtkhdf", root_dir=ONE))
assert names and names == sorted(glob.glob("density-*.vtkhdf", root_dir=OTHER)), names
for name in names + ["totals.vtkhdf"]:
    with h5py.File(f"{ONE}/{name}") as a, h5py.File(f"{OTHER}/{name}") as b:
        for key in a["VTKHDF/CellData"]:
            path = f"VTKHDF/CellData/{key}"
            assert np.array_equal(a[path][:], b[path][:]), (name, key)
        for group in ("VTKHDF", "throng"):
            for key, value in a[group].attrs.items():
                assert np.all(value == b[group].attrs[key]), (name, key)
