"""What counted results prove, and how many matches it takes."""

from typing import Annotated

from league.interchange.documents.document import Count, Document, about

HalfBar = Annotated[float, about("half the 95% interval")]


class SprtResult(Document):
    """What a sequential probability ratio test says of counted results."""

    llr: Annotated[float, about("the log of the likelihood ratio")]
    lower: Annotated[float, about("at this LLR or below, the difference is rejected")]
    upper: Annotated[float, about("at this LLR or above, the difference is accepted")]
    state: str
    model: str
    elo0: float
    elo1: float
    matches: Annotated[float, about("in all")]
    score: Annotated[float, about("0 to 1")]
    elo: float
    elo_error: HalfBar
    nelo: float
    nelo_error: HalfBar
    los: Annotated[float, about("how likely the first is stronger, 0 to 1")]


class Power(Document):
    """How many matches it takes to see a difference."""

    elo: float
    draws: Annotated[float, about("the share of draws, 0 to 1")]
    fixed: Annotated[Count, about("matches, where their number is fixed beforehand")]
    sequential: Annotated[dict[str, Count], about("matches on average, by the true difference")]
