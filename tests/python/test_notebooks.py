"""Are the notebooks whole, and without outputs? test_notebooks.py (run_notebooks.py runs them)"""
import json
import re

from checkout import ROOT, run_tests

FOLDER = ROOT / "python/notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
BOOKS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in PATHS}


def cells(book, kind):
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == kind]


def test_names():
    assert [name[:2] for name in BOOKS] == ["1-", "2-", "3-", "4-", "5-"], list(BOOKS)
    page = (ROOT / "docs/notebooks.md").read_text(encoding="utf-8")
    for name in BOOKS:
        assert f"(../python/notebooks/{name}.ipynb)" in page, name


def test_form():
    """As Jupyter writes them, but nothing of a run."""
    for path, book in zip(PATHS, BOOKS.values()):
        assert (book["nbformat"], book["nbformat_minor"]) == (4, 5), path
        assert set(book["metadata"]) == {"kernelspec", "language_info"}, path
        ids = [cell["id"] for cell in book["cells"]]
        assert len(set(ids)) == len(ids) > 8, path
        for cell in book["cells"]:
            assert cell["metadata"] == {}, (path, cell["id"])
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [] and cell["execution_count"] is None, (path, cell["id"])
        text = json.dumps(book, indent=1, ensure_ascii=False) + "\n"
        assert path.read_text(encoding="utf-8") == text, f"{path}: not as Jupyter saves it"


def test_code():
    """It compiles, in lines that a page of Jupyter shows."""
    for name, book in BOOKS.items():
        for code in cells(book, "code"):
            compile(code, name, "exec")
            assert max(map(len, code.splitlines())) <= 100, (name, code)


def test_links():
    for name, book in BOOKS.items():
        for text in cells(book, "markdown"):
            for link in re.findall(r"\]\(([^)#:]+)\)", text):
                assert (FOLDER / link).exists(), (name, link)


run_tests(globals())
