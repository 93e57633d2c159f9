"""Matches for two as PGN: those of chess for every chess program, others for rating programs.

Source: Steven J. Edwards, Portable Game Notation Specification and Implementation Guide, 1994; the
comments on moves are as cutechess-cli writes them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import repeat

from games.chess.opening_names import opening_name
from games.chess.rules import Chess, ChessState
from games.support.game import Game, State
from games.support.moves import as_word
from games.support.printable import printable
from games.support.specs import find_game
from league.analysis.replay import Replay
from league.interchange.export import AnyGame
from league.match.clocks import Clocks
from league.model.records import Limits, MoveRecord, ReportRecord, Termination

_WIDTH = 79
_LINE = re.compile(rf"(.{{0,{_WIDTH - 1}}}[^ ]|[^ ]+)(?: +|$)")
"""A line as long as it may be, or a longer word; `textwrap` takes longer than all else together."""

_UNFOLDED = "\N{NO-BREAK SPACE}"
_COUNTS = (
    *(("nodes", "n"), ("seldepth", "sd"), ("nps", "nps")),
    *(("hashfull", "hashfull"), ("tbhits", "tbhits")),
)
"""Numbers of a report that may be asked for, and their names in comments."""

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


@dataclass(frozen=True)
class Pgn(AnyGame):
    """The seven tags and more, the moves in algebraic notation, and what was told about each.

    The comment of a move has score, depth and time; more of its report if it is asked for.
    `latency` is what the referee's time is longer than the bot's own, below 0 if shorter. `times`
    adds tags of start, end and duration, `opening` the tags ECO and Opening; `event` and `site` are
    the tags of that name.
    """

    pv: bool = False
    nodes: bool = False
    nps: bool = False
    seldepth: bool = False
    hashfull: bool = False
    tbhits: bool = False
    latency: bool = False
    times: bool = False
    opening: bool = False
    event: str = ""
    site: str = ""

    name = "pgn"
    suffix = ".pgn"
    media_type = "application/x-chess-pgn"

    def refusal(self, game: Game) -> str:
        """Refuse games that are not for two."""
        return "" if game.seats == 2 else f"PGN has two seats, {game.spec} {game.seats}"

    def is_usual(self, game: Game) -> bool:
        """Be the usual format of chess, whose moves are in it."""
        return isinstance(game, Chess)

    def text(self, replay: Replay) -> str:
        """Write the match, with an empty line at its end."""
        result = _RESULTS.get(replay.record.scores, "*")
        first = find_game(replay.record.game).initial()
        tags = dict(_tags(replay, first, result))
        tags |= {name: text for name, text in (("Event", self.event), ("Site", self.site)) if text}
        if self.times and not replay.is_imported:
            tags |= _times(replay)
        if self.opening and isinstance(first, ChessState) and first.fen() == _USUAL:
            tags |= _opening(replay)
        written = "".join(f'[{name} "{_quoted(text)}"]\n' for name, text in tags.items())
        moves = self._moves(replay, first) if isinstance(first, ChessState) else _own_moves(replay)
        text = " ".join([*moves, f"{{{_safe(_reason(replay, first.game))}}}", result])
        folded = "\n".join(_LINE.findall(text)).replace(_UNFOLDED, " ")
        return f"{written}\n{folded}\n\n"

    def _moves(self, replay: Replay, first: ChessState) -> Iterator[str]:
        """Yield numbers, moves and comments; an imported match has no comments."""
        has_number, clocks = True, Clocks(replay.seat_limits)
        has_more = self.pv or self.latency or any(getattr(self, name) for name, _ in _COUNTS)
        played = [*repeat(None, len(replay.record.opening)), *replay.record.moves]
        begin = 2 * first.board.fullmove_number + first.to_move
        for ply, (word, move) in enumerate(zip(replay.words, played, strict=True)):
            number, seat = divmod(begin + ply, 2)
            comment = "book"
            if replay.is_imported:
                comment = ""
            elif move is not None:
                clocks.spend(seat, move.wall_ns)
                comment = _comment(move, clocks.left_s(seat))
                if has_more and move.report is not None:
                    more = self._more(replay, ply, move.wall_ns, move.report)
                    comment = ", ".join([comment, *more])
            # A move of Black has its number after a comment, and at the beginning.
            has_number |= not seat
            yield f"{number}{'...' if seat else '.'} {word}" if has_number else word
            if comment:
                yield f"{{{comment}}}"
            has_number = bool(comment)

    def _more(self, replay: Replay, ply: int, wall_ns: int, report: ReportRecord) -> Iterator[str]:
        """Yield what else of a report is asked for, by the names that fastchess gives them."""
        if self.latency and report.time_ms is not None:
            yield f"latency={(wall_ns // 1_000_000 - report.time_ms) / 1000:.3f}s"
        for name, short in _COUNTS:
            if getattr(self, name) and (count := getattr(report, name)) is not None:
                yield f"{short}={count}"
        if self.pv and (line := replay.frames[ply + 1].line):
            yield f'pv="{" ".join(map(as_word, line))}"'


def _tags(replay: Replay, first: State, result: str) -> Iterator[tuple[str, str]]:
    row = replay.row
    ended = datetime.fromtimestamp(row.finished_at, UTC)
    yield "Event", f"Tournament {row.tournament_id}" if row.tournament_id else "Casual match"
    yield "Site", "?"
    # Nobody here knows when a match was played that came from a file.
    yield "Date", "????.??.??" if replay.is_imported else ended.strftime("%Y.%m.%d")
    yield "Round", f"{row.key.encounter + 1}.{row.key.rotation + 1}"
    yield "White", replay.names[0]
    yield "Black", replay.names[1]
    yield "Result", result
    for colour, bot in zip(("White", "Black"), replay.bots, strict=False):
        yield from (
            (f"Engine{colour}{word}", text)
            for word, text in (("Name", bot.title), ("Author", bot.author))
            if text
        )
    if isinstance(first, ChessState):
        yield from _setup(first)
    else:
        # No tag of the standard: `Variant` would name one of chess.
        yield "Game", replay.record.game
    yield "PlyCount", str(replay.plies)
    yield "Termination", _TERMINATIONS[replay.record.termination]
    yield from _time_controls(replay)


def _times(replay: Replay) -> dict[str, str]:
    """Return the tags of fastchess and cutechess, the preparation of the bots included."""
    seconds = replay.record.wall_ns // 1_000_000_000
    ended = datetime.fromtimestamp(replay.row.finished_at, UTC)
    minutes, rest = divmod(seconds, 60)
    stamp = "%Y-%m-%dT%H:%M:%S %z"
    return {
        "GameStartTime": (ended - timedelta(seconds=seconds)).strftime(stamp),
        "GameEndTime": ended.strftime(stamp),
        "GameDuration": f"{minutes // 60:02}:{minutes % 60:02}:{rest:02}",
    }


def _opening(replay: Replay) -> dict[str, str]:
    found = opening_name(replay.words)
    return {"ECO": found.eco, "Opening": found.name} if found else {}


def _setup(first: ChessState) -> Iterator[tuple[str, str]]:
    """Yield the tags of a first position that is not the usual one."""
    if first.board.chess960:
        yield "Variant", "Chess960"
    if first.fen() != _USUAL or first.board.chess960:
        yield "SetUp", "1"
        yield "FEN", first.fen()


def _time_controls(replay: Replay) -> Iterator[tuple[str, str]]:
    """Yield the tag of the standard, and one for each colour where they differ."""
    told = ["?" if replay.is_imported else _time_control(each) for each in replay.seat_limits]
    yield "TimeControl", told[0] if told[0] == told[1] else "?"
    if told[0] != told[1]:
        yield from zip(("WhiteTimeControl", "BlackTimeControl"), told, strict=True)


def _time_control(limits: Limits) -> str:
    if control := limits.control:
        return control.pgn
    return "-" if limits.move_s is None else f"{limits.move_s:g}/move"


_USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def _own_moves(replay: Replay) -> Iterator[str]:
    """Yield the moves of another game as one comment, which readers of chess pass over."""
    if replay.plies:
        yield f"{{moves: {_safe(' '.join(replay.words))}}}"


def _comment(move: MoveRecord, left_s: float | None) -> str:
    """Write a move's report, time and clock: `+0.35/12 0.104s`; '' if there is nothing."""
    told = f"{move.wall_ns / 1e9:.3f}s"
    if move.report is not None and move.report.score is not None:
        told = f"{_score(move.report.score, move.report)} {told}"
    if left_s is not None:
        told = f"{told} {_clock(left_s)}"
    return "" if told == "0.000s" else told


