"""Opens pages in headless browsers, for tests: Chromium by its debugging protocol over a pipe,
Firefox by Marionette over a socket of this machine. Needs nothing but the browsers."""
import base64
import fcntl
import io
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 120  # s


def pixels(png: bytes) -> np.ndarray:
    """A PNG as [rows][columns][3], 0 to 255."""
    from matplotlib.image import imread
    return np.round(imread(io.BytesIO(png), format="png")[..., :3] * 255).astype(int)


class Chromium:
    """A headless Chromium that draws WebGL in software; size: of its window, pixels."""

    def __init__(self, size=(1280, 720), more=()):
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        ours, theirs = os.pipe(), os.pipe()  # to it, from it: descriptors 3 and 4 in Chromium
        self.out, self.into = ours[1], theirs[0]

        def hand_over():
            # 3 and 4 themselves may be among them, or free.
            kept = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (ours[0], theirs[1])]
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        words = [CHROMIUM, "--headless=new", "--no-sandbox", "--remote-debugging-pipe",
                 f"--user-data-dir={self.profile}", "--disable-gpu",
                 "--enable-unsafe-swiftshader", "--hide-scrollbars", "--no-first-run",
                 "--disable-background-networking", "--disable-dev-shm-usage",
                 f"--window-size={size[0]},{size[1]}", *more, "about:blank"]
        with open(os.path.join(self.profile, "log"), "wb") as log:
            self.process = subprocess.Popen(  # pylint: disable=subprocess-popen-preexec-fn
                words, close_fds=False, preexec_fn=hand_over, stdout=log, stderr=log)
        os.close(ours[0])
        os.close(theirs[1])
        self.rest, self.number, self.messages = b"", 0, []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Runtime.enable")
        self.call("Page.enable")

    session = None

    def call(self, method, **parameters):
        """The result of a command."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for answer in self.read():
                if answer.get("id") == self.number:
                    if "error" in answer:
                        raise RuntimeError(f"{method}: {answer['error']}")
                    return answer["result"]
                self.messages.append(answer)
        raise TimeoutError(method)

    def read(self):
        """The messages that have come."""
        import select
        if not select.select([self.into], [], [], 1)[0]:
            return []
        got = os.read(self.into, 1 << 20)
        if not got:
            raise EOFError("Chromium has ended")
        *whole, self.rest = (self.rest + got).split(b"\0")
        return [json.loads(one) for one in whole]

    def open(self, url):
        """Opens a page."""
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def evaluate(self, script):
        """The value of an expression, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            about = answer["exceptionDetails"]
            raise RuntimeError(about.get("exception", {}).get("description", about["text"]))
        return answer["result"].get("value")

    def wait(self, script):
        """Until an expression is true."""
        until = time.monotonic() + PATIENCE
        while not self.evaluate(script):
            if time.monotonic() > until:
                raise TimeoutError(script)
            time.sleep(0.05)

    def picture(self):
        """What the window shows, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def mouse(self, kind, x, y, **more):
        """An event of the mouse: mousePressed, mouseReleased, mouseMoved, mouseWheel."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        """A click at a pixel."""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def key(self, key):
        """A key, by its name or letter."""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def faults(self):
        """What the page complained of."""
        found = []
        for one in self.messages:
            if one.get("method") == "Runtime.exceptionThrown":
                found.append(json.dumps(one["params"])[:500])
            if one.get("method") == "Runtime.consoleAPICalled" and \
                    one["params"]["type"] in ("error", "warning"):
                found.append(json.dumps(one["params"]["args"])[:500])
        return found

    def close(self):
        """Ends it."""
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (EOFError, OSError, TimeoutError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Firefox:
    """A headless Firefox; what it can do here is a part of what Chromium can."""

    def __init__(self, size=(1280, 720)):
        self.profile = tempfile.mkdtemp(prefix="firefox-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        Path(self.profile, "user.js").write_text(
            f'user_pref("marionette.port", {port});\n'
            'user_pref("webgl.force-enabled", true);\n'
            'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
            'user_pref("app.update.enabled", false);\n'
            'user_pref("browser.shell.checkDefaultBrowser", false);\n', encoding="utf-8")
        with open(os.path.join(self.profile, "log"), "wb") as log:
            self.process = subprocess.Popen(
                [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", self.profile,
                 f"--width={size[0]}", f"--height={size[1]}"], stdout=log, stderr=log,
                env={**os.environ, "HOME": self.profile, "MOZ_HEADLESS_WIDTH": str(size[0]),
                     "MOZ_HEADLESS_HEIGHT": str(size[1])})
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 1)
                break
            except OSError:
                if time.monotonic() > until or self.process.poll() is not None:
                    self.process.kill()
                    raise
                time.sleep(0.2)
        self.socket.settimeout(PATIENCE)
        self.rest, self.number = b"", 0
        self.receive()
        self.call("WebDriver:NewSession", {"capabilities": {}})
        self.call("WebDriver:SetTimeouts", {"script": PATIENCE * 1000})

    def receive(self):
        """The next message: its length, a colon, and JSON."""
        while b":" not in self.rest:
            self.rest += self.more()
        length, self.rest = self.rest.split(b":", 1)
        while len(self.rest) < int(length):
            self.rest += self.more()
        message, self.rest = self.rest[:int(length)], self.rest[int(length):]
        return json.loads(message)

    def more(self):
        """Some bytes."""
        got = self.socket.recv(1 << 20)
        if not got:
            raise EOFError("Firefox has ended")
        return got

    def call(self, method, parameters):
        """The result of a command."""
        self.number += 1
        data = json.dumps([0, self.number, method, parameters]).encode()
        self.socket.sendall(str(len(data)).encode() + b":" + data)
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{method}: {error['message']}")
        return result

    def open(self, url):
        """Opens a page."""
        self.call("WebDriver:Navigate", {"url": url})

    def evaluate(self, script):
        """The value of an expression, which may be a promise."""
        return self.call("WebDriver:ExecuteScript",
                         {"script": f"return {script}", "args": [], "sandbox": None})["value"]

    wait = Chromium.wait

    def picture(self):
        """What the window shows, as PNG."""
        return base64.b64decode(self.call("WebDriver:TakeScreenshot", {"full": False})["value"])

    def close(self):
        """Ends it."""
        try:
            self.call("Marionette:Quit", {"flags": ["eForceQuit"]})
            self.process.wait(15)
        except (EOFError, OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.socket.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
