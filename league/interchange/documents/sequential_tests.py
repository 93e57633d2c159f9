"""What counted results prove, and how many matches it takes."""

from typing import Annotated

from league.interchange.documents.document import Count, Document, about, taken

HALF = "half the 95% interval"


class SprtResult(Document):
    """The state of a sequential probability ratio test after counted results."""

    llr: Annotated[float, about("the log of the likelihood ratio")]
    lower: Annotated[float, about("at this LLR or below, the difference is rejected")]
    upper: Annotated[float, about("at this LLR or above, the difference is accepted")]
    state: str
    model: Annotated[str, taken("test.model")]
    elo0: Annotated[float, taken("test.elo0")]
    elo1: Annotated[float, taken("test.elo1")]
    matches: Annotated[float, about("in all")]
    score: Annotated[float, taken("difference.score", "0 to 1")]
    elo: Annotated[float, taken("difference.elo")]
    elo_error: Annotated[float, taken("difference.elo_error", HALF)]
    nelo: Annotated[float, taken("difference.nelo")]
    nelo_error: Annotated[float, taken("difference.nelo_error", HALF)]
    los: Annotated[float, taken("difference.los", "how likely the first is stronger, 0 to 1")]


class Power(Document):
    """How many matches it takes to see a difference."""

    elo: float
    draws: Annotated[float, about("the share of draws, 0 to 1")]
    fixed: Annotated[Count, about("matches, where their number is fixed beforehand")]
    sequential: Annotated[
        dict[str, Count],
        taken(
            lambda found: {f"true difference {true:g}": n for true, n in found.sequential.items()},
            "matches on average, by the true difference",
        ),
    ]
