"""Do README.md and pages of docs/ work as printed? test_printed.py THRONG FOLDER PYTHON_WITH_PEDPY

Their scenarios, commands, Python and C (PAGES) are executed in this order in one folder, and what a
page prints below a block has to be what is printed. `...` there stands for any text; numbers may
differ in the tenth digit. What needs a package that is not installed is skipped and named."""
from __future__ import annotations

import ast
import contextlib
import doctest
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys

from checkout import ROOT, throng
from page_blocks import ENVIRONMENT, blocks_of

THRONG, FOLDER, WITH_PEDPY = sys.argv[1:]
if not importlib.util.find_spec("pedpy") and os.access(WITH_PEDPY, os.X_OK):
    os.execv(WITH_PEDPY, [WITH_PEDPY, "-B", *sys.argv])  # made by python_pedpy (wheel.sh)

# Sections of pages, in front those that make what the others read. README.md has only these.
PAGES = {"README.md": ["Install and run", "Your own crowd"], "docs/python.md": ["Run"],
         "docs/export.md": ["Export"], "docs/library.md": [], "docs/plugins.md": []}
NOT_RUN = {"paraview": "it opens a window", "pip": "python_install does that",
           "python3 -m venv": "python_install does that", ". env": "python_install does that",
           "pvpython": "python_paraview does that", "python -m": "python_usd does that",
           "throng run configs": "it takes a minute",
           "tools/quickstart.sh": "it installs packages and builds",
           "tools/test.sh": "it runs this test", "cmake --preset": "the build was made so",
           "cmake --install": "install does that",
           "build/release/throng": "it takes a minute"}
REPOSITORY = ("configs/", "examples/", "jobs/", "tools/")  # folders that pages name files of
if subprocess.run(["/usr/bin/python3", "-c", "import osgeo"], capture_output=True, check=False
                  ).returncode:
    NOT_RUN["throng export runs/hall --format geo"] = "no GDAL"
NOT_RUN["throng export runs/old-town"] = NOT_RUN["throng run configs"]
HALL = pathlib.Path("hall.yaml")
OPTIONAL = ("pedpy", "pandas", "shapely", "pyarrow", "cffi", "mpi4py")
seen = {"passed": 0, "skipped": 0}


def same(wanted, got):
    """Whether a text is the one that the page shows."""
    wanted, got = (re.sub(r"-?\d+\.\d{9,}", lambda n: f"{float(n[0]):.9g}", text)
                   for text in (wanted, got))
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(wanted, got, flags)


def compare(block, wanted, got):
    assert same(wanted, got), f"{block}: it prints\n{got}instead of\n{wanted}"


def missing(text):
    """Packages that a text needs and that are not here."""
    needed = {"to_pedpy": "pedpy", "walls": "shapely", "walkable_area": "shapely",
              '"sqlite"': "shapely", '"archive"': "shapely"}  # with the walkable ground
    names = {name for name in OPTIONAL if re.search(rf"\b{name}\b", text)}
    names |= {name for word, name in needed.items() if word in text}
    return sorted(name for name in names if not importlib.util.find_spec(name))


def run_shell(block):
    """Its lines one by one, as a user types them; whether any of them could be run."""
    said, ran, whole = "", False, True
    for line in block.text.replace("\\\n", " ").splitlines():
        words = line.split("#")[0].split()
        reason = next((why for what, why in NOT_RUN.items() if line.startswith(what)), None)
        if words and reason:
            print(f"{block}: not run: {' '.join(words[:2])}: {reason}")
            lacking = [word for word in words
                       if word.startswith(REPOSITORY) and not (ROOT / word).exists()]
            assert not lacking, f"{block}: there is no {lacking[0]}"
            whole = False
        elif words:
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True,
                                  timeout=200, check=False,
                                  env=dict(os.environ))  # without what MPI has set in this process
            assert done.returncode == 0, f"{block}: {line}\n{done.stdout}{done.stderr}"
            said, ran = said + done.stdout, True
    if block.output is not None and whole:
        compare(block, block.output, said)
    return ran


def value_shown(line):
    """(expression, text) of a line `expression   # value`, or None."""
    shown = re.fullmatch(r"(\S.*?)\s{2,}# ([\d\[(-].*)", line)
    return shown and (shown[1], shown[2] + "\n")


def run_statements(block, names):
    """Statement by statement, so that values in comments can be compared."""
    said, lines = io.StringIO(), block.text.splitlines()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        for statement in ast.parse(block.text).body:
            shown = value_shown(lines[statement.end_lineno - 1])
            code = ast.unparse(statement)
            if missing(code):
                print(f"{block}: SKIPPED: {code}: no {', '.join(missing(code))}", file=sys.__stdout__)
                continue
            before = said.tell()
            if shown and isinstance(statement, ast.Expr):
                value = eval(code, names)  # pylint: disable=eval-used
                got = said.getvalue()[before:] if value is None else f"{value}\n"
                compare(block, shown[1], got)
            else:
                exec(code, names)  # pylint: disable=exec-used
    if block.output is not None:
        compare(block, block.output, said.getvalue())


