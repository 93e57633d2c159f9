"""Sequential tests and their lengths as text."""

from league.ratings.sprt import SprtState
from league.ratings.sprt_results import Power, SprtResult
from league.render.text.table import Block

_STATES = {
    SprtState.ACCEPTED: "accepted: at least {elo1} Elo, not {elo0}",
    SprtState.REJECTED: "rejected: no more than {elo0} Elo, not {elo1}",
    SprtState.UNDECIDED: "undecided: more matches are needed",
}


def sprt_blocks(found: SprtResult) -> list[Block]:
    """Return the state of a test in lines."""
    test, strength = found.test, found.difference
    elo0, elo1 = f"{test.elo0:g}", f"{test.elo1:g}"
    return [
        f"LLR    {found.llr:+.2f}  of {found.lower:.2f} to {found.upper:.2f}, "
        f"{test.model} [{elo0}, {elo1}]",
        f"state  {_STATES[found.state].format(elo0=elo0, elo1=elo1)}",
        f"Elo    {strength.elo:+.2f} ± {strength.elo_error:.2f}",
        f"nElo   {strength.nelo:+.2f} ± {strength.nelo_error:.2f}",
        f"score  {strength.score:.1%} of {found.matches:,} matches, LOS {strength.los:.1%}",
    ]


def power_blocks(found: Power) -> list[Block]:
    """Return how many matches a difference takes, in lines."""
    elo = f"{abs(found.elo):g}"
    return [
        f"to see {elo} Elo, {found.draws:.0%} draws, errors {found.alpha:g} and {found.beta:g}:",
        f"  fixed beforehand              {found.fixed:>12,} matches",
        f"  sequential test of 0 against {elo}, on average:",
        *(
            f"    {f'true difference {true:g}':<26}  {length:>12,} matches"
            for true, length in found.sequential.items()
        ),
    ]
