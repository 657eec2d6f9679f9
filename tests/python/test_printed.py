"""Do README.md, docs/python.md and docs/export.md work as printed? test_printed.py THRONG FOLDER PYTHON_WITH_PEDPY

Their scenario, commands and Python are executed in this order in one folder, and what a page prints
below a block has to be what is printed. `...` there stands for any text; numbers may differ in the
tenth digit. What needs a package that is not installed is skipped and named."""
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
from dataclasses import dataclass

from checkout import ROOT, throng

THRONG, FOLDER, WITH_PEDPY = sys.argv[1:]
if not importlib.util.find_spec("pedpy") and os.access(WITH_PEDPY, os.X_OK):
    os.execv(WITH_PEDPY, [WITH_PEDPY, "-B", *sys.argv])  # made by python_pedpy (wheel.sh)

# A page's sections in the order of execution; those in front make what the others read.
PAGES = {"README.md": ["Your own crowd"], "docs/python.md": ["Run"], "docs/export.md": ["Export"]}
NOT_RUN = {"paraview": "it opens a window", "pip": "python_install does that",
           "pvpython": "python_paraview does that", "python -m": "python_usd does that",
           "throng run configs": "it takes a minute"}
if subprocess.run(["/usr/bin/python3", "-c", "import osgeo"], capture_output=True, check=False
                  ).returncode:
    NOT_RUN["throng export runs/hall --format geo"] = "no GDAL"
NOT_RUN["throng export runs/old-town"] = NOT_RUN["throng run configs"]
OPTIONAL = ("pedpy", "pandas", "shapely", "pyarrow", "cffi", "mpi4py")
seen = {"passed": 0, "skipped": 0}


@dataclass
class Block:
    """A block of code of a page, and the text that the page shows as its output."""
    page: str
    section: str
    line: int
    kind: str
    text: str
    output: str | None = None

    def __str__(self):
        return f"{self.page}:{self.line}"


def blocks_of(page):
    """The fenced blocks; one without a language right below another is its output."""
    found, section, opened = [], "", None
    after = False  # only empty lines since the last block
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        if opened is not None:
            if line != "```":
                opened.text += line + "\n"
            elif after and not opened.kind and not opened.text.startswith(">>>"):
                found[-1].output, opened = opened.text, None
            else:
                found.append(opened)
                opened, after = None, True
        elif line.startswith("```"):
            opened = Block(page, section, number + 1, line[3:], "")
        elif line.startswith("#"):
            section, after = line.lstrip("# "), False
        elif line.strip():
            after = False
    return found


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
    needed = {"to_pedpy": "pedpy", "walls": "shapely", "walkable_area": "shapely"}
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
            whole = False
        elif words:
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True,
                                  timeout=200, check=False)
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


def run_block(block, names):
    lacking = missing(block.text)
    if lacking and block.kind != "sh" and (block.output or block.kind != "python"):
        print(f"{block}: SKIPPED: no {', '.join(lacking)}")
        seen["skipped"] += 1
        return
    if block.kind == "yaml":
        name = re.match(r"# (\S+\.yaml)", block.text)[1]
        pathlib.Path(name).write_text(block.text, encoding="utf-8")
    elif block.kind == "sh":
        if not run_shell(block):
            return
    elif block.kind == "python":
        run_statements(block, names)
    elif block.text.startswith(">>>"):
        for package in ("pandas",):
            if importlib.util.find_spec(package):
                names[package] = importlib.import_module(package)
        run_session(block, names)
    else:
        return
    seen["passed"] += 1
    print(f"{block}: passed", flush=True)


def prepare():
    """An empty folder, where `throng` is the program and `tools` the folder of this name."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(f"{FOLDER}/bin")
    os.symlink(os.path.abspath(THRONG), f"{FOLDER}/bin/throng")
    os.symlink(ROOT / "tools", f"{FOLDER}/tools")
    os.environ.update({
        "THRONG": os.path.abspath(THRONG), "PATH": f"{FOLDER}/bin:{os.environ['PATH']}",
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "OMP_WAIT_POLICY": "passive",
        "MPLBACKEND": "agg"})
    os.chdir(FOLDER)


def main():
    prepare()
    for page, first in PAGES.items():
        names = {"__name__": page, "throng": throng}
        shutil.rmtree("runs", ignore_errors=True)
        blocks = blocks_of(page)
        if page == "README.md":
            blocks = [block for block in blocks if block.section in first]
        for block in sorted(blocks, key=lambda block: block.section not in first):
            run_block(block, names)
    print(f"{seen['passed']} blocks passed, {seen['skipped']} skipped")
    assert seen["passed"] >= 8, seen


main()
