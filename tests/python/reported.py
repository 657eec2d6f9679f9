"""What the tests of reports share: a page as a browser would see it, and the report of a run made
up by made_report.py. The first word of the command line is the folder with runs of the program."""
import csv
import html.parser
import os
import pathlib
import shutil
import sys
import tempfile

import checkout  # noqa: F401 (finds the package)  # pylint: disable=unused-import
import made_report
import made_run

import throng
from throng.needs import TO_REPORT, need

try:
    need("a report", TO_REPORT)
except throng.Error as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

RUNS = pathlib.Path(sys.argv[1])
WORK = pathlib.Path(tempfile.mkdtemp())
VOID = {"meta", "img", "br", "link", "input", "hr", "source", "path"}


class Page(html.parser.HTMLParser):
    """What a browser would see: tables by caption, texts, images, elements, open elements."""

    def __init__(self, path):
        super().__init__()
        self.source = pathlib.Path(path).read_text(encoding="utf-8")
        self.tables, self.images, self.elements, self.open = {}, [], [], []
        self.texts, self.cell, self.caption, self.rows = [], None, None, []
        self.feed(self.source)
        self.close()
        self.text = " ".join(" ".join(self.texts).split())

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "img":
            self.images.append(dict(attrs))
        if tag in ("td", "th", "caption"):
            self.cell = []
        elif tag == "tr":
            self.rows.append([])
        elif tag == "table":
            self.rows = []

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> does not end what is open"
        words = " ".join("".join(self.cell or []).split())
        if tag == "caption":
            self.caption = words
        elif tag in ("td", "th"):
            self.rows[-1].append(words)
        elif tag == "table":
            self.tables.setdefault(self.caption, []).append((self.rows[0], self.rows[1:]))
        if tag in ("td", "th", "caption"):
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)
        if not {"script", "style"} & set(self.open):
            self.texts.append(data)

    def table(self, caption, at=0):
        """{first cell of a row: {head: cell}}, of rows that differ in it."""
        heads, rows = self.tables[caption][at]
        assert all(len(row) == len(heads) for row in rows), caption
        return {row[0]: dict(zip(heads[1:], row[1:])) for row in rows}


def value(cell):
    """The number of a cell."""
    return float(cell.replace(",", "").replace("−", "-").split(" ")[0].rstrip("%"))


def same(cell, expected, digits):
    """The cell is this number, rounded to these digits."""
    assert abs(value(cell) - expected) <= 0.5 * 10.0**-digits + 1e-9, (cell, expected)


def report(name, *runs, **options):
    """Writes a report without the player; returns its page."""
    path = WORK / name
    first, *others = (throng.open(run) for run in runs)
    assert first.report(path, others, player=False, **options) == str(path)
    assert not os.path.exists(f"{path}.tmp") and path.stat().st_size < 20e6
    return Page(path)


MADE = made_report.write(WORK / "made")


def changed(name, **tables):
    """A copy of MADE with other tables: {name without .csv: changes a row}."""
    folder = WORK / name
    shutil.copytree(MADE, folder)
    for table, change in tables.items():
        path = folder / f"{table}.csv"
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            change(row)
        made_run.write_table(folder, path.name, rows)
    return folder
