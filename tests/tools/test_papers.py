"""Do the short scenes of the papers give the frames and overlaps of docs/papers.md?
test_papers.py TOOLS/papers.py THRONG FOLDER"""
import pathlib
import subprocess
import sys

TOOL, THRONG, FOLDER = (pathlib.Path(word).resolve() for word in sys.argv[1:])
PAGE = TOOL.parent.parent / "docs/papers.md"
# Files of scenes; all rows of a file are compared.
SHORT = ["bleiweiss-simple", "bleiweiss-car", "bleiweiss-robots", "bleiweiss-circle",
         "bleiweiss-narrow", "clearpath-back-and-forth", "snape-moving-obstacle", "snape-blocks"]


def rows(text):
    """Of a table: (scene, file, method) and (agents, overlaps, deepest, frames)."""
    lines = (line.strip("| \n").split(" | ") for line in text.splitlines() if line.startswith("| "))
    cells = [[cell.strip() for cell in line] for line in lines if len(line) == 9]
    return {(c[0], c[1], c[3]): (c[4], *c[6:]) for c in cells}


said = rows(PAGE.read_text(encoding="utf-8"))
compared = 0
for scene in SHORT:
    made = subprocess.run([sys.executable, TOOL, "--throng", THRONG, "--only", scene,
                           "--output", FOLDER], check=True, capture_output=True, text=True).stdout
    for row, values in rows(made).items():
        if f"`{scene}.yaml`" in row[1]:
            assert said[row] == values, f"{row}: {values}, the page says {said[row]}"
            compared += 1
assert compared == len(SHORT), compared
print(f"{compared} rows are those of the page")
