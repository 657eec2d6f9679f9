#!/usr/bin/env python3
"""Installs a build, moves it elsewhere and uses it there. usage: test_install.py CMAKE BUILD_FOLDER

What is not on this machine (man, zsh, the modules of the plot tool) is reported and not tested.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def done(*command, cwd=None, code=0):
    """Standard output and standard error of a command that must end with this exit code."""
    ended = subprocess.run([str(word) for word in command], cwd=cwd, env=ENVIRONMENT, text=True,
                           capture_output=True, timeout=100, check=False)
    said = ended.stdout + ended.stderr
    assert ended.returncode == code, f"{command}: exit code {ended.returncode}\n{said}"
    return ended.stdout, ended.stderr


def installed(cmake, build, folder):
    """The prefix of an installation that was moved after `cmake --install`."""
    done(cmake, "--install", build, "--prefix", folder / "first")
    (folder / "first").rename(folder / "moved")
    return folder / "moved"


def test_version(prefix, _folder):
    """The program, the Python package, the citation and the manual page have one version."""
    version = re.match(r"throng (\d+\.\d+\.\d+) \(", done(prefix / "bin/throng", "--version")[0])
    citation = (prefix / "share/doc/throng/CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version[1]}\n" in citation, version
    package = (prefix / "share/throng/python/throng/__init__.py").read_text(encoding="utf-8")
    assert f'\n__version__ = "{version[1]}"\n' in package, version
    head = (prefix / "share/man/man1/throng.1").read_text(encoding="utf-8").splitlines()[0]
    date = re.search(r"^date-released: (\S+)$", citation, re.MULTILINE)[1]
    assert f'"{date}" "throng {version[1]}"' in head, head


def test_files(prefix, _folder):
    """Licences come with what they cover; every link has its target; the scripts can be run."""
    assert (prefix / "share/throng/configs/ATTRIBUTION.md").is_file()
    assert (prefix / "share/doc/throng/LICENSE").is_file()
    assert (prefix / "share/throng/python/throng/py.typed").is_file()
    assert (prefix / "share/doc/throng/docs/images").is_dir()
    for path in prefix.rglob("*"):
        assert path.exists(), f"{path}: a link to nothing"
    scripts = [*prefix.glob("share/throng/jobs/*.sh"), *prefix.glob("bin/*")]
    assert len(scripts) >= 10 and all(os.access(path, os.X_OK) for path in scripts), scripts


def test_links_of_the_pages(prefix, _folder):
    """Only links to the tests lead out of the installed pages."""
    root = prefix / "share/doc/throng"
    for page in [root / "README.md", *root.glob("docs/*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists() or "tests/" in link, f"{page}: {link}"


def test_run_and_plot(prefix, folder):
    """A run of an installed scenario in an empty folder, and its picture."""
    config = prefix / "share/throng/configs/quickstart.yaml"
    empty = folder / "empty"
    empty.mkdir()
    assert "agents" in done(prefix / "bin/throng", "check", config, cwd=empty)[0]
    done(prefix / "bin/throng", "run", config, "--set", "time.end=2", "--quiet", cwd=empty)
    assert (empty / "runs/quickstart/summary.json").is_file()
    plot = prefix / "bin/throng-plot"
    interpreter = plot.read_text(encoding="utf-8").splitlines()[0][2:].split()
    modules = subprocess.run([*interpreter, "-c", "import h5py, matplotlib, numpy"], check=False,
                             capture_output=True)
    if modules.returncode:
        print("not tested: throng-plot, without h5py, numpy and matplotlib")
        return
    assert "throng plot people runs/hall" in done(plot, "--help")[0]
    picture = done(plot, "runs/quickstart", "--snapshot", "last", "--size", "400", cwd=empty)[0]
    assert (empty / picture.strip()).read_bytes().startswith(b"\x89PNG"), picture
    said = done(prefix / "bin/throng-export", "runs/quickstart", "--format", "txt", "-o", "a.txt",
                cwd=empty)[0]
    assert re.fullmatch(r"a\.txt: \d{5} rows\n", said), said
    assert (empty / "a.txt").read_text(encoding="utf-8").startswith("# framerate: 0.5 fps\n")


def test_library(prefix, folder):
    """A C program and Python drive the installed library alike."""
    found = next(prefix.rglob("throng.pc")).parent
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "throng"], text=True, check=True,
                           env={**ENVIRONMENT, "PKG_CONFIG_PATH": str(found)},
                           capture_output=True).stdout
    done("cc", prefix / "share/throng/examples/drive.c", "-o", folder / "drive",
         *shlex.split(flags))
    config = Path(__file__).resolve().parents[1] / "same_bits/station.yaml"
    said = done(folder / "drive", config)[0]
    line = r"\d+ agents of rank 0 slowed down; the last one left after [\d.]+ s; checksum \w{16}\n"
    assert re.fullmatch(line, said), said
    code = f"""
