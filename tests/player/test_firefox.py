"""The player in headless Firefox: the page opens from disk, people are where they should be.

    test_firefox.py FOLDER
"""
import pathlib
import sys

import numpy as np

import browser
import plaza
from throng.player import page

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
PLAYER = "window.throng.players[0]"


def main():
    """Opens a page at a moment and looks at pixels."""
    if not browser.FIREFOX:
        print("SKIPPED: there is no Firefox (apt-get install firefox-esr)")
        sys.exit(77)
    plaza.write(FOLDER / "firefox")
    path = FOLDER / "firefox.html"
    page.write_page(FOLDER / "firefox", str(path), page.Options())
    with browser.Firefox((900, 700)) as window:
        window.open(path.resolve().as_uri() + "#t=9.75&play=0&colour=destination")
        window.wait(f"!!(window.throng && {PLAYER} && {PLAYER}.panel && {PLAYER}.sharp && "
                    f"!{PLAYER}.asked)")
        picture = browser.pixels(window.picture())
        FOLDER.joinpath("firefox.png").write_bytes(window.picture())
        how = window.evaluate(f"'regl' in {PLAYER}.crowd ? 'WebGL' : 'a canvas'")
        looks = list(window.evaluate(f"Array.from({PLAYER}.head.looks.destination.colours)"))
        checked = 0
        for number in (0, 1, 3, 20, 21, 33):
            found = plaza.person(number, 9.75)
            if found is None:
                continue
            at = window.evaluate(f"Array.from({PLAYER}.view.pixel({plaza.BOX[0] + found[0]}, "
                                 f"{plaza.BOX[1] + found[1]}))")
            top = window.evaluate(f"{PLAYER}.stage.getBoundingClientRect().top")
            wanted = looks[min(2, found[2])]
            wanted = np.array([int(wanted[i:i + 2], 16) for i in (1, 3, 5)])
            seen = picture[int(at[1] + top), int(at[0])]
            assert np.abs(seen - wanted).max() <= 12, (number, seen, wanted)
            checked += 1
        assert checked >= 4
        print(f"{checked} people found in Firefox, drawn with {how}")


if __name__ == "__main__":
    main()
