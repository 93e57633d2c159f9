"""One point of a bot's trial, and what to do where it fails."""

from dataclasses import KW_ONLY, dataclass

from league.model.records import Termination
from league.seats.bot_seat import BotKind

_MEMORY = "use less memory, or give it more by 'league run --memory'"

_ADVICE = {
    BotKind.PROGRAM: {
        Termination.TIME_FORFEIT: (
            "answer before the time for the move is over, and flush the output after each answer"
        ),
        Termination.ILLEGAL_MOVE: "answer one of the legal moves, written as the question has them",
        Termination.CRASH: "read the end of its standard error, which it may use as a log",
        Termination.MEMORY_LIMIT: _MEMORY,
    },
    BotKind.PYTHON: {
        Termination.TIME_FORFEIT: "return before clock.left_s() is 0",
        Termination.ILLEGAL_MOVE: "return one of state.legal_moves()",
        Termination.MEMORY_LIMIT: _MEMORY,
    },
    BotKind.SERVER: {
        Termination.TIME_FORFEIT: (
            "answer before the time for the move is over, and several matches at the same time"
        ),
        Termination.ILLEGAL_MOVE: "answer with status 200 and one of the legal moves in JSON",
        Termination.CRASH: "read the server's own log",
    },
    BotKind.MODEL: {},
}
"""Advice for each failure by the kind of bot; the crash of one in Python tells its own line."""

_LOAD_EARLY = {
    BotKind.PROGRAM: "load large files before the first question",
    BotKind.PYTHON: "load large files and packages at the top of the file",
    BotKind.SERVER: "load large files before the server starts",
    BotKind.MODEL: "give it minutes: --move-time 2m",
}
"""Advice for a first move that takes too long."""

GO_ON = "go on reading after a match: the same process plays the next one"
"""Advice for a program that has ended before a match that is not its first."""


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One point of a trial: the demand, the verdict and details; `log` ends with the newest line.

    `is_passed` is None if the point was not tried. `hint` says how to fix a failure, or what may
    make a bot lose that has passed. Not every failure `loses_matches`.
    """

    demand: str
    is_passed: bool | None
    _: KW_ONLY
    detail: str = ""
    hint: str = ""
    log: tuple[str, ...] = ()
    loses_matches: bool = True

    @property
    def warning(self) -> str:
        """Say what may make a bot lose though it plays; '' for nothing."""
        if self.is_passed is not False:
            return self.hint
        return "; ".join(filter(None, (self.detail, self.hint)))


def advice_on(
    termination: Termination,
    kind: BotKind,
    *,
    is_first_move: bool = False,
    is_again: bool = False,
) -> str:
    """Say what to do about a failure, '' if its own text does; `is_again` if it has played well."""
    hint = _ADVICE[kind].get(termination, "")
    if termination is Termination.TIME_FORFEIT and is_first_move:
        return "; ".join(filter(None, (hint, _LOAD_EARLY[kind])))
    is_crash = termination is Termination.CRASH
    if is_crash and kind is BotKind.PROGRAM and is_first_move and is_again:
        return GO_ON
    return hint
