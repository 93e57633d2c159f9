"""A real browser without a window, driven through Chromium's DevTools protocol over two pipes."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PROGRAMS = ("chromium", "google-chrome", "chrome")
PATIENCE_S = 60.0

# Chromium reads commands from file descriptor 3 and writes to 4; both ends may lie there already.
_PLUMBING = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""

_FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
)

_KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32}


def program() -> str | None:
    """Return the path of the machine's Chromium, None where it has none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Page:
    """One page in a browser of its own; what it complained of and asked the network for is kept."""

    def __init__(self, path: str, folder: Path) -> None:
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # Its sandbox refuses to run as root.
        flags = [*_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        command = [sys.executable, "-c", _PLUMBING, str(to_read), str(to_write), path]
        self._process = subprocess.Popen(
            [*command, *flags, f"--user-data-dir={folder}"],
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_read)
        os.close(to_write)
        self._asked = 0
        self._came = b""
        self._session: str | None = None
        self._is_loaded = False
        self.complaints: list[Any] = []
        self.requests: list[str] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._read)
        os.close(self._write)

    def open(self, file: Path, width: int = 1240, height: int = 800) -> None:
        """Load a file in a window of that size in CSS pixels, and wait until it is there."""
        self.visit(file.as_uri(), width, height)

    def visit(self, address: str, width: int = 1240, height: int = 800) -> None:
        """Load what is at an address, as `open` does a file."""
        self.resize(width, height)
        self.complaints.clear()
        self.requests.clear()
        self._is_loaded = False
        self._ask("Page.navigate", url=address)
        end = time.monotonic() + PATIENCE_S
        while not self._is_loaded:
            self._hear(end)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size in CSS pixels."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._ask("Emulation.setDeviceMetricsOverride", **metrics)

    def run(self, script: str) -> Any:
        """Return what an expression of JavaScript is worth in the page, as JSON has it."""
        found = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        event = {"key": key, "code": key.strip() or "Space", "windowsVirtualKeyCode": _KEYS[key]}
        text = {"text": key} if len(key) == 1 else {}
        self._ask("Input.dispatchKeyEvent", type="keyDown", **event, **text)
        self._ask("Input.dispatchKeyEvent", type="keyUp", **event)

    def click(self, selector: str) -> None:
        """Click the middle of what a selector of CSS finds."""
        found = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        box = self.run(f"{found}.toJSON()")
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def picture(self) -> bytes:
        """Return what is in the window as a PNG."""
        return base64.b64decode(self._ask("Page.captureScreenshot")["data"])

    def _ask(self, method: str, **parameters: Any) -> Any:
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE_S
        while True:
            heard = self._hear(end)
            if heard.get("id") == self._asked:
                assert "error" not in heard, (method, heard["error"])
                return heard["result"]

    def _hear(self, end: float) -> Any:
        """Return the next message, an event noted."""
        while b"\0" not in self._came:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self._read, 1 << 16) if ready else b""
            assert part, "Chromium ended, or does not answer"
            self._came += part
        line, _, self._came = self._came.partition(b"\0")
        message = json.loads(line)
        method, parameters = message.get("method"), message.get("params")
        if method == "Page.loadEventFired":
            self._is_loaded = True
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.complaints.append(parameters)
        return message
