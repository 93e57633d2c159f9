"""Processes are started, restarted and ended, by a clock of the test's own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from league.hosting.supervisor.supervisor import HEALTHY_S, LONGEST_WAIT_S, SILENT_S, Supervisor

NAMES = ("web", "intake", "season")


@dataclass
class Scripted:
    """A process that does as the test says."""

    pid: int
    status: int | None = None
    is_stubborn: bool = False
    asked: list[str] = field(default_factory=list)

    def poll(self) -> int | None:
        """Return how it ended."""
        return self.status

    def terminate(self) -> None:
        """Note that it was asked to end."""
        self.asked.append("terminate")
        if not self.is_stubborn:
            self.status = 0

    def kill(self) -> None:
        """End it."""
        self.asked.append("kill")
        self.status = -9


class Stage:
    """A supervisor over scripted processes."""

    def __init__(self) -> None:
        self.at_s = 0.0
        self.started: list[tuple[str, Scripted]] = []
        self.told: list[tuple[str, str]] = []
        self.known: Mapping[str, int] | None = {}
        self.fails = 0
        self.swept = 0
        self.supervisor = Supervisor(
            NAMES,
            self.start,
            lambda: self.known,
            self.tell,
            sweep=self.sweep,
            clock=lambda: self.at_s,
        )

    def start(self, name: str) -> Scripted:
        """Start a scripted process."""
        if self.fails:
            self.fails -= 1
            raise OSError("no memory")
        process = Scripted(len(self.started) + 100)
        self.started.append((name, process))
        return process

    def tell(self, kind: str, text: str, part: str = "host") -> None:
        """Note an event."""
        self.told.append((kind, part))

    def sweep(self) -> None:
        """Count a sweep."""
        self.swept += 1

    def process(self, name: str) -> Scripted:
        """Return the newest process of a name."""
        return [process for each, process in self.started if each == name][-1]

    def starts(self, name: str) -> int:
        """Count the starts of a name."""
        return [each for each, _ in self.started].count(name)

    def pass_s(self, span_s: float, *, beating: tuple[str, ...] = NAMES) -> None:
        """Look every second, while these processes beat."""
        for _ in range(int(span_s)):
            self.at_s += 1
            if self.known is not None:
                self.known = {**self.known, **{name: int(self.at_s) for name in beating}}
            self.supervisor.look()


def wait_before_restart(stage: Stage, name: str) -> float:
    """Kill a process and return how long the supervisor waits before it starts the next one."""
    known, begin_s = stage.starts(name), stage.at_s
    stage.process(name).status = -9
    while stage.starts(name) == known:
        stage.pass_s(1)
    return stage.at_s - begin_s - 1


def test_all_are_started_once() -> None:
    stage = Stage()
    stage.pass_s(10)
    assert [name for name, _ in stage.started] == list(NAMES)
    assert stage.supervisor.restarts == dict.fromkeys(NAMES, 0)
    assert set(stage.supervisor.pids.values()) == {100, 101, 102}


def test_the_pause_before_a_restart_doubles_up_to_a_minute() -> None:
    stage = Stage()
    stage.pass_s(1)
    waits = [wait_before_restart(stage, "intake") for _ in range(8)]
    assert waits == [1, 2, 4, 8, 16, 32, LONGEST_WAIT_S, LONGEST_WAIT_S]
    assert stage.supervisor.restarts == {"web": 0, "intake": 8, "season": 0}
    assert stage.swept == 8


def test_a_minute_of_health_makes_the_next_pause_short_again() -> None:
    stage = Stage()
    stage.pass_s(1)
    for _ in range(3):
        wait_before_restart(stage, "season")
    stage.pass_s(HEALTHY_S)
    assert wait_before_restart(stage, "season") == 1


def test_a_process_that_beats_no_more_is_killed_and_started_again() -> None:
    stage = Stage()
    stage.pass_s(5)
    hung = stage.process("season")
    stage.pass_s(SILENT_S - 1, beating=("web", "intake"))
    assert hung.asked == []
    stage.pass_s(3, beating=("web", "intake"))
    assert hung.asked == ["kill"]
    assert ("silent", "season") in stage.told
    assert stage.starts("season") == 2
    assert stage.starts("web") == 1


def test_one_that_has_never_beaten_is_killed_too() -> None:
    stage = Stage()
    stage.pass_s(SILENT_S + 3, beating=("intake", "season"))
    assert stage.starts("web") == 2


def test_nobody_is_killed_while_the_database_is_away() -> None:
    stage = Stage()
    stage.pass_s(5)
    stage.known = None
    stage.pass_s(10 * SILENT_S)
    assert len(stage.started) == len(NAMES)
    # The heartbeats from before count as new ones: the processes need a moment to write the next.
    stage.known = dict.fromkeys(NAMES, 5)
    stage.pass_s(5, beating=())
    assert len(stage.started) == len(NAMES)


def test_one_that_cannot_be_started_is_tried_again() -> None:
    stage = Stage()
    stage.fails = 1
    stage.pass_s(1)
    assert stage.starts("web") == 0
    assert ("failed", "web") in stage.told
    stage.pass_s(2)
    assert stage.starts("web") == 1


def test_at_the_end_all_are_asked_and_the_stubborn_killed() -> None:
    stage = Stage()
    stage.pass_s(1)
    stage.process("season").is_stubborn = True

    def pause(span_s: float) -> None:
        stage.at_s += span_s

    assert not stage.supervisor.end(10.0, pause)
    assert stage.process("web").asked == ["terminate"]
    assert stage.process("season").asked == ["terminate", "kill"]
    assert 10 <= stage.at_s - 1 < 11


def test_a_peaceful_end_kills_nobody() -> None:
    stage = Stage()
    stage.pass_s(1)
    assert stage.supervisor.end(10.0, lambda span_s: None)
    assert [process.asked for _, process in stage.started] == [["terminate"]] * 3
