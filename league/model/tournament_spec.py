"""The definition of a tournament, before the league resolves it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.model.records import NO_ADJUDICATION, Adjudication, Isolation, Limits, OwnLimits
from league.model.tiebreak import Tiebreak

OF_TOURNAMENT = "tournament:"
"""Prefix of the name of openings reused from another tournament that read them from a file."""


MOVE_S = 0.1
"""The time for each move if no limit is given."""

DEFAULT_LIMITS = Limits(move_s=MOVE_S, isolation=Isolation.AUTO)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """The definition of a tournament.

    `game` is a spec such as `connectfour?columns=8`, and `format` one such as `sprt:elo1=10`.
    `bots` are names, or `["all"]` for every bot registered for the game. `rounds` None means the
    format's default, `opening_plies` None the game's, and `seed` None a random one. Without
    `limits` a bot has 100 ms for each move and is isolated as far as this machine can. `openings`
    is the path of a file, or `tournament:ID` for those of an earlier tournament, taken in random
    order if `is_shuffled` and cut to `opening_plies`; '' means random moves. Each encounter has an
    opening of its own, or all of a round share one if `is_opening_shared`. The tournament ends
    early once every rating's 95% error is within `until_error` Elo, or once the best bot is known
    with the probability `until_best`, 0.5 to 1; a run of it stops after `budget_s` seconds.
    `tiebreaks` order bots with the same points, by default as the format says. `handicaps` are
    factors on the time and nodes of bots, `own_limits` limits in place of the tournament's, both by
    name. `opening_start` is the number of the first opening of the file, in the order that they are
    taken in. `skips_bad_openings` leaves out those of the file that can't be played, instead of
    refusing it. `starting_ratings` are what formats that ask for it believe of bots beforehand, in
    Elo by name.

    >>> TournamentSpec(game="chess", bots=["all"]).limits.move_s
    0.1
    """

    game: str
    bots: Sequence[str]
    format: str = "roundrobin"
    rounds: int | None = None
    seed: int | None = None
    limits: Limits = DEFAULT_LIMITS
    opening_plies: int | None = None
    openings: str = ""
    is_shuffled: bool = False
    is_opening_shared: bool = False
    until_error: float | None = None
    until_best: float | None = None
    budget_s: float | None = None
    adjudication: Adjudication = NO_ADJUDICATION
    tiebreaks: Sequence[Tiebreak] = ()
    handicaps: Mapping[str, float] = field(default_factory=dict)
    own_limits: Mapping[str, OwnLimits] = field(default_factory=dict)
    opening_start: int | None = None
    skips_bad_openings: bool = False
    starting_ratings: Mapping[str, float] = field(default_factory=dict)
