"""The moves of a match in rows, as people number them: by moves in chess, by plies elsewhere."""

from dataclasses import dataclass, field

from games.chess.rules import Chess, ChessState
from games.support.game import Game
from league.analysis.replay import Replay
from league.match.replay import Frame
from league.model.number_format import short_time


@dataclass(frozen=True, slots=True)
class MoveCell:
    """A move as the list of moves shows it; `number` is '' where its row has one."""

    ply: int
    address: str
    seat: int
    text: str
    time: str
    number: str = ""
    is_opening: bool = False
    is_blunder: bool = False


@dataclass(slots=True)
class MoveRow:
    """A row of the list: a cell for each seat, None for a seat that did not move.

    A move of luck has a row of its own, of one cell.
    """

    number: str
    cells: list[MoveCell | None] = field(default_factory=list)

    @property
    def is_luck(self) -> bool:
        """Whether luck moved."""
        return len(self.cells) == 1


def move_rows(replay: Replay) -> list[MoveRow]:
    """Return the moves in rows; a row ends where a seat moves that is not behind the last one."""
    frames = replay.frames[1:]
    game = replay.frames[0].state.game
    blunders = {each.ply for each in replay.blunders()}
    has_numbers = has_row_numbers(game)
    rows: list[MoveRow] = []
    last = game.seats
    for frame in frames:
        seat = -1 if frame.seat is None else frame.seat
        cell = MoveCell(
            frame.ply,
            address_of(frame),
            seat,
            frame.move,
            time_of(frame),
            number="" if has_numbers else number_of(frame),
            is_opening=frame.record is None and not replay.is_imported,
            is_blunder=frame.ply in blunders,
        )
        if frame.is_luck:
            rows.append(MoveRow("", [cell]))
            last = game.seats
            continue
        if seat <= last or rows[-1].is_luck:
            rows.append(MoveRow(_row_number(game, frame), [None] * game.seats))
        rows[-1].cells[seat] = cell
        last = seat
    return rows


def has_row_numbers(game: Game) -> bool:
    """Whether people number rows of moves, not each move."""
    return isinstance(game, Chess)


def number_of(frame: Frame) -> str:
    """Write the number before a move: `12.`, or `12…` for Black's move in chess."""
    game, before = frame.state.game, frame.before
    if isinstance(game, Chess) and before is not None:
        return f"{_chess_number(frame)}{'…' if frame.seat else '.'}"
    return f"{frame.ply}."


def number_in_list(frame: Frame) -> str:
    """Write the number before a move in a list; '' in chess, where its row has one already."""
    if not has_row_numbers(frame.state.game):
        return number_of(frame)
    return "" if frame.seat and frame.ply > 1 else _chess_number(frame)


def move_number(frame: Frame) -> str:
    """Write the number of the move that follows a position."""
    state = frame.state
    return state.fen().rpartition(" ")[2] if isinstance(state, ChessState) else str(frame.ply + 1)


def address_of(frame: Frame) -> str:
    """Name a position in an address: `12w` and `12b` in chess, else its ply."""
    if isinstance(frame.state.game, Chess) and frame.before is not None:
        return f"{_chess_number(frame)}{'b' if frame.seat else 'w'}"
    return str(frame.ply)


def position_told(frame: Frame) -> str:
    """Name the position after a move: by the move in chess, by the ply in other games."""
    if frame.before is None:
        return "at the start"
    if isinstance(frame.state.game, Chess):
        return f"after {number_of(frame)} {frame.move}"
    return f"after ply {frame.ply}"


def time_of(frame: Frame) -> str:
    """Write how long a move took, '' if no bot moved."""
    record = frame.record
    return (
        "" if record is None or frame.is_luck or not record.wall_ns else short_time(record.wall_ns)
    )


def _row_number(game: Game, frame: Frame) -> str:
    return _chess_number(frame) if isinstance(game, Chess) else ""


def _chess_number(frame: Frame) -> str:
    return frame.before.fen().rpartition(" ")[2] if frame.before else ""
