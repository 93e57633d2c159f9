"""Void matches in a hosted league."""

from collections.abc import Collection

from league.api.answer import Answer
from league.api.voids import Voids, VoidSelection
from league.hosting.accounts import audit
from league.hosting.model.people import Person
from league.hosting.store.host_store import HostStore
from league.tournament.void import Voided


class HostVoids(Voids):
    """The void matches of a hosted league, which plays those of its season again by itself.

    Each void is written to the audit log as that of `actor`, None for a command of the machine.
    """

    def __init__(self, store: HostStore, actor: Person | None = None, address: str = "") -> None:
        super().__init__(store)
        self._host = store
        self._actor = actor
        self._address = address

    def void(self, selection: VoidSelection, reason: str) -> Answer[Voided]:
        """Take matches out of everything that counts, to be played again."""
        found = super().void(selection, reason)
        value = found.value
        subject, detail = f"void {value.number}", f"{value.choice}: {value.reason}"
        audit.note(
            self._host, self._actor, "voided matches", subject, detail, address=self._address
        )
        return found

    def _played_on(self) -> Collection[int]:
        season = self._host.seasons.get()
        return () if season is None else season.tournaments

    def _pause_command(self, tournament: int) -> str:
        is_own = tournament in self._played_on()
        return "league host pause" if is_own else super()._pause_command(tournament)
