#!/usr/bin/env python3
"""Runs a program on a terminal and prints what its screen shows at the end.

    terminal.py PROGRAM ARGUMENTS...

Knows what throng uses: line ends, carriage returns and ESC[K. Returns the program's exit code.
"""

import os
import pty
import re
import sys

PIECES = re.compile(r"\r|\n|\x1b\[K|\x1b|[^\r\n\x1b]+")


def screen_of(text):
    rows, column = [""], 0
    for piece in PIECES.findall(text):
        if piece == "\r":
            column = 0
        elif piece == "\n":
            rows.append("")
        elif piece == "\x1b[K":
            rows[-1] = rows[-1][:column]
        else:
            rows[-1] = rows[-1][:column] + piece + rows[-1][column + len(piece):]
            column += len(piece)
    return rows


def main():
    said = bytearray()

    def read(source):
        block = os.read(source, 65536)
        said.extend(block)
        return block

    saved = os.dup(1)
    with open(os.devnull, "wb") as nothing:  # pty.spawn copies all to standard output
        os.dup2(nothing.fileno(), 1)
        status = pty.spawn(sys.argv[1:], read)
    os.dup2(saved, 1)
    print("\n".join(screen_of(said.decode("utf-8", "replace"))))
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
