"""The fault zoo as data: what each hostile bot does, and what becomes of it at each level.

`docs/explanation/isolation.md` shows the same table, and a test holds the two against each other.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from league.model.records import Isolation, Termination


class Level(StrEnum):
    """What can be in force, from weak to strong: `limits` are two, by what the kernel allows."""

    NONE = "none"
    LIMITS = "limits"
    NAMESPACE = "limits, namespace"
    SANDBOX = "sandbox"

    @property
    def isolation(self) -> Isolation:
        """The level of isolation that it is."""
        return Isolation.LIMITS if self is Level.NAMESPACE else Isolation(self.value)

    def holds(self, first: "Level") -> bool:
        """Whether it is at least as strong as `first`."""
        return list(Level).index(self) >= list(Level).index(first)


NONE, LIMITS, NAMESPACE, SANDBOX = Level
RULES, TIME, ILLEGAL = Termination.RULES, Termination.TIME_FORFEIT, Termination.ILLEGAL_MOVE
CRASH, MEMORY = Termination.CRASH, Termination.MEMORY_LIMIT


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile bot: its file in `tests/bad_bots`, and what it does in words.

    `ends` is the termination of its match at every level but for those in `ends_at`; `detail` is
    searched for in its words. `stopped_at` is the first level at which it gets nothing of what it
    is after. `is_frozen` says that freezing idle bots stops it. Below the level `void_below` its
    match is void.
    """

    name: str
    does: str
    ends: Termination
    detail: str = ""
    ends_at: dict[Level, Termination] = field(default_factory=dict)
    stopped_at: Level = NONE
    target: str = ""
    is_frozen: bool = False
    void_below: Level = NONE

    def ending(self, level: Level) -> Termination:
        """Return how its match ends at a level."""
        return self.ends_at.get(level, self.ends)


