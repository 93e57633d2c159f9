"""The season of a hosted league: its settings, its submissions, and how far it has come."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from typing import Annotated

from league.hosting.model.people import Team, TeamStanding
from league.model.document import Count, about, document


class SubmissionState(StrEnum):
    """The state of a submission; `PLAYING`, `REFUSED` and `REPLACED` are final."""

    RECEIVED = "received"
    BUILDING = "building"
    CHECKING = "checking"
    PLAYING = "playing"
    REFUSED = "refused"
    REPLACED = "replaced"
    """A newer version of the same team plays instead."""

    @property
    def is_decided(self) -> bool:
        """Whether it has been accepted or refused."""
        return self not in (self.RECEIVED, self.BUILDING, self.CHECKING)


class ChallengeState(StrEnum):
    """The state of a challenge; `PLAYED` and `FAILED` are final."""

    WAITING = "waiting"
    PLAYING = "playing"
    PLAYED = "played"
    FAILED = "failed"

    @property
    def is_decided(self) -> bool:
        """Whether no further match of it will be played."""
        return self in (self.PLAYED, self.FAILED)


class UploadRefusal(StrEnum):
    """Why an upload is not even received."""

    CLOSED = "closed"
    NOT_ALLOWED = "not allowed"
    TOO_LARGE = "too large"
    TOO_MANY = "too many"
    UNSUITABLE = "unsuitable"


class SeasonState(StrEnum):
    """The state of a season."""

    OPEN = "open"
    PAUSED = "paused"
    """The organiser paused it: no match begins; submissions go on if they were open."""
    CLOSED = "closed"
    """The deadline has passed; submissions received before it are still checked."""
    FINAL = "final"
    """The final is in play."""
    FINISHED = "finished"
    """The final is over; its results are for organisers until they are published."""
    PUBLISHED = "published"


class Visibility(StrEnum):
    """The part of a league that visitors see."""

    EVERYTHING = "everything"
    """Standings, matches and replays, but never source code or logs."""
    STANDINGS = "standings"
    NOTHING = "nothing"


class ServerRule(StrEnum):
    """The web servers that teams may submit as bots."""

    NO = "no"
    PUBLIC = "public"
    """Those at addresses of the internet."""
    ANY = "any"
    """Also those in private networks and on the host itself."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One upload of a team.

    `received_ms` decides whether it was in time, in milliseconds since 1970. `message` is the text
    of the check if it was refused. `version` is the version it became, `label` that version's name
    (`team@2`), '' for none. `settings` say how it is started: `class`, `file` (the bot's own one in
    a folder), `source` (what it is called at home) and `option.NAME`.
    """

    id: int
    team: int
    _: KW_ONLY
    team_name: str = ""
    person: int | None
    received_ms: int
    file_name: str
    size: int
    digest: str
    state: SubmissionState
    settings: Mapping[str, str] = field(default_factory=dict)
    message: str = ""
    attempts: int = 0
    version: int | None = None
    label: str = ""
    decided_ms: int | None = None

    @property
    def fault(self) -> str:
        """The line of `message` that says what failed."""
        return fault_line(self.message)


def fault_line(message: str) -> str:
    r"""Return what a refusal says that failed, '' for no message.

    >>> fault_line("Connect Four:\nok   starts\nFAIL plays in seat 0   too late")
    'too late'
    """
    lines = message.splitlines() or [""]
    found = next((each for each in lines if each.startswith("FAIL")), lines[0])
    # The columns of a check are apart by more than a space: what was tried, and how it failed.
    return " ".join(found.rstrip().rpartition("  ")[2].split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Unrated matches of a team's bot against `rival`, the bot with that name.

    `version` and `rival_version` are the versions that play, known once the first match begins, and
    `move_s` is the time for each of their moves then. `label` and `rival_label` name them
    (`team@2`), '' before that. `seed` draws the opening. `played` counts finished matches, and
    `attempts` how often a checker took the next one. `message` says why it failed.
    """

    id: int
    team: int
    team_name: str
    rival: str
    asked_ms: int
    seed: int
    state: ChallengeState
    message: str = ""
    attempts: int = 0
    played: int = 0
    version: int | None = None
    rival_version: int | None = None
    label: str = ""
    rival_label: str = ""
    move_s: float | None = None
    decided_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSettings:
    """The settings of a season; `league host settings` and the organiser's page change them.

    Times ending in `_at` are seconds since 1970. `languages` are names that `league check` reports
    ("python", "c", "rust"), empty for any. `freeze_s` is how long before `closes_at` the standings
    that authors and visitors see stop changing. `marks` are rules such as
    "beats greedy with 95% confidence: 2 points", one a line.
    """

    name: str
    game: str
    move_s: float = 1.0
    memory_mb: int = 512
    submissions_per_day: int = 20
    challenges_per_day: int = 10
    """Unrated challenges of a team in 24 hours; 0 for none at all."""
    play_sessions: int = 4
    """Matches that people play in the browser at a time; 0 for none."""
    upload_bytes: int = 8 << 20
    active_versions: int = 2
    closes_at: int | None = None
    languages: tuple[str, ...] = ()
    web_servers: ServerRule = ServerRule.NO
    visibility: Visibility = Visibility.EVERYTHING
    freeze_s: int = 0
    final_format: str = "roundrobin"
    final_rounds: int = 2
    final_openings: str = ""
    """The openings of the final: a file, or `tournament:3`; '' draws them."""
    is_published_at_once: bool = True
    house_bots: tuple[str, ...] = ()
    suspended_after: int = 5
    """So many faults in a row suspend a bot."""
    explored: float = 0.2
    """The share of encounters between any two bots; the others are between close ones."""
    leg_encounters: int = 20_000
    """A leg of the season ends after so many encounters, and the next one begins."""
    calm_elo: float = 15.0
    """The season is calm when no bar is larger, in Elo; 0 for never."""
    marks: str = ""


