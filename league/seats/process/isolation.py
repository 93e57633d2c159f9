"""Isolation of bots: which levels work on this machine."""

import os
import signal
import subprocess
from functools import cache

from league.model.errors import SetupError
from league.model.records import Isolation
from league.platform import BOUNDS_MEMORY, HAS_SANDBOX, WEAKER
from league.seats.process.bubblewrap import PROGRAM, sandboxed
from league.seats.process.cgroup import delegated
from league.seats.process.namespace import why_no_namespace
from league.seats.process.seccomp import filter_options, open_filter

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
    if level is not Isolation.NONE:
        whole = "a bot with its children" if delegated() or not BOUNDS_MEMORY else "each process"
        told += f"; memory bounded for {whole}"
    return f"isolation: {level} ({told})"


def require(level: Isolation) -> None:
    """Raise `SetupError` if the level does not work here."""
    if level is Isolation.SANDBOX and (reason := why_no_sandbox()):
        raise SetupError(f"isolation sandbox does not work here: {reason}; try limits")


PROBES = 3

_KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)
"""Exit codes of a killed probe: of bubblewrap itself, or of the program inside."""


@cache
def why_no_sandbox() -> str:
    """Try a sandbox; return why it does not work here, '' if it does."""
    if not HAS_SANDBOX:
        return "the sandbox needs Linux"
    try:
        for _ in range(PROBES):
            done = _probe()
            # A probe killed from outside says nothing about the sandbox.
            if done.returncode not in _KILLED:
                break
    except FileNotFoundError:
        return "sandbox needs bubblewrap: apt install bubblewrap"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{PROGRAM} does not run: {error}"
    if done.returncode == 0:
        return ""
    told = done.stderr.decode("utf-8", "replace").strip().splitlines()
    reason = told[0] if told else f"status {done.returncode}"
    if "ermission" in reason or "not permitted" in reason:
        return f"user namespaces are off here ({reason}); {_PAGE} says how to allow them"
    return f"{PROGRAM} does not run ({reason})"


def _probe() -> "subprocess.CompletedProcess[bytes]":
    calls = open_filter()
    try:
        return subprocess.run(  # noqa: S603 (our own sandbox)
            sandboxed(["true"], None, readable=(), extra=filter_options(calls)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_S,
            pass_fds=calls,
            check=False,
        )
    finally:
        for descriptor in calls:
            os.close(descriptor)