import throng
with throng.Simulation({str(config)!r}) as sim:
    sim.step(int(10 / sim.dt))
    even = sim.agents["id"] % 2 == 0
    sim.agents["speed"][even] *= 0.5
    while not sim.over:
        sim.step(100)
    print(f"{{even.sum()}} agents of rank 0 slowed down; the last one left after {{sim.time:.1f}} s; "
          f"checksum {{sim.checksum}}")
"""
    python = next(iter((prefix / "bin/throng-plot").read_text(encoding="utf-8").splitlines()))[2:]
    if subprocess.run([*python.split(), "-c", "import numpy"], check=False).returncode:
        print("not tested: throng.Simulation, without numpy")
        return
    path = {**ENVIRONMENT, "PYTHONPATH": str(prefix / "share/throng/python")}
    again = subprocess.run([*python.split(), "-B", "-c", code], env=path, text=True, check=True,
                           capture_output=True).stdout
    assert again == said, (again, said)


def test_plugin(prefix, folder):
    """A plug-in is compiled with the installed headers."""
    file = folder / "calm.so"
    done(prefix / "bin/throng-plugin", prefix / "share/throng/examples/calm.c", "-o", file)
    config = prefix / "share/throng/configs/quickstart.yaml"
    said = done(prefix / "bin/throng", "check", config, "--load-plugin", "--set",
                f"avoidance.plugin.file={file}")[0]
    assert "plug-in: calm (radius 2, slowing 0.1)" in said, said


def test_tools(prefix, folder):
    """Tools without special modules start by the links in bin and in their folder."""
    assert "throng-collect DIR" in done(prefix / "bin/throng-collect", "--help")[0]
    assert "usage: throng export " in done(prefix / "bin/throng-export", "--help")[0]
    assert "usage: throng-osm2geojson" in done(prefix / "bin/throng-osm2geojson", "--help")[0]
    said = subprocess.run([prefix / "bin/throng-dxf2geojson", "--help"], capture_output=True,
                          text=True, check=False)
    assert "throng-dxf2geojson PLAN.dxf" in said.stdout or "ezdxf is missing" in said.stderr, said
    assert (prefix / "share/throng/tools/plot_map.py").is_file()
    asked = done("env", "-u", "THRONG", f"PYTHONPATH={prefix}/share/throng/python", sys.executable,
                 "-c", "import throng.program; print(throng.program.program())")[0]
    assert asked.strip() == str(prefix / "bin/throng"), asked
    said = done(prefix / "share/throng/tools/papers.py", "--list", "--only", "snape", cwd=folder)[0]
    assert "snape-circle.yaml" in said, said


def test_man_page(prefix, _folder):
    """It has every option, and man renders it without a warning."""
    page = prefix / "share/man/man1/throng.1"
    source = page.read_text(encoding="utf-8").replace("\\-", "-")
    usage, reference = (done(prefix / "bin/throng", word)[0] for word in ("--help", "options"))
    options = re.findall(r"--([a-z-]+)", usage)
    keys = re.findall(r"^\| `([a-z_.]+)` \|", reference, re.MULTILINE)
    assert len(options) >= 10 and len(keys) > 100
    for word in [f"--{option}" for option in options] + keys:
        assert f"\\fB{word}\\fR" in source or f"\\fB{word} " in source, f"{word} is not in {page}"
    if not shutil.which("man"):
        print("not tested: how man renders its page")
        return
    warnings = done("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page)[1]
    assert not warnings, warnings


def completions(script, *words):
    """What bash offers for the last word. It divides words at "=" before it asks."""
    offer = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _throng; '
             'echo "${COMPREPLY[*]}"')
    return done("bash", "-c", offer, script, "throng", *words)[0].split()


def test_completion(prefix, _folder):
    """The scripts parse, and offer commands, keys and values."""
    script = prefix / "share/bash-completion/completions/throng"
    done("bash", "-n", script)
    assert "-F _throng throng" in done("bash", "-c", f"source '{script}'; complete -p throng")[0]
    cases = [(("ch",), ["check"]), (("run", "--ba"), ["--backend"]),
             (("run", "-b", "scal"), ["scalar"]), (("run", "x", "--restart", "au"), ["auto"]),
             (("run", "x", "--set", "time.en"), ["time.end="]),
             (("run", "x", "--set", "sources.west.rat"), ["sources.west.rate="]),
             (("run", "x", "--set", "avoidance.method", "=", "h"), ["hrvo"]),
             (("run", "x", "--set", "ranks.overlap", "="), ["true", "false"])]
    for words, offered in cases:
        assert completions(script, *words) == offered, (words, completions(script, *words))
    zsh = prefix / "share/zsh/site-functions/_throng"
    assert zsh.read_text(encoding="utf-8").startswith("#compdef throng\n")
    if shutil.which("zsh"):
        done("zsh", "-n", zsh)
    else:
        print("not tested: whether zsh parses its completion")


def main():
    """Runs every test on one installation."""
    cmake, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        prefix = installed(cmake, build, folder)
        for title, test in list(globals().items()):
            if title.startswith("test_"):
                test(prefix, folder)
                print(title, "passed", flush=True)


if __name__ == "__main__":
    main()
