"""Take from a Python process what macOS does not have; Python imports this at its start.

The names of `linux_names` are gone, and `/proc`, prctl(2) and a fork that runs no program fail.
psutil alone may read `/proc`: on macOS it asks the system otherwise.
"""

import os
import runpy
import sys
from pathlib import Path


def _deny(event: str, arguments: tuple[object, ...]) -> None:
    if event == "os.fork":
        raise OSError("a fork that runs no program is not safe on macOS")
    if event == "ctypes.dlsym" and arguments[1] in ("prctl", "unshare"):
        raise AttributeError(f"macOS has no {arguments[1]}")
    if event in ("open", "os.listdir", "os.scandir") and _is_in_proc(arguments[0]):
        frame = sys._getframe(1)
        while frame and "psutil" not in frame.f_code.co_filename:
            frame = frame.f_back  # type: ignore[assignment]
        if frame is None:
            raise FileNotFoundError(2, "macOS has no /proc", arguments[0])


def _is_in_proc(path: object) -> bool:
    return isinstance(path, str | bytes | os.PathLike) and os.fsdecode(path).startswith("/proc")


runpy.run_path(str(Path(__file__).parents[1] / "linux_names.py"))["hide"]()
sys.addaudithook(_deny)
