"""The files that a scenario names, found without a reader of YAML: whatever in its text is the name
of a file, as seen from its folder."""
from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable

MARKS = re.compile(r"[\n,\[\]{}\"']|:\s|\s#|^\s*(?:-\s+)+", re.MULTILINE)  # between words of YAML
QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")  # may hold marks
LETTER = re.compile(r"[^\W\d_]")  # numbers are no names: maps have many of them


def words_of(text: str) -> set[str]:
    """Whatever may be a name in a text of YAML or JSON."""
    quoted = (double or single for double, single in QUOTED.findall(text))
    return {word.strip() for word in (*MARKS.split(text), *quoted) if LETTER.search(word)}


def sha256_of(path: str) -> str:
    """The hash of a file's contents."""
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def hashes(config: str, texts: Iterable[str]) -> dict[str, str]:
    """{name: sha256} of the files that these texts name: a scenario, and values of its options.
    Names are relative to the folder of the scenario, as the program takes them."""
    folder = os.path.dirname(config)
    words: set[str] = set()
    for text in texts:
        words |= words_of(text)
    paths = ((word, os.path.join(folder, word)) for word in sorted(words))
    return {word: sha256_of(path) for word, path in paths if os.path.isfile(path)}