def run_session(block, names):
    """The lines after >>>, each with what it prints or the error that it ends with."""
    for example in doctest.DocTestParser().get_examples(block.text):
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                value = eval(example.source, names)  # pylint: disable=eval-used
            got = said.getvalue() if value is None else f"{value!r}\n"
        except Exception as error:  # pylint: disable=broad-except
            got = f"{type(error).__module__}.{type(error).__name__}: {error}\n"
        compare(block, example.want, got)


def run_yaml(block):
    """A scenario, which gets its name; or a part of one, which has to suit the hall."""
    name = re.match(r"# (\S+\.yaml)", block.text)
    path = pathlib.Path(name[1] if name else "part.yaml")
    path.write_text(block.text if name else HALL.read_text(encoding="utf-8") + block.text,
                    encoding="utf-8")
    command("throng", "check", path)


def run_c(block):
    """A plug-in, which is compiled and walks a few steps."""
    pathlib.Path("own.c").write_text(block.text, encoding="utf-8")
    command("tools/plugin.sh", "own.c")
    command("throng", "run", HALL, "--quiet", "--steps", "20", "--output", "runs/own",
            "--set", "avoidance.plugin.file=own.so")


def command(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=200, check=False,
                          env=dict(os.environ))
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"


def with_simulation(block, names):
    """A page goes on with `sim` after the block that has closed it: another one."""
    if "Simulation(" not in block.text and isinstance(names.get("sim"), throng.Simulation):
        names["sim"] = throng.Simulation(HALL)
    return names


def run_block(block, names):
    lacking = missing(block.text)
    if lacking and block.kind != "sh" and (block.output or block.kind != "python"):
        print(f"{block}: SKIPPED: no {', '.join(lacking)}")
        seen["skipped"] += 1
        return
    if block.kind == "yaml":
        run_yaml(block)
    elif block.kind == "c":
        run_c(block)
    elif block.kind == "sh":
        if not run_shell(block):
            return
    elif block.kind == "python":
        run_statements(block, with_simulation(block, names))
    elif block.text.startswith(">>>"):
        for package in ("pandas",):
            if importlib.util.find_spec(package):
                names[package] = importlib.import_module(package)
        run_session(block, names)
    else:
        return
    seen["passed"] += 1
    print(f"{block}: passed", flush=True)


def prepare_library():
    """What docs/library.md calls drive.py and drive.c, and what an installation tells pkg-config."""
    first = next(block for block in blocks_of("docs/library.md") if block.kind == "python")
    pathlib.Path("drive.py").write_text(first.text, encoding="utf-8")
    shutil.copy(ROOT / "examples/drive.c", "drive.c")
    os.symlink(ROOT / "src/library", "include")  # the path of a checkout may hold a space
    os.symlink(os.path.dirname(os.path.abspath(THRONG)), "lib")
    pathlib.Path("throng.pc").write_text(
        "Name: throng\nDescription: a build\nVersion: 0\nCflags: -Iinclude\n"
        "Libs: -Llib -lthrong -Wl,-rpath,lib\n", encoding="utf-8")


def prepare():
    """An empty folder, where `throng` is the program, `python3` this Python with the package, and
    `tools` and `examples` are the folders of this name."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(f"{FOLDER}/bin")
    os.symlink(os.path.abspath(THRONG), f"{FOLDER}/bin/throng")
    python = pathlib.Path(FOLDER, "bin/python3")
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}/python" exec "{sys.executable}" -B "$@"\n',
                      encoding="utf-8")
    python.chmod(0o755)
    for name in ("tools", "examples"):
        os.symlink(ROOT / name, f"{FOLDER}/{name}")
    os.environ.update(ENVIRONMENT | {
        "THRONG": os.path.abspath(THRONG), "PATH": f"{FOLDER}/bin:{os.environ['PATH']}",
        "PKG_CONFIG_PATH": os.path.abspath(FOLDER)})
    os.chdir(FOLDER)
    prepare_library()


def require_attributes():
    """docs/python.md names every attribute of a run."""
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    names = ["folder", *(name for name in dir(throng.Run) if not name.startswith("_"))]
    lacking = [name for name in names if not re.search(rf"^\|.*`{name}[`(]", page, re.MULTILINE)]
    assert not lacking, f"docs/python.md: no {', '.join(lacking)} in the table of a run"


def main():
    prepare()
    require_attributes()
    for page, first in PAGES.items():
        names = {"__name__": page, "throng": throng}
        shutil.rmtree("runs", ignore_errors=True)
        blocks = blocks_of(page)
        if page == "README.md":
            blocks = [block for block in blocks if block.section in first]
        for block in sorted(blocks, key=lambda block: block.section not in first):
            run_block(block, names)
    print(f"{seen['passed']} blocks passed, {seen['skipped']} skipped")
    assert seen["passed"] >= 24, seen


main()
