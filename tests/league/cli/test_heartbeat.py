"""The line that tells how a long computation goes."""

import sys
import threading

import pytest

from league.cli import heartbeat


def test_it_beats_on_a_terminal_until_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(heartbeat, "PAUSE_S", 0.001)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    has_beaten = threading.Event()

    def tell() -> str:
        has_beaten.set()
        return "3 of 4 \x1b[2J" + "x" * 100

    with heartbeat.heartbeat(tell):
        assert has_beaten.wait(60)
    told = capsys.readouterr().err
    assert told.startswith("\r\x1b[K0 s: 3 of 4 ")
    assert told.endswith("\r\x1b[K")
    assert "\x1b[2J" not in told


def test_a_pipe_hears_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with heartbeat.heartbeat(lambda: "busy"):
        pass
    assert capsys.readouterr().err == ""


def test_it_is_wiped_out_while_something_else_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(heartbeat, "PAUSE_S", 0.001)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    beats = threading.Semaphore(0)

    def tell() -> str:
        beats.release()
        return "busy"

    with heartbeat.heartbeat(tell) as wiped:
        for _ in range(3):
            assert beats.acquire(timeout=60)
        with wiped():
            # Beats wait: nothing else is written before the block ends.
            print("found", file=sys.stderr)  # noqa: T201 (what is printed)
    assert "\r\x1b[Kfound\n" in capsys.readouterr().err
