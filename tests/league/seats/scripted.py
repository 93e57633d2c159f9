"""Bots that answer lines by a script, to play any engine and any fault."""

import json
import shlex
import sys
from pathlib import Path

from league.model.records import BotVersion

_PROGRAM = Path(__file__).with_name("script.py")


def engine(
    protocol: str,
    script: list[tuple[str, str]],
    options: dict[str, str] | None = None,
    folder: Path = Path("/"),
) -> BotVersion:
    """Return a bot that speaks `protocol` by `script`, as script.py has it, in `folder`."""
    words = [sys.executable, "-I", "-S", "-B", str(_PROGRAM), json.dumps(script)]
    return BotVersion(
        "scripted", f"{protocol}:{shlex.join(words)}", options=options or {}, folder=str(folder)
    )