@dataclass(frozen=True, slots=True)
class Contender:
    """A team with a bot, and what the season needs to know of it.

    `versions` are the bot's by id and number, oldest first. Matches up to number `faults_after` are
    not held against it, and versions up to `failed_version` play no more if there is a newer one.
    """

    team: int
    name: str
    standing: TeamStanding
    versions: tuple[tuple[int, int], ...]
    _: KW_ONLY
    bot: str = ""
    chosen_version: int | None = None
    failed_version: int = 0
    faults_after: int = 0

    def active(self, most: int) -> tuple[int, ...]:
        """Return the ids of its newest versions, at most so many, if the team plays at all."""
        if self.standing is not TeamStanding.ACTIVE:
            return ()
        found = [version for version, _ in self.versions if version > self.failed_version]
        return tuple((found or [self.versions[-1][0]])[-most:])

    @property
    def for_final(self) -> int:
        """The version that plays in the final: the chosen one, or else the newest."""
        known = [version for version, _ in self.versions]
        return self.chosen_version if self.chosen_version in known else known[-1]

    def name_of(self, version: int) -> str:
        """Return the name of one of its versions, `team@2`."""
        return f"{self.bot}@{dict(self.versions)[version]}"


@document("Credit", "rule points reason")
@dataclass(frozen=True, slots=True)
class Credit:
    """The marks that a rule gave a team."""

    rule: Annotated[str, about("the line of the settings")]
    points: Annotated[float, about("below 0 if a maximum reduces the marks")]
    reason: str


@document("Member", "login name email")
@dataclass(frozen=True, slots=True)
class Member:
    """A person of a team."""

    login: str
    name: str
    email: str


@document("Mark", "team version rank points credits note members")
@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A team's mark, and its parts; or that of an author without a team.

    It is the sum of its credits, one for each rule, capped if the rules say so.
    """

    team: Annotated[str, about("'' for an author without a team")]
    version: Annotated[str, about("the version that was marked: 'team@2'")]
    rank: Annotated[
        Count | None, about("its place in the final, or in the standings so far; null for none")
    ]
    points: float
    credits: tuple[Credit, ...]
    note: Annotated[str, about("why the team does not play; '' if it does")] = ""
    members: tuple[Member, ...] = ()


class NoticeKind(StrEnum):
    """The subject of a notice."""

    ANNOUNCEMENT = "announcement"
    SUBMISSION = "submission"
    SUSPENSION = "suspension"
    SEASON = "season"


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to a team, or to everybody if `team` is None; times in seconds since 1970.

    Pages show it until `ends_at`. `mailed_at` is when the mail to the last person was sent.
    """

    id: int
    kind: NoticeKind
    text: str
    _: KW_ONLY
    at: int
    team: int | None = None
    ends_at: int | None = None
    mailed_at: int | None = None

    @property
    def path(self) -> str:
        """The page that shows it."""
        return "/season"


@dataclass(frozen=True, slots=True)
class Season:
    """A season and its tournaments: `legs` in order, the last in play, and the final.

    `gauntlets` are encounters that its marks ask for, played after the final. `standings` are those
    of the teams that were not active when the next season began, each with its reason; None in the
    newest season.
    """

    id: int
    settings: SeasonSettings
    state: SeasonState
    _: KW_ONLY
    created_at: int
    legs: tuple[int, ...] = ()
    gauntlets: tuple[int, ...] = ()
    final: int | None = None
    frozen_at: int | None = None
    closed_at: int | None = None
    published_at: int | None = None
    standings: Mapping[int, tuple[TeamStanding, str]] | None = field(default=None, hash=False)

    def standing_of(self, team: Team) -> tuple[TeamStanding, str]:
        """Return the standing of a team in this season, and its reason."""
        if self.standings is None:
            return team.standing, team.standing_reason
        return self.standings.get(team.id, (TeamStanding.ACTIVE, ""))

    @property
    def tournaments(self) -> tuple[int, ...]:
        """The legs, the final and the gauntlets."""
        final = () if self.final is None else (self.final,)
        return (*self.legs, *final, *self.gauntlets)

    def name_of(self, tournament: int) -> str:
        """Return the name of one of its tournaments: 'AI 2026, leg 2'."""
        name = self.settings.name
        if tournament == self.final:
            return f"{name}, final"
        if tournament in self.gauntlets:
            return f"{name}, gauntlet {self.gauntlets.index(tournament) + 1}"
        return f"{name}, leg {self.legs.index(tournament) + 1}" if len(self.legs) > 1 else name

    @property
    def is_over(self) -> bool:
        """Whether all its matches are played, unless its marks ask for more."""
        return self.state in (SeasonState.FINISHED, SeasonState.PUBLISHED)

    @property
    def takes_submissions(self) -> bool:
        """Whether uploads are received, before the time at which it closes."""
        return self.closed_at is None and self.state in (SeasonState.OPEN, SeasonState.PAUSED)

    @property
    def state_before_pause(self) -> SeasonState:
        """The state to which a paused season returns."""
        if self.final is not None:
            return SeasonState.FINAL
        return SeasonState.OPEN if self.closed_at is None else SeasonState.CLOSED
