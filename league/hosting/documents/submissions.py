"""The submissions of a hosted league."""

from typing import Annotated

from league.hosting.model.season import Submission, SubmissionState
from league.interchange.documents.document import Count, Document, Id, about, taken


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
