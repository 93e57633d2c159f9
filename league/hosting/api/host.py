"""A hosted league: people, submissions and season, for scripts, commands and the web."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from league.api.answer import Answer
from league.hosting.api.host_settings import (
    HELPS,
    all_settings,
    audited,
    check_season,
    checked_changes,
    game_change,
    set_own,
    set_url,
)
from league.hosting.api.host_status import HostStatus, status_blocks, status_of
from league.hosting.api.people import OWN_URL_KEY, URL_KEY, Invited, People
from league.hosting.api.voids import HostVoids
from league.hosting.model.people import Person, Team, TeamStanding
from league.hosting.model.season import Challenge, NoticeKind, Season, SeasonState, Submission
from league.hosting.season.notices import tell
from league.hosting.season.settings import settings_of
from league.hosting.store.host_store import HostStore
from league.model.clock import now, now_ms
from league.model.errors import SetupError
from league.store.soundness import back_up
from league.tournament.lifecycle import cancel

if TYPE_CHECKING:
    from league.hosting.api.marks import SeasonMarks

_RUNNING = (SeasonState.OPEN, SeasonState.PAUSED, SeasonState.CLOSED, SeasonState.FINAL)

_BEFORE_FINAL = (SeasonState.OPEN, SeasonState.PAUSED, SeasonState.CLOSED)

TEXT_MAX = 2000
"""The longest announcement or reason."""


class Host:
    """The hosted league in a store.

    Each change is written to the audit log as that of `actor`, None for a command of the machine
    itself, which may do everything. Every method raises `InputError` for what a user can mend.
    """

    def __init__(self, store: HostStore, actor: Person | None = None, address: str = "") -> None:
        self.store = store
        self._actor = actor
        self._address = address

    @property
    def people(self) -> People:
        """The people of the league."""
        return People(self.store, self._actor, self._address)

    @property
    def voids(self) -> HostVoids:
        """The void matches of the league."""
        return HostVoids(self.store, self._actor, self._address)

    @property
    def season(self) -> Season:
        """The newest season; raise `SetupError` if there is none."""
        found = self.store.seasons.get()
        if found is None:
            raise SetupError("no season yet: 'league host init --game GAME' makes one")
        return found

    def begin(self, words: Mapping[str, str], *, url: str = "", port: int | None = None) -> Season:
        """Begin a season with these settings; raise `SetupError` before the last one is published.

        Visitors see as much as in the last one by default: its matches stay beside the new ones.
        Until 'league host' runs, links begin with `url`, or with the `port` of this machine.
        """
        settings = settings_of(words)
        before = self.store.seasons.get()
        if before is not None and "visibility" not in words:
            settings = replace(settings, visibility=before.settings.visibility)
        if before is not None and before.state in _RUNNING:
            raise SetupError(
                f"season {before.settings.name!r} is {before.state}: end it with 'league host "
                "close', or give another --db"
            )
        if before is not None and before.state is SeasonState.FINISHED:
            raise SetupError(
                f"season {before.settings.name!r} is finished: show its results with 'league host "
                "publish' first, or give another --db"
            )
        if before is not None:
            # Its rules for marks may have changed since.
            self._check_marks_are_played(before)
        check_season(self.store, settings, words)
        if url:
            set_url(self.store, url)
        if port is not None:
            self.store.settings.set(OWN_URL_KEY, f"http://localhost:{port}/")
        for kind in (NoticeKind.SEASON, NoticeKind.ANNOUNCEMENT):
            self.store.notices.end(kind)
        if before is None and self.store.path is not None:
            _keep_private(self.store.path)
        made = self.store.seasons.create(settings)
        self._note("began season", f"season {made.id}", settings.name)
        return made

    def _check_marks_are_played(self, season: Season) -> None:
        from league.hosting.season.gauntlets import left_to_play

        if left := left_to_play(self.store, season):
            raise SetupError(
                f"{left} encounters that the rules for marks of {season.settings.name!r} ask for "
                "are not played yet: 'league host' plays them, and 'league marks' says how many "
                "are left"
            )

    def first_organiser(self, login: str) -> Invited | None:
        """Add an organiser and return the one-time link; None if there is an organiser already."""
        if any(each.is_organiser and each.is_active for each in self.store.people.all()):
            return None
        return self.people.add(login, role="organiser")

    @property
    def url(self) -> str:
        """The address by which browsers reach the league, '' if it was not told."""
        return self.store.settings.get(URL_KEY, "")

    def settings(self) -> Answer[Mapping[str, str]]:
        """Return the settings of the season and of the host as words."""
        from league.hosting.documents import HostSetting
        from league.hosting.text.host import settings_blocks

        found = all_settings(self.store, self.season)
        return Answer(
            found,
            lambda: settings_blocks(found, HELPS),
            lambda: [HostSetting(key=key, value=value) for key, value in found.items()],
        )

    def game_change(self, words: Mapping[str, str]) -> str:
        """Say what a change of the game among the settings undoes, '' if they change no game."""
        return game_change(self.store, self.season, words)

    def change_settings(self, words: Mapping[str, str]) -> Season:
        """Change settings; raise `SettingError` for one that does not fit, and change none."""
        season = self.season
        settings = checked_changes(self.store, season, words)
        set_own(self.store, words)
        if settings is not None:
            self.store.seasons.update(season.id, settings=settings)
            if settings.game != season.settings.game:
                self._drop(season, season.tournaments)
        for key, told in audited(self.store, words):
            self._note("changed setting", f"season {season.id}", f"{key}={told}"[:TEXT_MAX])
        return self.season

    def open(self) -> Season:
        """Take submissions again, until the results are published; raise `SetupError` otherwise.

        A final that has begun is cancelled, and counts for nothing.
        """
        season = self._in_state(SeasonState.CLOSED, SeasonState.FINAL, SeasonState.FINISHED)
        closes_at = season.settings.closes_at
        if closes_at is not None and closes_at <= time.time():
            raise SetupError("its closing time has passed: 'league host settings closes=…' first")
        opened = self._moved(season, "opened", SeasonState.OPEN, closed_at=None, final=None)
        final = () if season.final is None else (season.final,)
        self._drop(season, (*final, *self.store.seasons.open_among(season.gauntlets)))
        self.store.notices.end(NoticeKind.SEASON)
        return opened

    def _drop(self, season: Season, tournaments: Sequence[int]) -> None:
        """Take tournaments out of a season, and cancel those that are not over."""
        self.store.seasons.drop_parts(season.id, tournaments)
        for each in self.store.seasons.open_among(tournaments):
            # Its runner may stop by itself just then, and answer nothing.
            with suppress(SetupError):
                cancel(self.store, each)

    def pause(self) -> Season:
        """Let no match begin, in the final too; submissions are received and checked as before."""
        season = self._in_state(SeasonState.OPEN, SeasonState.CLOSED, SeasonState.FINAL)
        return self._moved(season, "paused", SeasonState.PAUSED)

    def resume(self) -> Season:
        """Let matches begin again, where the season was paused."""
        season = self._in_state(SeasonState.PAUSED)
        return self._moved(season, "resumed", season.state_before_pause)

    def close(self) -> Season:
        """End submissions now; what was received is checked, and then the final is played."""
        season = self._in_state(SeasonState.OPEN, SeasonState.PAUSED)
        if not season.takes_submissions:
            raise SetupError(
                f"season {season.settings.name!r} is closed already, and paused: "
                "'league host resume' lets it go on"
            )
        closed = self._moved(season, "closed", SeasonState.CLOSED, closed_at=now())
        tell(self.store, closed, SeasonState.CLOSED)
        return closed

    def publish(self) -> Season:
        """Show the results of the final to everybody, once all is played that marks ask for."""
        season = self._in_state(SeasonState.FINISHED)
        self._check_marks_are_played(season)
        at = now()
        published = self._moved(season, "published", SeasonState.PUBLISHED, published_at=at)
        tell(self.store, published, SeasonState.PUBLISHED)
        return published

    def suspend(self, team: str, reason: str) -> Team:
        """Take a team's bot out until its next submission."""
        return self._stand(team, TeamStanding.SUSPENDED, reason)

    def withdraw(self, team: str, reason: str) -> Team:
        """Take a team out of the season at its own wish."""
        return self._stand(team, TeamStanding.WITHDRAWN, reason)

    def disqualify(self, team: str, reason: str) -> Team:
        """Exclude a team."""
        return self._stand(team, TeamStanding.DISQUALIFIED, reason)

    def reinstate(self, team: str, reason: str = "") -> Team:
        """Let a team play again, whatever took it out."""
        return self._stand(team, TeamStanding.ACTIVE, reason)

    def choose_version(self, team: str, version: str) -> Team:
        """Let a version of a team play the final, by its number; 'newest' or '' for the newest."""
        found = self.store.people.team(team)
        wanted = version.strip().removeprefix("v")
        season = self.season
        if season.state not in _BEFORE_FINAL or season.final is not None:
            raise SetupError("the final has begun: its versions are chosen")
        if wanted in ("", "newest"):
            self.store.people.update_team(found.id, chosen_version=None)
        else:
            bots = self.store.bots.all(include_retired=True)
            bot = next((each for each in bots if each.id == found.bot), None)
            numbers = {str(each.number): each.id for each in bot.versions} if bot else {}
            if wanted not in numbers:
                known = f"1 to {len(numbers)}" if numbers else "none yet"
                raise SetupError(f"no version {version!r} of team {found.name!r}: it has {known}")
            self.store.people.update_team(found.id, chosen_version=numbers[wanted])
        self._note("chose version", f"team {found.name}", wanted or "newest")
        return self.store.people.team(found.id)

    def announce(self, text: str) -> None:
        """Tell everybody something, on the home page and in the feed."""
        text = _checked_text(text, "the announcement")
        self.store.notices.add(NoticeKind.ANNOUNCEMENT, text)
        self._note("announced", f"season {self.season.id}", text)

    def submit(
        self,
        login: str,
        source: str | Path | bytes,
        file_name: str = "",
        settings: Mapping[str, str] | None = None,
    ) -> Submission:
        """Submit a file, folder or zip for the person with that login, or bytes with a name.

        Raises `RefusedUploadError` for what the season does not take.
        """
        from league.hosting.season.intake import receive
        from league.hosting.season.packing import packed

        person = self.people.find(login)
        how = dict(settings or {})
        if isinstance(source, bytes):
            data = source
        else:
            upload = packed(Path(source), str(source))
            data, file_name = upload.data, file_name or upload.file_name
            how |= {"file": upload.own} if upload.own else {}
        found = receive(
            self.store, self.store.seasons.get(), person, file_name, data, how, now_ms()
        )
        self._note("submitted", f"submission {found.id}", file_name)
        return found

    def challenge(self, login: str, rival: str) -> Challenge:
        """Challenge the bot `rival` to unrated matches, for the person with that login.

        Raises `RefusedChallengeError` if the person may not, and `UnknownRowError` if no such bot
        plays in the season.
        """
        from league.hosting.season.practice import ask

        person = self.people.find(login)
        found = ask(self.store, self.store.seasons.get(), person, rival, now_ms())
        self._note("challenged", f"challenge {found.id}", found.rival)
        return found

    def submissions(self, team: str | None = None, *, limit: int = 50) -> tuple[Submission, ...]:
        """List submissions, newest first."""
        number = None if team is None else self.store.people.team(team).id
        return tuple(self.store.submissions.page(team=number, limit=limit))

    def marks(self, season: int | None = None) -> SeasonMarks:
        """Return the marks of each team by the rules in the settings; of a season by its number."""
        from league.hosting.api.marks import season_marks

        return season_marks(self.store, season)

    def back_up(self, copy: Path) -> None:
        """Write a copy of the whole database, with what is stored about people."""
        back_up(self.store, copy)
        self._note("downloaded everything", "league")

    def status(self) -> Answer[HostStatus]:
        """Return how the host does."""
        from league.hosting.documents import HostStatus as Document

        found = status_of(self.store)
        return Answer(found, lambda: status_blocks(found), lambda: Document.of(found))

    def _stand(self, name: str, standing: TeamStanding, reason: str) -> Team:
        team = self.store.people.team(name)
        is_back = standing is TeamStanding.ACTIVE
        if reason or not is_back:
            reason = _checked_text(reason, "the reason")
        if team.standing is standing:
            raise SetupError(f"team {team.name!r} is {standing} already")
        kept = "" if is_back else reason
        fields: dict[str, Any] = {"standing": standing, "standing_reason": kept}
        if is_back:
            fields["failed_version"] = 0
        elif standing is TeamStanding.SUSPENDED:
            # As after faults: older versions do not come back with a new submission.
            fields["failed_version"] = self.store.people.newest_version(team.id)
        self.store.people.update_team(team.id, **fields)
        told = "Your team plays again" if is_back else f"Your team is {standing}"
        told += f": {reason}" if reason else "."
        self.store.notices.end(NoticeKind.SUSPENSION, team.id)
        self.store.notices.add(NoticeKind.SUSPENSION, told, team.id)
        self._note("reinstated" if is_back else str(standing), f"team {team.name}", reason)
        return self.store.people.team(team.id)

    def _in_state(self, *states: SeasonState) -> Season:
        season = self.season
        if season.state not in states:
            expected = " or ".join(states)
            raise SetupError(
                f"season {season.settings.name!r} is {season.state}: this needs one that is "
                f"{expected}"
            )
        return season

    def _moved(self, season: Season, action: str, state: SeasonState, **fields: Any) -> Season:
        if not self.store.seasons.advance(season, state, **fields):
            raise SetupError(f"season {season.settings.name!r} changed in the meantime: try again")
        self._note(f"{action} season", f"season {season.id}")
        return self.season

    def _note(self, action: str, subject: str, detail: str = "") -> None:
        from league.hosting.accounts import audit

        audit.note(self.store, self._actor, action, subject, detail=detail, address=self._address)


def _keep_private(database: Path) -> None:
    """Let only its user read a database and its journals: they will hold data about people."""
    for name in ("", "-wal", "-shm"):
        path = database.with_name(f"{database.name}{name}")
        if path.exists():
            path.chmod(0o600)


def _checked_text(text: str, what: str) -> str:
    """Return a text for people; raise `SetupError` for none, or one that is too long."""
    text = text.strip()
    if not text or len(text) > TEXT_MAX:
        raise SetupError(f"{what} has {len(text)} letters: expected 1 to {TEXT_MAX}")
    return text
