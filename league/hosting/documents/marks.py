"""The marks of a season."""

from typing import Annotated

from league.interchange.documents.document import Count, Document, about


class Credit(Document):
    """The marks that a rule gave a team."""

    rule: Annotated[str, about("the line of the settings")]
    points: Annotated[float, about("below 0 if a maximum reduces the marks")]
    reason: str


class Member(Document):
    """A person of a team."""

    login: str
    name: str
    email: str


class Mark(Document):
    """A team's mark, and its parts; or that of an author without a team."""

    team: Annotated[str, about("'' for an author without a team")]
    version: Annotated[str, about("the version that was marked: 'team@2'")]
    rank: Annotated[
        Count | None, about("its place in the final, or in the standings so far; null for none")
    ]
    points: float
    credits: list[Credit]
    note: Annotated[str, about("why the team does not play; '' if it does")]
    members: list[Member]
