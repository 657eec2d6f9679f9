#!/usr/bin/env python3
"""Runs the notebooks of python/notebooks by Jupyter, and keeps their pictures:

    run_notebooks.py THRONG [--pictures DIR] [NAME...]      (needs nbclient, ipykernel and PedPy)

DIR: by default docs/images. NAME: only notebooks whose name begins like this. They run in a copy of
their folder, since a sweep would read the results of an earlier one."""
import argparse
import base64
import os
import pathlib
import shutil
import sys
import tempfile
import time

import nbclient
import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "python/notebooks"
MINUTES = 30  # for one cell


def copy_of_the_folder(root):
    """The notebooks in an empty folder, beside what they read from the checkout."""
    shutil.copytree(FOLDER, root / "python/notebooks", ignore=shutil.ignore_patterns("runs"))
    for name in ("configs", "tests"):
        os.symlink(ROOT / name, root / name)
    return root / "python/notebooks"


def outputs_of(book):
    """[(kind, text or bytes of a PNG)] in order."""
    found = []
    for cell in book.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                found.append(("picture", base64.b64decode(data["image/png"])))
            elif output.output_type == "stream":
                found.append(("text", output.text))
            elif "text/plain" in data:
                found.append(("text", data["text/plain"] + "\n"))
    return found


def run(path, folder, pictures):
    """Runs a notebook, prints its texts and keeps its pictures; returns whether it ended well."""
    book, begin = nbformat.read(path, as_version=4), time.monotonic()
    client = nbclient.NotebookClient(book, timeout=60 * MINUTES, kernel_name="python3",
                                     resources={"metadata": {"path": str(folder)}})
    try:
        client.execute()
        good = True
    except nbclient.exceptions.CellExecutionError as error:
        print(error)
        good = False
    number = 0
    for kind, data in outputs_of(book):
        if kind == "text":
            print("  " + data.rstrip("\n").replace("\n", "\n  "))
        elif good:
            number += 1
            (pictures / f"notebook-{path.stem}-{number}.png").write_bytes(data)
    print(f"{path.stem}: {'passed' if good else 'FAILED'}, {number} pictures, "
          f"{time.monotonic() - begin:.0f} s", flush=True)
    return good


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("throng")
    words.add_argument("--pictures", type=pathlib.Path, default=ROOT / "docs/images")
    words.add_argument("names", nargs="*", default=[""])
    chosen = words.parse_intermixed_args()
    os.environ.update({"THRONG": os.path.abspath(chosen.throng), "PYTHONPATH": str(ROOT / "python"),
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    chosen.pictures.mkdir(parents=True, exist_ok=True)
    paths = [path for path in sorted(FOLDER.glob("*.ipynb"))
             if path.stem.startswith(tuple(chosen.names))]
    if not paths:
        sys.exit(f"no notebook of {', '.join(chosen.names)} in {FOLDER}")
    with tempfile.TemporaryDirectory() as root:
        folder = copy_of_the_folder(pathlib.Path(root))
        good = [run(path, folder, chosen.pictures) for path in paths]
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
