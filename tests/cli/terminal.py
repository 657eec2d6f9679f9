#!/usr/bin/env python3
"""Runs a program on a terminal and prints what its screen shows at the end.

    terminal.py [--columns N] PROGRAM ARGUMENTS...

Returns the program's exit code. `Screen` is the terminal, for other tests.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

PIECES = re.compile(r"\r\n|\r|\n|\x1b\[\d*[AJK]|\x1b|[^\r\n\x1b]+")


class Screen:
    """Knows what throng uses: line ends, carriage returns, ESC[K, ESC[J and ESC[nA; breaks lines
    that are too long. lines(): those that were broken are joined again, as a reader joins them."""

    def __init__(self, columns):
        self.columns, self.rows, self.goes_on = columns, [""], [False]
        self.row = self.column = 0
        self.rest = ""

    def feed(self, text, visit=lambda screen: None):
        """visit: called whenever a line is left or about to be overwritten."""
        text = self.rest + text
        cut = re.search(r"(\r|\x1b(\[\d*)?)$", text)  # a sequence that has not come whole
        self.rest, text = (text[cut.start():], text[:cut.start()]) if cut else ("", text)
        for piece in PIECES.findall(text):
            if piece[0] in "\r\n":
                visit(self)
            if piece in ("\n", "\r\n"):
                self.down(False)
            elif piece == "\r":
                self.column = 0
            elif piece[0] == "\x1b":
                self.escape(piece)
            else:
                self.write(piece)

    def down(self, goes_on):
        self.goes_on[self.row] = goes_on
        self.row, self.column = self.row + 1, 0
        if self.row == len(self.rows):
            self.rows.append("")
            self.goes_on.append(False)

    def escape(self, piece):
        if piece.endswith("A"):
            self.row = max(0, self.row - int(piece[2:-1] or 1))
        elif piece.endswith(("K", "J")):
            self.rows[self.row] = self.rows[self.row][:self.column]
            if piece.endswith("J"):
                del self.rows[self.row + 1:], self.goes_on[self.row + 1:]

    def write(self, text):
        for letter in text:
            if self.column == self.columns:
                self.down(True)
            row = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = row[:self.column] + letter + row[self.column + 1:]
            self.column += 1

    def resize(self, columns, reflows):
        """Some terminals break lines that have become too long, others cut them."""
        if reflows:
            lines, self.rows, self.goes_on = self.lines(), [], []
            for line in lines:
                parts = [line[i:i + columns] for i in range(0, len(line), columns)] or [""]
                self.rows += parts
                self.goes_on += [True] * (len(parts) - 1) + [False]
            self.row = len(self.rows) - 1
            self.column = len(self.rows[-1])
        else:
            self.rows = [row[:columns] for row in self.rows]
            self.column = min(self.column, columns)
        self.columns = columns

    def lines(self):
        joined, goes_on = [], False
        for row, follows in zip(self.rows, self.goes_on):
            if goes_on:
                joined[-1] += row
            else:
                joined.append(row)
            goes_on = follows
        return joined


def set_size(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))


def need_terminal():
    """Exits with 77 where the system has no pseudo-terminals."""
    try:
        ends = pty.openpty()
    except OSError as error:
        print(f"no pseudo-terminal (/dev/pts): {error}")
        sys.exit(77)
    for end in ends:
        os.close(end)


def run(command, columns, heard, environment=None, every=None):
    """Runs the command on a terminal; heard(text, terminal, child) for all that it writes,
    every(terminal, child, seconds) now and then. Returns the exit code, negative for a signal."""
    child, terminal = pty.fork()
    if child == 0:
        time.sleep(0.05)  # until the terminal has its size
        os.environ.update({"TERM": "xterm"}, **(environment or {}))
        os.execvp(command[0], command)
    set_size(terminal, columns)
    start = time.monotonic()
    while True:
        ready, _, _ = select.select([terminal], [], [], 0.02)
        if every:
            every(terminal, child, time.monotonic() - start)
        if ready:
            try:
                block = os.read(terminal, 65536)
            except OSError:  # Linux, at the end
                block = b""
            if not block:
                break
            heard(block.decode("utf-8", "replace"))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    words, columns = sys.argv[1:], 100
    if words[0] == "--columns":
        columns, words = int(words[1]), words[2:]
    screen = Screen(columns)
    code = run(words, columns, screen.feed)
    print("\n".join(screen.lines()))
    return code


if __name__ == "__main__":
    sys.exit(main())
