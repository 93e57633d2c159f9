"""The definition of a tournament, before the league resolves it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.model.records import OwnLimits, TournamentTerms

OF_TOURNAMENT = "tournament:"
"""Prefix of the name of openings reused from another tournament that read them from a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec(TournamentTerms):
    """The definition of a tournament.

    `game` is a spec such as `connectfour?columns=8`. `bots` are names, or `["all"]` for every bot
    registered for the game. `rounds` None means the format's default, `opening_plies` None the
    game's, and `seed` None a random one. Without `limits` a bot has 100 ms for each move and is
    isolated as far as this machine can. `openings` is the path of a file, or `tournament:ID` for
    those of an earlier tournament, taken in random order if `is_shuffled` and cut to
    `opening_plies`; '' means random moves. `handicaps` are factors on the time and nodes of bots,
    `own_limits` limits in place of the tournament's, both by name. `opening_start` is the number of
    the first opening of the file, in the order that they are taken in. `skips_bad_openings` leaves
    out those of the file that can't be played, instead of refusing it. `starting_ratings` are what
    formats that ask for it believe of bots beforehand, in Elo by name.

    >>> TournamentSpec(game="chess", bots=["all"]).limits.move_s
    0.1
    """

    game: str
    bots: Sequence[str]
    rounds: int | None = None
    seed: int | None = None
    opening_plies: int | None = None
    openings: str = ""
    is_shuffled: bool = False
    handicaps: Mapping[str, float] = field(default_factory=dict)
    own_limits: Mapping[str, OwnLimits] = field(default_factory=dict)
    opening_start: int | None = None
    skips_bad_openings: bool = False
    starting_ratings: Mapping[str, float] = field(default_factory=dict)
