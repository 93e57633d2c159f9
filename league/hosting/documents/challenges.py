"""Challenges of teams of a hosted league."""

from collections.abc import Sequence
from typing import Annotated

from league.hosting.model.season import Challenge, ChallengeState
from league.hosting.store.challenges import ChallengeMatch
from league.interchange.documents.document import (
    Count,
    Document,
    Id,
    Points,
    Seat,
    SecondsSince,
    about,
    taken,
)
from league.model.records import Termination


class PracticeMatch(Document):
    """An unrated match of a challenge."""

    number: Annotated[Id, about("of the match in its challenge: the replay is at this number")]
    seat: Annotated[Seat, about("the first seat of the team's bot")]
    points: Annotated[Points, about("of the team's bot")]
    termination: Annotated[Termination, taken("record.termination")]
    fault_seat: Annotated[Seat | None, taken("record.fault_seat")]
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
