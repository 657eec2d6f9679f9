"""Names as they are shown. Those of a map come from anywhere and may hold invisible marks."""
from __future__ import annotations

import contextlib
import re
import unicodedata
import warnings
from collections.abc import Iterator

# They turn the direction of what follows, in a picture also of what is not part of the name.
TURNING = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
# Debian's packages fonts-dejavu, fonts-liberation, fonts-noto-core, fonts-noto-cjk,
# fonts-wqy-zenhei, fonts-ipafont-gothic and fonts-nanum, in the order in which a letter is looked
# for.
FAMILIES = ("DejaVu Sans", "Liberation Sans", "Noto Sans", "Noto Sans CJK JP", "Noto Sans CJK SC",
            "WenQuanYi Zen Hei", "IPAGothic", "NanumGothic", "Noto Sans Arabic",
            "Noto Naskh Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai")
MISSING = re.compile(r"Glyph (\d+) .*missing from (?:current )?font")


def shown(name: str) -> str:
    """A name for people to read: without marks of direction; control characters and line ends are
    spaces. Joiners stay, since Persian and the languages of India need them."""
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c
                   for c in name.translate(TURNING))
    return " ".join(text.split())


def installed_families() -> list[str]:
    """The fonts that matplotlib finds, for rcParams["font.family"]: it warns of others."""
    from matplotlib import font_manager
    known = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in FAMILIES if name in known] or ["sans-serif"]


@contextlib.contextmanager
def one_warning() -> Iterator[None]:
    """matplotlib warns of each letter that no font has, each time that it draws it: one warning for
    all of them."""
    letters: dict[str, None] = {}  # in the order in which they are found
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for one in caught:
        found = MISSING.match(str(one.message))
        if found:
            letters[chr(int(found[1]))] = None
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if letters:
        more = " and others" if len(letters) > 12 else ""
        some = " ".join(list(letters)[:12])
        warnings.warn(f"no font has the letters {some}{more} of some names; on Debian: "
                      "apt-get install fonts-noto-cjk fonts-noto-core", stacklevel=3)
