"""Sequential tests on counted results, and the number of matches they take."""

from typing import Annotated

from league.interchange.documents.document import Count, Document, about, taken


class SprtResult(Document):
    """The state of a sequential probability ratio test after counted results.

    The estimates are median-unbiased and corrected for the stopping of the test; their 95%
    intervals are null where no results bound them.
    """

    llr: Annotated[float, about("logarithm of the likelihood ratio")]
    lower: Annotated[float, about("at this LLR or below, elo0 is favoured over elo1")]
    upper: Annotated[float, about("at this LLR or above, elo1 is favoured over elo0")]
    state: str
    conclusion: Annotated[str, about("the state in words")]
    model: Annotated[str, taken("test.model", "the unit of elo0 and elo1")]
    elo0: Annotated[float, taken("test.elo0")]
    elo1: Annotated[float, taken("test.elo1")]
    matches: Annotated[float, about("in all")]
    score: Annotated[float, about("the observed share of the points, 0 to 1")]
    elo: Annotated[float | None, taken("estimate.elo.value", "logistic")]
    elo_low: Annotated[float | None, taken("estimate.elo.low")]
    elo_high: Annotated[float | None, taken("estimate.elo.high")]
    nelo: Annotated[float | None, taken("estimate.nelo.value", "normalized")]
    nelo_low: Annotated[float | None, taken("estimate.nelo.low")]
    nelo_high: Annotated[float | None, taken("estimate.nelo.high")]
    los: Annotated[float, taken("estimate.los", "how likely the first is stronger, 0 to 1")]


class Power(Document):
    """The number of matches it takes to detect a difference."""

    elo: float
    model: Annotated[str, about("the unit of elo")]
    draws: Annotated[float, about("the share of draws, 0 to 1")]
    batch: Annotated[Count, about("encounters between two looks at the sequential test")]
    fixed: Annotated[Count, about("matches of a test whose length is fixed beforehand")]
    sequential: Annotated[
        dict[str, Count],
        taken(
            lambda found: {f"true difference {true:g}": n for true, n in found.sequential.items()},
            "matches on average, by the true difference",
        ),
    ]
