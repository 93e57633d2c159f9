"""A match on its way to the database."""

from typing import NamedTuple

from league.model.records import MatchRecord, Repeat, Termination, starved_moves
from league.store.record_codec.record import decode_record, encode_record


class PackedMatch(NamedTuple):
    """An encoded match record plus its summary columns.

    Records are packed in workers to spare the single runner. `plies` includes the opening.
    `answers` counts the moves made by bots, of which `starved` were late because the bot got little
    CPU time. `machine` and `time_factor` are as in `MatchRow`.
    """

    versions: tuple[int, ...]
    scores: tuple[float, ...]
    termination: Termination
    utilities: tuple[float, ...] | None
    stand_ins: tuple[int, ...] | None
    fault_seat: int | None
    plies: int
    answers: int
    starved: int
    wall_ns: int
    data: bytes
    notation: str
    repeat: Repeat = Repeat.NOTHING
    machine: str = ""
    time_factor: float = 1.0

    @classmethod
    def of(cls, record: MatchRecord, repeat: Repeat = Repeat.NOTHING) -> "PackedMatch":
        """Pack a record."""
        return cls(
            versions=record.versions,
            scores=record.scores,
            termination=record.termination,
            utilities=record.utilities,
            stand_ins=record.stand_ins,
            fault_seat=record.fault_seat,
            plies=len(record.opening) + len(record.moves),
            answers=len(record.moves),
            starved=starved_moves(record),
            wall_ns=record.wall_ns,
            data=encode_record(record),
            notation=record.notation,
            repeat=repeat,
        )

    @property
    def wall_ms(self) -> int:
        """Return its duration, as the store has it."""
        return self.wall_ns // 1_000_000

    def record(self) -> MatchRecord:
        """Return the record."""
        return decode_record(self.data, self.notation)
