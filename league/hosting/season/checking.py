"""Trying a submission out: unpacked, built and checked as `league check` does it at home."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from games.support.errors import InputError
from games.support.printable import printable
from games.support.specs import find_game
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import SeasonSettings, Submission, SubmissionState
from league.hosting.season.languages import language_fault, languages_of
from league.hosting.season.servers import SUFFIX, address_in, options_for, server_fault
from league.hosting.season.uploads import UploadSettings, check_command
from league.hosting.store.host_store import HostStore
from league.hosting.store.submissions import Verdict
from league.model.bot_files import room_fault
from league.model.errors import (
    CheckError,
    DatabaseError,
    NameInUseError,
    SetupError,
    SpecError,
    UnknownRowError,
)
from league.model.records import BotVersion, Isolation
from league.registration.check import examine
from league.registration.finding import CheckFinding
from league.registration.reader import ReadKind
from league.registration.register import register_version
from league.registration.source_snapshot import Intake, take_files_snapshot, take_snapshot
from league.registration.trial import TrialSetup
from league.render.text.registration import check_blocks
from league.render.text.table import text_of
from league.seats.process.environment import BotEnvironment
from league.seats.source_folder import by_own_names, forget

TEXT_MAX = 20_000
"""The most letters of the text of a check."""


_KILLED = re.compile(r"was killed|ended by SIGKILL|no process for seat|read within the limits")
"""Says that a process died by a kill, which may not have been the bot's own doing."""


class DisturbedError(Exception):
    """A process of the check was killed: it says nothing about the bot unless it happens again."""


class ClaimLostError(Exception):
    """Another checker has the submission now: this one was silent for too long."""


