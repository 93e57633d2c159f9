"""Void matches, for scripts, commands and the web."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.api.answer import Answer
from league.model.errors import SetupError
from league.store.match_filter import MatchFilter
from league.store.rows import TournamentState, VoidRow
from league.store.store import Store

if TYPE_CHECKING:
    from league.tournament.void import VoidChoice, Voided

REASON_MAX = 2000
"""The longest reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidSelection:
    """The matches to void: some by number, or all that fit the other fields.

    `bot` is a bot or a version of it (`mine@2`). `since` and `until` are when a match ended: a date
    or a time of UTC, or a span ago such as '2h'. `machine` is the name of a pull worker's machine.
    """

    numbers: Sequence[int] = ()
    bot: str = ""
    tournament: int | None = None
    since: str = ""
    until: str = ""
    faults_only: bool = False
    machine: str = ""


class Voids:
    """The void matches in a store.

    Every method raises `InputError` for what a user can mend.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def choose(self, selection: VoidSelection) -> "VoidChoice":
        """Return what is void if the selected matches are; raise `SetupError` for none."""
        from league.tournament.void import choose

        return choose(self._store, self._numbers(selection))

    def void(self, selection: VoidSelection, reason: str) -> "Answer[Voided]":
        """Take matches out of everything that counts, to be played again.

        Everybody can read the reason. Raises `SetupError` while their tournament is in play.
        """
        from league.tournament.void import Voided, void

        reason = reason.strip()
        if not reason or len(reason) > REASON_MAX:
            text = f"the reason has {len(reason)} letters: expected 1 to {REASON_MAX}"
            raise SetupError(text)
        number, choice = void(self._store, self._numbers(selection), reason, self._pause_command)
        found = Voided(number, reason, choice, self._to_resume(choice))
        return Answer(found, lambda: _lines(found))

    def newest(self, limit: int = 50) -> tuple[VoidRow, ...]:
        """List the voids, newest first."""
        return self._store.voids.all(limit)

    def _numbers(self, selection: VoidSelection) -> Sequence[int]:
        from league.analysis.match_selection import read_since, read_until

        wanted: MatchFilter = {}
        if selection.bot:
            self._store.bots.get(selection.bot)
            wanted["bot"] = selection.bot
        if selection.tournament is not None:
            wanted["tournament"] = self._store.tournaments.get(selection.tournament).id
        if selection.since:
            wanted["ended_from"] = read_since(selection.since)
        if selection.until:
            wanted["ended_before"] = read_until(selection.until)
        if selection.machine:
            wanted["machine"] = selection.machine
        if selection.faults_only:
            wanted["faults_only"] = True
        if bool(wanted) == bool(selection.numbers):
            raise SetupError(
                "expected the numbers of matches, or a bot, a tournament, a machine or a time "
                "instead"
            )
        return selection.numbers or self._store.voids.chosen(**wanted)

    def _to_resume(self, choice: "VoidChoice") -> tuple[int, ...]:
        found = [self._store.tournaments.get(each) for each in choice.tournaments]
        played_on = self._played_on()
        return tuple(
            row.id for row in found if row.id not in played_on and row.state is TournamentState.OPEN
        )

    def _played_on(self) -> Collection[int]:
        """Return the tournaments that are played on without `league resume`."""
        return ()

    def _pause_command(self, tournament: int) -> str:
        """Return the command that lets the matches of a tournament in play end."""
        return f"league tournament pause {tournament}"


def _lines(found: "Voided") -> Sequence[str]:
    lines = [f"void {found.number}: {found.choice}: {found.reason}"]
    lines += [f"'league resume {each}' plays tournament {each} on" for each in found.to_resume]
    return lines
