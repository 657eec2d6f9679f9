"""Measures how fast pages of throng view, or the player in reports, play in headless Chromium
without a GPU:

    tests/player/measure.py view.html [view.html#t=60&rate=10&colour=density report.html ...]

Prints for each page: the load of the machine, s until it shows the run, pictures per second, ms
between two pictures (median, 95 %), ms of its script per picture (the same), and ms of processor
time per picture, of the process that draws and of that which runs the script.
"""
import os
import pathlib
import re
import sys
import time

import browser

PLAYER = "throng.players[0]"
SECONDS = 8
COUNT = """(() => {
  const p = throng.players[0], tick = p.tick.bind(p);
  window.found = {gaps: [], script: []};
  let last = null;
  p.tick = now => {
    const begin = performance.now();
    tick(now);
    found.script.push(performance.now() - begin);
    if (last !== null) found.gaps.push(now - last);
    last = now;
  };
  p.setPlaying(true);
})()"""
QUANTILES = """(() => {
  const at = (values, share) =>
    values.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
  return [found.gaps, found.script].map(one => [at(one, 0.5), at(one, 0.95)]);
})()"""


def processor(root):
    """{kind of process: s of processor time} of Chromium's processes."""
    parents, spent, kinds = {}, {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            after = (path / "stat").read_text().rsplit(")", 1)[1].split()
            kind = re.search(r"--type=([\w-]+)", (path / "cmdline").read_text())
        except OSError:
            continue
        parents.setdefault(int(after[1]), []).append(int(path.name))
        spent[int(path.name)] = (int(after[11]) + int(after[12])) / os.sysconf("SC_CLK_TCK")
        kinds[int(path.name)] = kind[1] if kind else ""
    total, left = {}, [root]
    while left:
        one = left.pop()
        left += parents.get(one, [])
        total[kinds.get(one, "")] = total.get(kinds.get(one, ""), 0) + spent.get(one, 0)
    return total


def measure(url):
    """Plays a page for some seconds."""
    with browser.Chromium((1280, 720)) as window:
        begin = time.monotonic()
        window.open(url)
        window.evaluate("(document.querySelector('.throng-player').scrollIntoView(), 1)")
        window.evaluate(f"(({PLAYER}.root.querySelector('.poster') || {{click() {{}}}}).click(), "
                        f"{PLAYER}.ready).then(() => true)")
        opened = time.monotonic() - begin
        at = re.search(r"[#&]t=([0-9.]+)", url)  # in a report the address says nothing
        window.evaluate(f"({PLAYER}.seek({at[1] if at else 0}), 1)")
        window.evaluate(COUNT)
        time.sleep(2)
        window.evaluate("(found.gaps.length = found.script.length = 0, 1)")
        before, first, begin = processor(window.process.pid), window.evaluate(f"{PLAYER}.drawn"), \
            time.monotonic()
        time.sleep(SECONDS)
        count = window.evaluate(f"{PLAYER}.drawn") - first
        seconds = time.monotonic() - begin
        after = processor(window.process.pid)
        gaps, script = window.evaluate(QUANTILES)
        spent = {kind: 1000 * (after[kind] - before.get(kind, 0)) / max(1, count)
                 for kind in ("gpu-process", "renderer")}
    print(f"{url.rsplit('/', 1)[1]}: load {os.getloadavg()[0]:.1f}, open {opened:.2f} s, "
          f"{count / seconds:.1f} pictures/s, {gaps[0]:.1f} and {gaps[1]:.1f} ms apart, script "
          f"{script[0]:.1f} and {script[1]:.1f} ms, processor: drawing {spent['gpu-process']:.1f} "
          f"ms, script {spent['renderer']:.1f} ms", flush=True)


for given in sys.argv[1:]:
    name, _, where = given.partition("#")
    measure(pathlib.Path(name).resolve().as_uri() + ("#" + where if where else ""))