def _score(value: float, report: ReportRecord) -> str:
    score = f"{value:+.2f}"
    if report.mate is not None:
        score = f"{'-' if value < 0 else '+'}M{abs(report.mate)}"
    return score if report.depth is None else f"{score}/{report.depth}"


def _clock(left_s: float) -> str:
    minutes, milliseconds = divmod(int(left_s * 1000), 60_000)
    hours, minutes = divmod(minutes, 60)
    # Not to be folded, for who reads it by a space: so until the lines are made it has none.
    return f"[%clk{_UNFOLDED}{hours}:{minutes:02}:{milliseconds / 1000:06.3f}]"


def _reason(replay: Replay, game: Game) -> str:
    """Say how the match ended, as it stands on the board or in the record."""
    record = replay.record
    if record.termination is Termination.RULES:
        return _ending(replay, game)
    if record.fault_seat is None:
        return f"{record.termination}: {record.detail}"
    if record.termination is Termination.TIME_FORFEIT and record.scores[record.fault_seat]:
        return f"{game.seat_names[record.fault_seat]} ran out of time: {record.detail}"
    return f"{game.seat_names[record.fault_seat]} loses by {record.termination}: {record.detail}"


def _ending(replay: Replay, game: Game) -> str:
    if not isinstance(game, Chess):
        return "by the rules"
    if replay.plies and replay.words[-1].endswith("#"):
        # Most matches end so, and need not be played to know it.
        return f"{game.seat_names[replay.record.scores.index(1.0)]} won by checkmate"
    last = replay.frames[-1].state
    return last.status() if isinstance(last, ChessState) else ""


def _quoted(text: str) -> str:
    return printable(text, "?").replace("\\", "\\\\").replace('"', '\\"')


def _safe(text: str) -> str:
    # A comment ends at its first brace.
    return printable(text, "?").replace("{", "(").replace("}", ")")


EXPORT = Pgn()
