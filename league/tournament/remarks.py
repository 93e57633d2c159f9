"""What a user should know of a new tournament before it is played."""

import math
from collections.abc import Iterator

from league.match.openings import openings_of, repeated
from league.model.records import TournamentConfig
from league.model.time_control import write_span
from league.model.tournament_spec import TournamentSpec
from league.seats.bot_specs import is_model, usual_game
from league.seats.time_management import MOVES_LEFT
from league.store.rows import TournamentRow
from league.store.store import Store
from league.tournament.create import isolation_of, left_out

DRAW_PAWNS, WIN_PAWNS = 2.0, 100.0
"""Adjudication by scores above these was meant in centipawns, as fastchess has them."""

SLOW_RATE = 0.25
"""With a lower rate times the square root of the comparisons, values move by less than a step."""

HASTY_MODEL_S = 5.0
"""With less time for a move, many calls of language models are late."""


def remarks(store: Store, spec: TournamentSpec, row: TournamentRow) -> list[str]:
    """List what a user should know of a new tournament: its isolation, and what it leaves out."""
    config = row.config
    found = [
        *isolation_of(store, spec, config.entrants)[1],
        *_huge_scores(store, config),
        *_hasty_models(store, config),
        repeated(config, openings_of(config, store.books.get(config.openings))),
        *_slow_rates(config),
        *_other_starts(store, config),
        left_out(store, spec),
    ]
    return [line for line in found if line]


def _huge_scores(store: Store, config: TournamentConfig) -> Iterator[str]:
    """Yield a warning for each score of adjudication that looks like centipawns."""
    draw, win = config.adjudication.draw, config.adjudication.win
    specs = [version.spec for version in store.bots.versions(config.entrants).values()]
    if not any(usual_game(spec) == "chess" for spec in specs):
        return
    for word, score, most in (
        ("draw", draw.score if draw else 0.0, DRAW_PAWNS),
        ("win", win.score if win else 0.0, WIN_PAWNS),
    ):
        if score > most:
            yield (
                f"warning: {word} score={score:g} is {score:g} pawns: engines' scores are in pawns "
                f"here, so a score of {score:g} centipawns is score={score / 100:g}"
            )


def _hasty_models(store: Store, config: TournamentConfig) -> Iterator[str]:
    """Yield a warning for each language model that has little time for a call."""
    for version in store.bots.versions(config.entrants).values():
        if not is_model(version.spec):
            continue
        limits = config.limits_of(version.id)
        spans = [] if limits.move_s is None else [limits.move_s]
        if limits.control is not None:
            first = limits.control.periods[0]
            spans.append(first.base_s / (first.moves or MOVES_LEFT) + first.increment_s)
        if spans and min(spans) < HASTY_MODEL_S:
            yield (
                f"warning: language model {version.name!r} has about {write_span(min(spans))} a "
                "move: a call that is late costs money and loses the match"
            )


def _other_starts(store: Store, config: TournamentConfig) -> Iterator[str]:
    """Yield a warning for each parameter that does not start as its bot is registered."""
    own = store.bots.version(config.entrants[0])
    for each in config.parameters:
        usual, start = own.options.get(each.name), each.text(each.start)
        if usual is not None and usual != start:
            yield (
                f"warning: {each.name!r} starts at {start}, and {own.name} is registered with "
                f"{usual}: a gain will be one over {start}"
            )


def _slow_rates(config: TournamentConfig) -> Iterator[str]:
    """Yield a warning for each parameter whose own rate was meant for many more comparisons."""
    for each in config.parameters:
        if each.rate is not None and each.rate * math.sqrt(config.rounds) < SLOW_RATE:
            yield (
                f"warning: a rate of {each.rate:g} hardly moves {each.name!r} in "
                f"{config.rounds:,} comparisons: leave the rate out"
            )
