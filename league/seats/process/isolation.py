"""Isolation of bots: which levels work on this machine."""

import os
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from league.model.errors import SetupError
from league.model.records import Isolation
from league.platform import HAS_SANDBOX, WEAKER
from league.seats.process.bot_process import BotProcess, ProcessEnded, ProcessLate
from league.seats.process.bubblewrap import PROGRAM, sandboxed
from league.seats.process.namespace import why_no_namespace
from league.seats.process.rlimits import ProcessLimits

PROBE_S = 10.0

_MEANING = {
    Isolation.NONE: "bots run as you do",
    Isolation.LIMITS: "bots run as you do, within limits",
    Isolation.SANDBOX: "no network, no files but their own",
}
_APART = " and see no processes but their own"
_PAGE = "docs/explanation/isolation.md"
_WEAKER = (f"warning: weaker than on Linux: {WEAKER} ({_PAGE})",) if WEAKER else ()


def resolve(wanted: Isolation) -> tuple[Isolation, tuple[str, ...]]:
    """Return the level that `wanted` means here and lines about it; raise `SetupError`."""
    if wanted is not Isolation.AUTO:
        require(wanted)
        return wanted, (_line(wanted), *_WEAKER)
    if WEAKER:
        return Isolation.LIMITS, (_line(Isolation.LIMITS), *_WEAKER)
    if reason := why_no_sandbox():
        warning = f"warning: bots are not in the sandbox: {reason}"
        return Isolation.LIMITS, (_line(Isolation.LIMITS), warning)
    return Isolation.SANDBOX, (_line(Isolation.SANDBOX),)


def _line(level: Isolation) -> str:
    told = _MEANING[level]
    if level is Isolation.LIMITS:
        reason = why_no_namespace()
        told += f" and can signal your processes: {reason}" if reason else _APART
    return f"isolation: {level} ({told})"


def require(level: Isolation) -> None:
    """Raise `SetupError` if the level does not work here."""
    if level is Isolation.SANDBOX and (reason := why_no_sandbox()):
        raise SetupError(f"isolation sandbox does not work here: {reason}; try limits")


PROBES = 3
"""Attempts to make a sandbox: one that was killed from outside says nothing about the next."""


@cache
def why_no_sandbox() -> str:
    """Try a sandbox; return why it does not work here, '' if it does."""
    if not HAS_SANDBOX:
        return "the sandbox needs Linux"
    for _ in range(PROBES):
        try:
            told = _fault_of_probe()
        except FileNotFoundError:
            return "sandbox needs bubblewrap: apt install bubblewrap"
        if not told:
            return ""
    reason = told.strip().splitlines()[0]
    if "ermission" in reason or "not permitted" in reason:
        return f"user namespaces are off here ({reason}); {_PAGE} says how to allow them"
    return f"{PROGRAM} does not run ({reason})"


def _fault_of_probe() -> str:
    """Make a sandbox as a bot's is made; return why it fails, '' if it works."""

    def command(extra: Sequence[str]) -> Sequence[str]:
        return sandboxed(["true"], None, readable=(), extra=extra)

    try:
        probe = BotProcess(command, os.environ, Path("/"), ProcessLimits.none())
    except FileNotFoundError:
        raise
    except OSError as error:
        return str(error)
    try:
        probe.read_line(time.monotonic_ns() + int(PROBE_S * 1e9))
    except ProcessEnded as ended:
        return "" if ended.returncode == 0 else probe.log().strip() or str(ended)
    except ProcessLate:
        return f"it took more than {PROBE_S:g} s"
    finally:
        probe.kill()
    return "it writes lines"
