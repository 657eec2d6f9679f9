"""Do quickstart.sh and test.sh name all that is missing at once, before they do anything?

In a folder of programs that stands for a machine with almost nothing, of a user who is not root."""
import os
import pathlib
import shutil
import subprocess
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
PROGRAMS = ("awk", "bash", "cat", "chmod", "dirname", "env", "head", "mktemp", "rm", "sed", "sort",
            "tr")
BUILD = {"gcc", "libc6-dev", "ninja-build", "cmake", "pkg-config", "libopenmpi-dev", "openmpi-bin",
         "libhdf5-openmpi-dev", "libgeos-dev", "libfyaml-dev", "libdeflate-dev", "zlib1g-dev",
         "librandom123-dev"}
TESTS = {"libcriterion-dev", "hdf5-tools", "osmium-tool", "ffmpeg", "nodejs", "clang", "libomp-dev",
         "libclang-rt-dev", "llvm", "clang-format-14", "shellcheck"}
INSTALL = "  apt-get install --no-install-recommends "


def machine(folder, *more):
    """Its programs: real ones, and made-up ones that are lines of a shell."""
    programs = pathlib.Path(folder, "bin")
    programs.mkdir()
    for name in PROGRAMS:
        (programs / name).symlink_to(shutil.which(name))
    for name, line in (("id", "echo 1000"), *more):
        (programs / name).write_text(f"#!{shutil.which('bash')}\n{line}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    return {"PATH": str(programs), "HOME": f"{folder}/home", "THRONG_BUILDS": f"{folder}/build",
            "CALLED": f"{folder}/called"}


def expect_told(script, *programs):
    """The lines that it ends with; it has made nothing, and called no program of these."""
    with tempfile.TemporaryDirectory() as folder:
        environment = machine(folder, *((name, f'echo {name} "$@" >>"$CALLED"; {line}')
                                        for name, line in programs))
        done = subprocess.run([TOOLS / script], env=environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=100)
        called = pathlib.Path(folder, "called")
        asked = called.read_text(encoding="utf-8").split("\n")[:-1] if called.exists() else []
        assert done.returncode == 1, done.stdout
        assert set(os.listdir(folder)) <= {"bin", "called", "home"}, os.listdir(folder)
        assert set(asked) <= {"sudo -n true"}, asked
        return done.stdout.splitlines()


def listed(lines, before):
    """The words after the one line that begins so: each once."""
    found = [line.removeprefix(before).split() for line in lines if line.startswith(before)]
    assert len(found) == 1 and len(set(found[0])) == len(found[0]), lines
    return set(found[0])


def of_python(packages):
    return {package for package in packages if package.startswith("python3-")}


# The modules of Python are looked for where they are on this machine: they may be missing, too.
asked = listed(expect_told("quickstart.sh", ("apt-get", "")), INSTALL)
assert asked - of_python(asked) == BUILD, asked
asked = listed(expect_told("test.sh", ("apt-get", ""), ("sudo", "exit 1")), INSTALL)
assert asked - of_python(asked) == BUILD | TESTS, asked

told = expect_told("test.sh")  # no apt
asked = listed(told, "  spack install ")
assert {"gcc", "openmpi", "hdf5+mpi", "random123", "llvm"} <= asked, asked
assert listed(told, "By hand, since Spack does not have them: ") == {"criterion"}, told
assert "criterion" not in asked and not any("(" in package for package in asked), asked
assert any("CPATH" in line for line in told), told
told = expect_told("quickstart.sh")
assert "gcc" in listed(told, "  spack install ") and "criterion" not in "".join(told), told
