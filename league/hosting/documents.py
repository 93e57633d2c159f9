"""The documents of a hosted league."""

from collections.abc import Sequence
from typing import Annotated

from league.hosting.model.people import Role
from league.hosting.model.season import (
    Challenge,
    ChallengeState,
    SeasonState,
    Submission,
    SubmissionState,
)
from league.hosting.model.services import ServiceRow
from league.hosting.store.challenges import ChallengeMatch
from league.interchange.documents.document import Document, taken
from league.model.document import Count, Digits2, Id, Points, SeatNumber, SecondsSince, about
from league.model.records import Termination


class Person(Document):
    """Somebody who may sign in."""

    id: Id
    login: str
    role: Role
    team: Annotated[str | None, about("its name, null for none")]
    name: str
    email: str
    is_active: bool
    has_password: Annotated[bool, about("whether the one-time link has been used")]
    created_at: SecondsSince
    seen_at: Annotated[SecondsSince | None, about("the last sign-in, null for none")]
    deletion_asked_at: Annotated[SecondsSince | None, about("null unless the person asked for it")]


class RenamedTeam(Document):
    """A team that has another name now."""

    team: Annotated[str, about("its name now")]
    before: str


class TeamSubmission(Document):
    """A submission, and what became of it."""

    id: Id
    team: Annotated[str, taken("team_name", "its name")]
    state: SubmissionState
    message: Annotated[str, about("reason for the refusal, and how to reproduce it at home")]
    version: Annotated[
        str | None, taken(lambda each: each.label or None, "the version it became: `team@2`")
    ]
    file_name: str
    size: Annotated[Count, about("bytes")]
    digest: Annotated[str, about("the SHA-256 of the upload, in hex")]
    settings: Annotated[dict[str, str], about("`class`, `file`, `source` and `option.NAME`")]
    received_ms: Annotated[Count, about("UTC, milliseconds since 1970: the time that counts")]
    decided_ms: Annotated[Count | None, about("time of its acceptance, refusal or replacement")]


def submission_document(submission: Submission) -> TeamSubmission:
    """Return the document of a submission."""
    return TeamSubmission.of(submission)


class PracticeMatch(Document):
    """An unrated match of a challenge."""

    number: Annotated[Id, about("of the match in its challenge: the replay is at this number")]
    seat: Annotated[SeatNumber, about("the first seat of the team's bot")]
    points: Annotated[Points, about("of the team's bot")]
    termination: Annotated[Termination, taken("record.termination")]
    fault_seat: Annotated[SeatNumber | None, taken("record.fault_seat")]
    plies: Count
    finished_at: SecondsSince


class TeamChallenge(Document):
    """A challenge: unrated matches of a team's bot against another, with the matches so far."""

    id: Id
    team: Annotated[str, taken("team_name", "its name")]
    rival: Annotated[str, about("the bot that was challenged")]
    state: ChallengeState
    message: Annotated[str, about("why it failed")]
    version: Annotated[
        str | None, taken(lambda each: each.label or None, "the team's version: `team@2`")
    ]
    rival_version: Annotated[
        str | None, taken(lambda each: each.rival_label or None, "the other version")
    ]
    matches: tuple[PracticeMatch, ...]
    asked_ms: Annotated[Count, about("UTC, milliseconds since 1970")]
    decided_ms: Annotated[Count | None, about("when it was played or failed")]


def challenge_document(challenge: Challenge, matches: Sequence[ChallengeMatch]) -> TeamChallenge:
    """Return the document of a challenge with its finished matches."""
    return TeamChallenge.of(
        challenge, matches=tuple(_match_document(challenge, each) for each in matches)
    )


def _match_document(challenge: Challenge, match: ChallengeMatch) -> PracticeMatch:
    record = match.record
    seat = record.versions.index(challenge.version or 0)
    return PracticeMatch.of(
        match,
        seat=seat,
        points=record.scores[seat],
        plies=len(record.opening) + len(record.moves),
    )


class HostSetting(Document):
    """A setting of the season or the host."""

    key: str
    value: Annotated[str, about("as 'league host settings KEY=VALUE' takes it")]


class BegunSeason(Document):
    """A season that 'league host init' began."""

    season: Id
    organiser: Annotated[str | None, about("the login, null if there was an organiser already")]
    link: Annotated[str | None, about("one-time link on which the organiser sets a password")]


class HostStatus(Document):
    """The state of a host."""

    season: Annotated[str | None, taken(lambda each: each.season and each.season.settings.name)]
    state: Annotated[SeasonState | None, taken(lambda each: each.season and each.season.state)]
    closes_at: Annotated[
        SecondsSince | None, taken(lambda each: each.season and each.season.settings.closes_at)
    ]
    is_hosted: Annotated[bool, about("whether 'league host' runs")]
    fault: Annotated[str, about("problem with its processes, '' if there is none")]
    shortage: Annotated[
        str, about("reason that uploads and matches are on hold, '' if they are not")
    ]
    trouble: Annotated[str, about("reason that a due match is not played, '' if there is none")]
    calm: Annotated[str, about("reason that few matches are played, '' normally")]
    processes: Annotated[list[ServiceRow], taken("services")]
    in_play: Annotated[Count, about("matches in play")]
    workers: Annotated[
        Count | None, about("that play, null while none does and for all of a cluster")
    ]
    matches: Annotated[Count, taken("counts.matches")]
    faults: Annotated[
        dict[str, int], taken("counts.faults", "matches lost by a bot's own fault, by kind")
    ]
    last_match_at: Annotated[SecondsSince | None, taken("counts.last_match_at")]
    queue: Annotated[Count, about("submissions that wait or are checked")]
    submissions: Annotated[dict[str, int], taken("counts.submissions", "by state")]
    teams: Annotated[dict[str, int], taken("counts.teams", "by standing")]
    teams_out: Annotated[
        dict[str, str], about("teams that do not play: their standing and the reason, by name")
    ]
    database_bytes: Annotated[Count, taken("counts.database_bytes")]
    disk_free: Annotated[Count | None, about("bytes, null for a server's database")]
    load: Annotated[Digits2, about("of this machine over a minute")]
