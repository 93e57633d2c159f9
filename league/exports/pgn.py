"""Chess matches as PGN, which every chess program reads.

Source: Steven J. Edwards, Portable Game Notation Specification and Implementation Guide, 1994; the
comments on moves are as cutechess-cli writes them.
"""

import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime

from games.chess import Chess, Position
from games.contract import Game
from league.records import MoveRecord, ReportRecord, Termination
from league.replays import Frame, Replay

_WIDTH = 79
_UNFOLDED = "\N{NO-BREAK SPACE}"
_RESULTS: dict[tuple[float, ...], str] = {
    (1.0, 0.0): "1-0",
    (0.0, 1.0): "0-1",
    (0.5, 0.5): "1/2-1/2",
}
_TERMINATIONS = {
    Termination.RULES: "normal",
    Termination.RESIGNATION: "normal",
    Termination.TIME_FORFEIT: "time forfeit",
    Termination.ILLEGAL_MOVE: "rules infraction",
    Termination.CRASH: "abandoned",
    Termination.MEMORY_LIMIT: "abandoned",
    Termination.ADJUDICATED: "adjudication",
    Termination.MOVE_LIMIT: "adjudication",
}


class Pgn:
    """The seven tags and more, the moves in algebraic notation, and what was told about each."""

    name = "pgn"

    def refusal(self, game: Game) -> str:
        """Refuse all games but chess."""
        return "" if isinstance(game, Chess) else f"PGN holds chess alone, not {game.spec}"

    def text(self, replay: Replay) -> str:
        """Write the match, with an empty line at its end."""
        result = _RESULTS.get(replay.record.scores, "*")
        tags = "".join(f'[{name} "{_quoted(text)}"]\n' for name, text in _tags(replay, result))
        moves = " ".join([*_moves(replay), f"{{{_comment(_reason(replay))}}}", result])
        folded = textwrap.fill(moves, _WIDTH, break_long_words=False, break_on_hyphens=False)
        return f"{tags}\n{folded.replace(_UNFOLDED, ' ')}\n\n"


def _tags(replay: Replay, result: str) -> Iterator[tuple[str, str]]:
    row, first = replay.row, replay.frames[0].state
    assert isinstance(first, Position)  # noqa: S101 (narrows; other games are refused)
    ended = datetime.fromtimestamp(row.finished_at, UTC)
    yield "Event", f"Tournament {row.tournament_id}"
    yield "Site", "?"
    yield "Date", ended.strftime("%Y.%m.%d")
    yield "Round", f"{row.key.encounter + 1}.{row.key.rotation + 1}"
    yield "White", replay.names[0]
    yield "Black", replay.names[1]
    yield "Result", result
    if first.board.chess960:
        yield "Variant", "Chess960"
    if first.fen() != _USUAL or first.board.chess960:
        yield "SetUp", "1"
        yield "FEN", first.fen()
    yield "PlyCount", str(len(replay.frames) - 1)
    yield "Termination", _TERMINATIONS[replay.record.termination]
    yield from _time_controls(replay)


def _time_controls(replay: Replay) -> Iterator[tuple[str, str]]:
    """Yield one tag, or one for each colour where one has a handicap."""
    told = [
        each.time or (f"{each.move_s:g}/move" if each.move_s is not None else "")
        for each in replay.seat_limits
    ]
    if not any(told):
        return
    if told[0] == told[1]:
        yield "TimeControl", told[0]
    else:
        yield from zip(("WhiteTimeControl", "BlackTimeControl"), told, strict=True)


_USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def _moves(replay: Replay) -> Iterator[str]:
    """Yield numbers, moves and comments; a move of Black has its number after a comment."""
    before = replay.frames[0].state
    for frame in replay.frames[1:]:
        assert isinstance(before, Position)  # noqa: S101 (narrows; other games are refused)
        yield f"{before.board.fullmove_number}{'...' if before.to_move else '.'} {frame.move}"
        yield f"{{{_told(frame)}}}"
        before = frame.state


def _told(frame: Frame) -> str:
    """Write what a bot told about its move, its time and its clock: `+0.35/12 0.104s`."""
    if frame.record is None:
        return "book"
    return " ".join([*_numbers(frame.record.report), _seconds(frame.record), *_clock(frame.left_s)])


def _numbers(report: ReportRecord | None) -> Iterator[str]:
    if report is None or report.score is None:
        return
    score = f"{report.score:+.2f}"
    if report.mate is not None:
        score = f"{'-' if report.score < 0 else '+'}M{abs(report.mate)}"
    yield score if report.depth is None else f"{score}/{report.depth}"


def _seconds(record: MoveRecord) -> str:
    return f"{record.wall_ns / 1e9:.3f}s"


def _clock(left_s: float | None) -> Iterator[str]:
    if left_s is None:
        return
    minutes, milliseconds = divmod(int(left_s * 1000), 60_000)
    hours, minutes = divmod(minutes, 60)
    # Not to be folded, for who reads it by a space: so until the lines are made it has none.
    yield f"[%clk{_UNFOLDED}{hours}:{minutes:02}:{milliseconds / 1000:06.3f}]"


def _reason(replay: Replay) -> str:
    """Say how the match ended, as it stands on the board or in the record."""
    record, last = replay.record, replay.frames[-1].state
    if record.termination is Termination.RULES and isinstance(last, Position):
        return last.status()
    if record.fault_seat is None:
        return f"{record.termination}: {record.detail}"
    colour = ("White", "Black")[record.fault_seat]
    return f"{colour} loses by {record.termination}: {record.detail}"


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text)


def _quoted(text: str) -> str:
    return _printable(text).replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> str:
    # A comment ends at its first brace.
    return _printable(text).replace("{", "(").replace("}", ")")


EXPORT = Pgn()
