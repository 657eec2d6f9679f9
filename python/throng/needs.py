"""The packages that commands need: all that are missing are named at once, before anything runs."""
from __future__ import annotations

import importlib.util
from collections.abc import Iterable

from throng.errors import Error

PACKAGES = {  # by module: those of Debian and Ubuntu, and of PyPI
    "numpy": ("python3-numpy", "numpy"),
    "h5py": ("python3-h5py", "h5py"),
    "matplotlib": ("python3-matplotlib", "matplotlib"),
    "jinja2": ("python3-jinja2", "jinja2"),
    "yaml": ("python3-yaml", "pyyaml"),
}
TO_READ = ("numpy", "h5py")
TO_DRAW = (*TO_READ, "matplotlib")
TO_REPORT = (*TO_DRAW, "jinja2", "yaml")


def need(what: str, modules: Iterable[str]) -> None:
    """Raises one Error that names every module that is not installed."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        debian, pypi = zip(*(PACKAGES[module] for module in missing))
        raise Error(f"{what} needs Python packages that are not installed: {', '.join(missing)}. "
                    f"Install them by apt-get install {' '.join(debian)}, or pip install "
                    f"{' '.join(pypi)}")
