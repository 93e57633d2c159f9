"""A match on its way to the database."""

from dataclasses import dataclass

from league.model.records import MatchRecord, Termination, starved_moves
from league.store.record_codec.record import decode_record, encode_record


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedMatch:
    """A match record as `data`, and what of it is asked before anybody opens that.

    Workers pack, so that the runner, of which there is one, need not.

    `plies` are those of the opening too; `answers` are the moves that bots were asked for and gave,
    of which `starved` were late while the bot had little computing.
    """

    versions: tuple[int, ...]
    scores: tuple[float, ...]
    termination: Termination
    fault_seat: int | None
    plies: int
    answers: int
    starved: int
    wall_ns: int
    data: bytes

    @classmethod
    def of(cls, record: MatchRecord) -> "PackedMatch":
        """Pack a record."""
        return cls(
            versions=record.versions,
            scores=record.scores,
            termination=record.termination,
            fault_seat=record.fault_seat,
            plies=len(record.opening) + len(record.moves),
            answers=len(record.moves),
            starved=starved_moves(record),
            wall_ns=record.wall_ns,
            data=encode_record(record),
        )

    def record(self) -> MatchRecord:
        """Return the record."""
        return decode_record(self.data)
