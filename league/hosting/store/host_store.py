"""The database of a hosted league, opened."""

from pathlib import Path
from typing import Self

from sqlalchemy import Engine

from league.hosting.store.challenges import ChallengeTable
from league.hosting.store.notices import NoticeTable
from league.hosting.store.people import PeopleTable
from league.hosting.store.seasons import SeasonTable
from league.hosting.store.services import ServiceTable
from league.hosting.store.sign_ins import SignInTable
from league.hosting.store.submissions import SubmissionTable
from league.hosting.store.upload_counts import UploadCountTable
from league.store.store import Store, open_as


class HostStore(Store):
    """A league's database with its people, seasons and submissions."""

    def __init__(
        self, engine: Engine, target: str, path: Path | None, is_read_only: bool = False
    ) -> None:
        super().__init__(engine, target, path, is_read_only)
        self.people = PeopleTable(self)
        self.sign_ins = SignInTable(self)
        self.services = ServiceTable(self)
        self.submissions = SubmissionTable(self)
        self.uploads = UploadCountTable(self)
        self.challenges = ChallengeTable(self)
        self.seasons = SeasonTable(self)
        self.notices = NoticeTable(self)

    @classmethod
    def over(cls, store: Store) -> Self:
        """Return the same database with these; it is closed with `store`."""
        return cls(store.engine, store.target, store.path, store.is_read_only)


def open_host_store(
    target: str, *, create: bool = False, read_only: bool = False, remembers: bool = False
) -> HostStore:
    """Open a database as `open_store` does."""
    return open_as(HostStore, target, create=create, read_only=read_only, remembers=remembers)
