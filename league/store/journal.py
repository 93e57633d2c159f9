"""Finished matches in a file, while the database can't store them."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from league.model.records import MatchKey
from league.store.engine import shown
from league.store.record_codec.packed_match import PackedMatch
from league.store.rows import TournamentRow
from league.store.store import Store

JOURNAL_MAX = 64 << 20
"""The most bytes of a journal; matches that do not fit are played again."""

Matches = Sequence[tuple[MatchKey, PackedMatch]]


class _Entry(msgspec.Struct, array_like=True):
    encounter: int
    rotation: int
    match: PackedMatch


class _Contents(msgspec.Struct):
    """The matches, and their tournament, so that no other one of that number takes them."""

    created_at: int
    seed: int
    entries: list[msgspec.Raw]


class Journal:
    """The journal of one tournament, written by its runner alone.

    It is beside a database file. For a server it is in the user's state folder, so that `league
    resume` finds it from any folder.
    """

    def __init__(self, store: Store, row: TournamentRow) -> None:
        self.path = beside(store, f"unsaved-{row.id}")
        self._part = self.path.with_name(f"{self.path.name}.part")
        self._row = row

    def write(self, matches: Matches) -> int:
        """Replace the contents and return how many of the matches fit; raise `OSError`."""
        entries, size = list[msgspec.Raw](), 0
        for key, match in matches:
            entry = msgspec.msgpack.encode(_Entry(key.encounter, key.rotation, match))
            size += len(entry)
            if size > JOURNAL_MAX:
                break
            entries.append(msgspec.Raw(entry))
        row = self._row
        contents = _Contents(row.created_at, row.config.seed, entries)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self._part.open("wb") as file:
                file.write(msgspec.msgpack.encode(contents))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            # Part of a journal would keep room on a full disk.
            self._part.unlink(missing_ok=True)
            raise
        self._part.replace(self.path)
        return len(entries)

    def read(self) -> list[tuple[MatchKey, PackedMatch]]:
        """Return the matches; none without a journal, or for one that is damaged or another's."""
        try:
            contents = msgspec.msgpack.decode(self.path.read_bytes(), type=_Contents)
            entries = [msgspec.msgpack.decode(each, type=_Entry) for each in contents.entries]
        except (OSError, msgspec.MsgspecError):
            return []
        if (contents.created_at, contents.seed) != (self._row.created_at, self._row.config.seed):
            return []
        return [(MatchKey(each.encounter, each.rotation), each.match) for each in entries]

    def remove(self) -> None:
        """Remove the file, and what a kill left of one: the database has its matches."""
        for path in (self.path, self._part):
            path.unlink(missing_ok=True)


def beside(store: Store, ending: str) -> Path:
    """Return the path of a runner's file: beside a database file, or in the user's state folder."""
    if store.path is not None:
        return store.path.resolve().with_name(f"{store.path.name}.{ending}")
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    league = hashlib.sha256(shown(store.target).encode()).hexdigest()[:16]
    return state / "botleague" / f"{league}.{ending}"
