"""Sequential tests and their lengths as text."""

from league.model.number_format import true_minus
from league.ratings.sprt import Model
from league.ratings.sprt_results import Power, SprtResult, told
from league.render.text.table import Block


def sprt_blocks(found: SprtResult) -> list[Block]:
    """Return the state of a test in lines."""
    test, estimate = found.test, found.estimate
    return [
        true_minus(
            f"LLR    {found.llr:+.2f}  of {found.lower:.2f} to {found.upper:.2f}, "
            f"{test.model.unit} [{test.elo0:g}, {test.elo1:g}]"
        ),
        f"state  {true_minus(found.conclusion)}",
        f"Elo    {true_minus(told(estimate.elo))}, logistic",
        f"nElo   {true_minus(told(estimate.nelo))}, normalized",
        f"score  {found.score:.1%} of {found.matches:,} matches, LOS {estimate.los:.1%}",
        "       Elo, nElo and LOS are corrected for the stopping of the test",
    ]


def power_blocks(found: Power) -> list[Block]:
    """Return how many matches a difference takes, in lines."""
    elo, look = f"{abs(found.elo):g}", 2 * found.batch
    draws = f", {found.draws:.0%} draws" if found.model is Model.LOGISTIC else ""
    return [
        f"to see {elo} {found.model.unit}{draws}, errors {found.alpha:g} and {found.beta:g}:",
        f"  fixed beforehand              {found.fixed:>12,} matches",
        f"  sequential test of 0 against {elo}, on average (a look every {look} matches):",
        *(
            f"    {f'true difference {true:g}':<26}  {length:>12,} matches"
            for true, length in found.sequential.items()
        ),
    ]