class _Refused(Exception):
    """A submission is refused; `command` shows the same at home."""

    def __init__(self, text: str, command: str = "", log: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.command = command
        self.log = log


class Checking:
    """The check of one submission of a season; `tell` hears how far it is.

    `tell` returns False if the submission is no longer ours.
    """

    def __init__(
        self,
        store: HostStore,
        settings: SeasonSettings,
        submission: Submission,
        isolation: Isolation,
        tell: Callable[[SubmissionState], bool],
    ) -> None:
        self._store = store
        self._settings = settings
        self._submission = submission
        self._isolation = isolation
        self._tell = tell
        self._upload = UploadSettings()
        self._version: BotVersion | None = None
        self._environment = BotEnvironment.of(store.path, [find_game(settings.game).spec])

    def verdict(self) -> Verdict:
        """Try the submission out.

        Raises `ClaimLostError`, `DisturbedError` at the first attempt, and `DatabaseError`.
        """
        found = self._verdict()
        is_refused = found.state is SubmissionState.REFUSED
        if is_refused and self._version is not None:
            forget(self._version)
        if is_refused and self._submission.attempts == 1 and _KILLED.search(found.message):
            raise DisturbedError(found.message.partition("\n")[0])
        return found

    def _verdict(self) -> Verdict:
        try:
            self._upload = UploadSettings.read(self._submission.settings)
            self._version = self._snapshot()
            return self._tried(self._version)
        except (DatabaseError, SetupError):
            # Not the fault of the bot.
            raise
        except _Refused as refused:
            return self._refusal(refused)
        except (SpecError, CheckError) as error:
            return self._refusal(_Refused(str(error), self._check_command))
        except InputError as error:
            return self._refusal(_Refused(str(error)))

    def _snapshot(self) -> BotVersion:
        """Return the version that the upload is, built if it is in another language."""
        data = self._store.submissions.archive(self._submission.id)
        if data is None:
            raise _Refused("the upload has been deleted: submit it again")
        if self._submission.file_name.endswith(SUFFIX):
            return self._named(self._server(data))
        intake = Intake(
            isolation=self._isolation,
            environment=BotEnvironment.of(self._store.path, ()),
            is_alone=True,
            own=self._upload.own,
            attribute=self._upload.attribute,
        )
        file_name = self._submission.file_name
        files = {file_name: data}
        if file_name.endswith(".zip"):
            files = intake.reader.read(ReadKind.ZIP, files, file_name)
        elif fault := room_fault(1, len(data)):
            raise SpecError(f"{file_name!r} can't be a bot: {fault}", file_name)
        version = take_files_snapshot(
            self._submission.team_name,
            files,
            file_name,
            dict(self._upload.options),
            intake,
        )
        found = languages_of(version.spec, files)
        if fault := language_fault(found, self._settings.languages):
            raise _Refused(fault)
        return self._named(version)

    def _server(self, data: bytes) -> BotVersion:
        """Return the version that a web server is, if the season still takes servers."""
        rule, address = self._settings.web_servers, address_in(data)
        options = options_for(rule, self._upload.options)
        if fault := server_fault(rule, address, options):
            raise _Refused(fault)
        return take_snapshot(self._submission.team_name, address, options)

    def _named(self, version: BotVersion) -> BotVersion:
        """Return the version under the name of the team's bot.

        Raises `NameInUseError` if the team has none yet, and another bot has the team's name.
        """
        if known := self._store.submissions.bot_name_of(self._submission.team):
            return replace(version, name=known)
        name = self._submission.team_name
        with suppress(UnknownRowError):
            versions = self._store.bots.get(name).versions
            # A checker that died just after the registration has left this very version.
            if any(each.digest != version.digest for each in versions):
                raise NameInUseError(
                    f"another bot of this league is called {name!r}, like your team: ask the "
                    "organiser to rename one of them",
                    name,
                )
        return version

    def _tried(self, version: BotVersion) -> Verdict:
        if not self._tell(SubmissionState.CHECKING):
            raise ClaimLostError
        if same := self._same_as_newest(version):
            return Verdict(
                state=SubmissionState.PLAYING,
                message=self._unchanged(same.number),
                version=same.id,
                active=self._settings.active_versions,
                lifts_suspension=False,
            )
        findings = self._examined(version)
        told = self._told(version, findings)
        if failed := sum(each.is_passed is False for each in findings):
            text = f"{told}\nfailed at {failed} of {len(findings)} points"
            raise _Refused(text, self._check_command, told)
        found = register_version(
            self._store,
            version,
            games=[self._settings.game],
            # It has passed that trial already.
            is_checked=False,
            may_change_form=True,
        )
        return Verdict(
            state=SubmissionState.PLAYING,
            log=told,
            version=found.version.id,
            active=self._settings.active_versions,
        )

    def _unchanged(self, number: int) -> str:
        if self._store.people.team(self._submission.team).standing is TeamStanding.SUSPENDED:
            return (
                f"unchanged: it is version {number}, and your team stays suspended; submit a "
                "changed bot to play again"
            )
        return f"unchanged: it is version {number}, which plays already"

    def _same_as_newest(self, version: BotVersion) -> BotVersion | None:
        """Return the team's newest version if it is this one already."""
        if not self._store.submissions.bot_name_of(self._submission.team):
            return None
        newest = self._store.bots.version(self._store.bots.get(version.name).versions[-1].id)
        return newest if newest.is_same_as(version) else None

    def _examined(self, version: BotVersion) -> list[CheckFinding]:
        trial = TrialSetup(
            move_s=self._settings.move_s,
            isolation=self._isolation,
            memory_mb=self._settings.memory_mb,
        )
        game = find_game(self._settings.game)
        return list(examine(version, game, trial, self._environment))

    def _told(self, version: BotVersion, findings: list[CheckFinding]) -> str:
        """Return the text that `league check` prints."""
        text = text_of(check_blocks({self._settings.game: findings}))
        return self._shortened(text, version)

    def _shortened(self, text: str, version: BotVersion) -> str:
        """Return a text without our own paths and without what a terminal obeys."""
        return printable(by_own_names(text, version), keep_lines=True)[:TEXT_MAX]

    @property
    def _check_command(self) -> str:
        return check_command(self._settings, self._upload, self._submission.file_name)

    def _refusal(self, refused: _Refused) -> Verdict:
        text = printable(refused.text, keep_lines=True)[:TEXT_MAX]
        if refused.command:
            text = f"{text}\n\nTo see the same at home:\n  {refused.command}"
        log = refused.log or text
        return Verdict(state=SubmissionState.REFUSED, message=text, log=log)
