"""A headless Chromium driven over its debugging pipe: loads a page, evaluates scripts, takes screenshots, and keeps
whatever the page printed on its console, threw, or asked of the network. No package beyond Python's own is needed.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """Chromium's path, or None."""
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


class Browser:
    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="alnsmith-browser-")
        to_read, self.write_fd = os.pipe()
        self.read_fd, to_write = os.pipe()
        self.log = open(os.path.join(self.profile, "log"), "wb")
        # Chromium reads commands from descriptor 3 and answers on 4. Both ends are moved out of the way first.
        shell = 'exec 3<&"$0" 4>&"$1"; shift; exec "$@"'
        self.process = subprocess.Popen(
            [
                "bash",
                "-c",
                shell,
                str(to_read),
                str(to_write),
                path,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--remote-debugging-pipe",
                "--user-data-dir=" + self.profile,
                "about:blank",
            ],
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.troubles, self.requests, self.loaded = b"", 0, [], [], False
        self.session = None
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(20)
        except Exception:  # it is to go away, however
            self.process.kill()
            self.process.wait()
        os.close(self.write_fd)
        os.close(self.read_fd)
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_fd, data) :]
        number = self.number
        while True:
            got = self.receive()
            if got.get("id") == number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']}")
                return got["result"]

    def receive(self, seconds=60):
        while b"\0" not in self.buffer:
            if not select.select([self.read_fd], [], [], seconds)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.read_fd, 1 << 16)
            if not piece:
                with open(self.log.name, "rb") as log:
                    raise RuntimeError("the browser ended: " + log.read()[-2000:].decode(errors="replace"))
            self.buffer += piece
        line, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(line)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, method, parameters):
        if method == "Runtime.consoleAPICalled":
            self.troubles.append("console: " + json.dumps(parameters["args"])[:500])
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.troubles.append("exception: " + (details.get("exception", {}).get("description") or details["text"]))
        elif method == "Log.entryAdded":
            self.troubles.append("log: " + parameters["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.troubles.append("dialog: " + parameters["message"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def open(self, path):
        """Loads a file and waits until the page says that it is drawn."""
        self.troubles, self.requests, self.loaded = [], [], False
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        end = time.monotonic() + 60
        while not self.loaded and time.monotonic() < end:
            self.receive()
        self.settle()  # late requests and errors

    def settle(self):
        """Waits until the page has drawn twice and has nothing left to do."""
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => "
            "requestIdleCallback(() => setTimeout(done, 20)))))"
        )

    def evaluate(self, script):
        got = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(f"{script}: {got['exceptionDetails'].get('exception', {}).get('description')}")
        return got["result"].get("value")

    def screen(self, width, height, dark=False, phone=False, media=""):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )
        self.call(
            "Emulation.setEmulatedMedia",
            media=media,
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )
        self.settle()

    def move(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, path, whole=True):
        got = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, optimizeForSpeed=True)
        with open(path, "wb") as out:
            out.write(base64.b64decode(got["data"]))

    def paper(self, path):
        got = self.call("Page.printToPDF", printBackground=True)
        with open(path, "wb") as out:
            out.write(base64.b64decode(got["data"]))
