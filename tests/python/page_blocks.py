"""The blocks of code of a page: page_blocks.py PAGE SECTION KIND [TEXT] prints those of a section
and a kind, as printed there; with TEXT, only those that hold it."""
from __future__ import annotations

import pathlib
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Of commands that start more ranks than there are cores, perhaps as root, and draw without a window.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "OMP_WAIT_POLICY": "passive",
    "MPLBACKEND": "agg"}


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
    found, section, opened, indent = [], "", None, 0
    after = False  # only empty lines since the last block
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        if opened is None and line.lstrip().startswith("```"):
            indent = len(line) - len(line.lstrip())  # of an item of a list
        line = line.removeprefix(" " * indent)
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


def main():
    page, section, kind, *part = sys.argv[1:]
    chosen = [block.text for block in blocks_of(page) if (block.section, block.kind) == (
        section, kind) and all(text in block.text for text in part)]
    if not chosen:
        sys.exit(f"{page} has no such block in {section}")
    print("".join(chosen), end="")


if __name__ == "__main__":
    main()
