"""Does `throng info` say of density and totals files what h5py reads? check_info.py THRONG RUN"""
import glob
import re
import subprocess
import sys

import h5py
import numpy as np

THRONG, RUN = sys.argv[1:]


def info(path):
    """Exit code, what is printed, and the message."""
    done = subprocess.run([THRONG, "info", path], capture_output=True, text=True, timeout=60,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def check(path):
    code, text, _ = info(path)
    lines = text.splitlines()
    assert code == 0 and len(lines) < 25 and all(len(line) < 100 for line in lines), text
    assert "all checksums match" in lines[-1], text
    kind = "totals of a run" if "totals" in path else "densities"
    assert lines[0] == f"{path}: {kind} of throng", text
    with h5py.File(path) as file:
        about, grid = file["throng"].attrs, file["VTKHDF"].attrs
        data = {name: part[0] for name, part in file["VTKHDF/CellData"].items()}
        units = {name: part.attrs["unit"] for name, part in file["VTKHDF/CellData"].items()}
        corner, cell = grid["Origin"][:2] + about["origin"], float(about["cell"])
        rows, columns = data["people"].shape
        said = (f"cells {columns} x {rows} of {cell:g} m, with people: "
                f"{np.count_nonzero(data['people'])}",
                f"step {about['step']}, at {about['time']:g} s",
                f"samples {about['samples']}, later than "
                f"{about['since'] * about['time'] / about['step']:g} s"
                + (f", every {about['sample']:g} s" if "sample" in about else ""))
    squeezed = [" ".join(line.split()) for line in lines]
    assert set(said) <= set(squeezed), (said, text)
    names = [line.split()[0] for line in lines if "at most" in line or "0 everywhere" in line]
    assert names == sorted(data), (names, sorted(data))
    for name, values in data.items():
        line = next(line for line in squeezed if line.startswith(name + " "))
        unit = units[name].decode() if isinstance(units[name], bytes) else units[name]
        assert line.split()[1] == unit, line
        if not values.any():
            assert line.endswith("0 everywhere"), line
            continue
        found = re.search(r"at most (\S+) at \((\S+), (\S+)\) m(?:, all together (\S+))?$", line)
        most, x, y = map(float, found.groups()[:3])
        column, row = np.floor((np.array([x, y]) - corner) / cell).astype(int)
        assert np.isclose(most, values.max(), rtol=1e-5), (line, values.max())
        assert np.isclose(values[row, column].max(), most, rtol=1e-5), line
        if found[4]:
            assert np.isclose(float(found[4]), values.sum(dtype=float), rtol=1e-9), line


def check_damage(path):
    """Any byte may be another one, and the file may end anywhere: a message and 65, or it was of no
    importance."""
    with open(path, "rb") as file:
        whole = file.read()
    draw, codes = np.random.default_rng(1), []
    for trial in range(12):
        data, at = bytearray(whole), int(draw.integers(len(whole)))
        if trial % 6 == 5:
            data = data[:at]
        else:
            data[at] ^= 1 << int(draw.integers(8))
        with open(f"{RUN}/damaged.vtkhdf", "wb") as file:
            file.write(data)
        code, _, message = info(f"{RUN}/damaged.vtkhdf")
        assert code in (0, 65) and (code == 0) == (message == ""), (trial, at, code, message)
        codes.append(code)
    assert codes.count(65) > 2, codes


def main():
    paths = sorted(glob.glob(f"{RUN}/density-*.vtkhdf"))
    assert len(paths) > 1, paths
    for path in paths[1], f"{RUN}/totals.vtkhdf":
        check(path)
        check_damage(path)
    with h5py.File(f"{RUN}/totals.vtkhdf", "r+") as file:
        del file["VTKHDF/CellData/speed"]
        file["VTKHDF/CellData/speed"] = np.zeros((1, 3, 3))
    code, _, message = info(f"{RUN}/totals.vtkhdf")
    assert code == 65 and "speed has a shape that throng does not write" in message, message


main()