CASES = (
    Case("loops", "loops for ever", TIME, "s of it computing"),
    Case("holds_lock", "loops in C with the interpreter lock held", TIME, "had not moved"),
    Case("sleeps", "sleeps", TIME, "had not moved"),
    Case(
        "crowds_itself",
        "sleeps while threads of its own take the processor from one another",
        TIME,
        "had not moved",
    ),
    Case("ignores_signals", "ignores all signals", TIME, "had not moved"),
    Case("forks", "leaves a child that lives on", TIME, "had not moved"),
    Case(
        "detaches",
        "leaves children in sessions of their own that compute, and plays on",
        RULES,
    ),
    Case("crowds", "has 200 sleeping children, which take long to suspend", RULES),
    Case(
        "fork_bomb",
        "doubles itself without bound",
        CRASH,
        "had more than 256 processes",
        ends_at={SANDBOX: TIME},
        stopped_at=NAMESPACE,
    ),
    Case("eats_memory", "allocates without bound", MEMORY, "memory"),
    Case("floods_log", "writes to standard error without end", CRASH, "flooded its output"),
    Case("floods_output", "writes 100 MB where its answer goes", CRASH, "flooded its output"),
    Case("babbles", "writes messages without end that answer nothing", CRASH, "flooded its output"),
    Case("prints", "prints to standard output from library code", RULES),
    Case("answers_early", "answers before it is asked", ILLEGAL, "illegal move 0"),
    Case("answers_twice", "answers twice", RULES),
    Case("answers_late", "answers late", TIME, "had not moved"),
    Case("wrong_ply", "answers for another ply", TIME, "had not moved"),
    Case("half_a_line", "writes half a line, then nothing", TIME, "had not moved"),
    Case("bad_bytes", "writes invalid UTF-8 and NUL bytes", ILLEGAL, "an invalid message"),
    Case("escapes", "crashes with terminal escapes in its words", CRASH, "ValueError"),
    Case("huge", "answers a number of thousands of digits", ILLEGAL, "instead of a move"),
    Case("huge_json", "writes a number of 100,000 digits", ILLEGAL, "an invalid message"),
    Case("deep_json", "writes JSON 100,000 levels deep", ILLEGAL, "an invalid message"),
    Case("writes_pipe", "writes nonsense to every descriptor", ILLEGAL, "an invalid message"),
    Case(
        "closes_pipes",
        "closes its pipes and stays",
        CRASH,
        ends_at={SANDBOX: TIME},
    ),
    Case("fails_to_start", "can't be loaded", CRASH, "did not load: fails_to_start.py line 3"),
    Case("reports_much", "reports a megabyte with each move", RULES),
    Case("exits", "exits with status 3", CRASH, "exited with status 3"),
    Case("exits_well", "exits with status 0", CRASH, "exited with status 0"),
    Case("segfaults", "makes a segmentation fault", CRASH, "SIGSEGV"),
    Case("system_exit", "raises SystemExit", CRASH, "SystemExit: enough"),
    Case("keyboard_interrupt", "raises KeyboardInterrupt", CRASH, "KeyboardInterrupt"),
    Case("base_exception", "raises its own BaseException", CRASH, "Revolt: no"),
    Case("raises", "raises an exception", CRASH, "ZeroDivisionError"),
    Case("nothing", "answers nothing", ILLEGAL, "None"),
    Case("illegal", "answers an illegal move", ILLEGAL, "illegal move 77"),
    Case("assigns", "sets an attribute of the position it is given", CRASH, "can't change state"),
    Case("mutates", "changes the position it is given", CRASH),
    Case("monkeypatches", "rewrites the rules in `games`", ILLEGAL, "illegal move"),
    Case(
        "kills_itself",
        "sends SIGKILL to itself",
        CRASH,
    ),
    Case("kills_group", "kills its process group", CRASH),
    Case("kills_parent", "kills its parent", RULES, stopped_at=NAMESPACE, void_below=NAMESPACE),
    Case("stops_parent", "stops its parent", RULES, stopped_at=NAMESPACE, void_below=NAMESPACE),
    Case(
        "traces_parent",
        "attaches to its parent as a debugger",
        RULES,
        stopped_at=NAMESPACE,
        void_below=NAMESPACE,
    ),
    Case(
        "kills_all",
        "kills all processes that it may signal",
        RULES,
        stopped_at=NAMESPACE,
        target="namespace",
    ),
    Case("calls_kernel", "makes system calls that no bot needs", RULES, stopped_at=SANDBOX),
    Case("reads_files", "reads the league's database", RULES, stopped_at=SANDBOX, target="file"),
    Case(
        "writes_files", "overwrites the league's database", RULES, stopped_at=SANDBOX, target="file"
    ),
    Case("reads_sources", "reads its opponent's source", RULES, stopped_at=SANDBOX),
    Case(
        "reads_backups",
        "reads the backups and bots beside the file of its game",
        RULES,
        stopped_at=SANDBOX,
        target="game",
    ),
    Case("reads_memory", "opens its opponent's memory", RULES, stopped_at=NAMESPACE),
    Case("opens_socket", "opens a socket", RULES, stopped_at=SANDBOX, target="port"),
    Case("fills_disk", "writes a file of 300 MB", RULES, stopped_at=LIMITS),
    Case("makes_files", "makes empty files without bound", RULES, stopped_at=SANDBOX),
    Case(
        "spares_itself",
        "takes back that it is killed first when the machine runs out of memory",
        RULES,
        stopped_at=NAMESPACE,
    ),
    Case("leaves_files", "leaves files behind", RULES, stopped_at=LIMITS),
    Case(
        "ponders",
        "computes while its opponent is to move",
        RULES,
        is_frozen=True,
    ),
    Case(
        "steals_time",
        "has children in sessions of their own that compute while its opponent is to move",
        RULES,
        is_frozen=True,
    ),
)


def table() -> list[str]:
    """Return the lines of the table in `docs/explanation/isolation.md`."""
    lines = [
        "| the bot | its match ends by | its goal is stopped at | file |",
        "| --- | --- | --- | --- |",
    ]
    for case in CASES:
        told = str(case.ends)
        told += "".join(f"; {end} at {_named(level)}" for level, end in case.ends_at.items())
        if case.void_below is not NONE:
            told += f"; void below {_named(case.void_below)}"
        lines.append(f"| {case.does} | {told} | {_stop(case)} | `{case.name}.py` |")
    return lines


def _stop(case: Case) -> str:
    if case.is_frozen:
        return "any level without `--pondering`"
    if case.stopped_at is NONE:
        return "any level"
    return _named(case.stopped_at)


def _named(level: Level) -> str:
    return "`limits` with a namespace" if level is NAMESPACE else f"`{level}`"
