"""Changes to an existing tournament: more rounds, other bots, pause, end, cancel.

Any process may request them while another runs the tournament: the runner polls once a second.
"""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from games.support.errors import GameError, OptionError, suggestion
from games.support.specs import find_game
from league.formats.schedule import Schedule, checked_format, field_of
from league.formats.specs import make_format
from league.model.errors import SetupError
from league.model.records import BotVersion, TournamentConfig
from league.ratings.sprt import SprtState
from league.seats.bot_specs import is_model
from league.seats.language_model.settings import ModelSettings
from league.store.bots import VERSION_SIGN
from league.store.rows import Request, TournamentRow, TournamentState
from league.store.store import Store
from league.tournament.create import ROUNDS_MAX, checked_entrants, refuse_unable
from league.tournament.lost_rules import lost_rules
from league.tournament.model_budgets import BUDGET
from league.tournament.planner import Planner, facts_of, refuse_cancelled

TRIES = 100
"""Number of retries of a change: the runner's own planning can't win that often."""

ANSWER_S = 10.0
"""Longest time for a runner to obey a request."""

LOOK_S = 0.05

Value = TypeVar("Value")


def is_running(store: Store, row: TournamentRow) -> bool:
    """Whether a runner process is playing the tournament."""
    return row.state is TournamentState.OPEN and store.tournaments.is_in_play(row.id)


def join(
    store: Store,
    tournament: int,
    bots: Sequence[str],
    starting_ratings: Mapping[str, float] = MappingProxyType({}),
) -> TournamentRow:
    """Add bots to a tournament, to play the encounters that the format then adds.

    Where a format plans as results come, one that ends with matches left gets a stage for them.
    `starting_ratings` are by name, 0 for others. Raises `LeagueError` if the format has no room for
    them, or they can't play.
    """
    return change_field(store, tournament, bots, (), starting_ratings)


def change_field(
    store: Store,
    tournament: int,
    joining: Sequence[str],
    leaving: Sequence[str],
    starting_ratings: Mapping[str, float] = MappingProxyType({}),
) -> TournamentRow:
    """Add and withdraw bots in one revision, so that the runner plans again only once.

    Does as `join` and `withdraw` do.
    """
    for _ in range(TRIES):
        row = _open_row(store, tournament)
        last_stage = store.tournaments.last_stage(tournament)
        config = row.config
        if leaving:
            config = _smaller(store, row, leaving, last_stage)
        if joining:
            config = _wider(store, row, config, joining, starting_ratings, last_stage)
        if _revise(store, row, config, last_stage):
            return store.tournaments.get(tournament)
    raise _busy(tournament)


def _wider(
    store: Store,
    row: TournamentRow,
    config: TournamentConfig,
    bots: Sequence[str],
    starting_ratings: Mapping[str, float],
    last_stage: int | None,
) -> TournamentConfig:
    game, played_as = find_game(config.game), make_format(config.format)
    if row.is_finished or played_as.lag is None:
        _refuse_ended(row)
    if not played_as.is_open:
        raise SetupError(
            f"nobody can join tournament {row.id}: a {played_as.name} is drawn when it begins"
        )
    found = checked_entrants(store, game, config.limits, bots)
    labels = store.bots.labels(config.entrants)
    for entrant in found:
        if entrant in config.entrants:
            raise SetupError(f"bot {str(labels[entrant])!r} plays in it already")
    begin = 0 if played_as.lag is None or last_stage is None else last_stage + 1
    wider = replace(
        config,
        entrants=config.entrants + found,
        joined=_filled(config, config.joined, 0) + (begin,) * len(found)
        if begin
        else config.joined,
    )
    if config.ended_at is not None:
        wider = replace(wider, ended_at=begin + 1)
    if starting_ratings:
        rated = tuple(starting_ratings.get(bot, 0.0) for bot in bots)
        before = _filled(config, config.starting_ratings, 0.0)
        wider = replace(wider, starting_ratings=before + rated)
    refuse_unable(store, wider, found)
    return wider


def _filled(config: TournamentConfig, given: tuple[Value, ...], usual: Value) -> tuple[Value, ...]:
    """Return a value for each entrant."""
    return given + (usual,) * (len(config.entrants) - len(given))


def extend(
    store: Store,
    tournament: int,
    rounds: int,
    until_error: float | None = None,
    until_best: float | None = None,
) -> TournamentRow:
    """Add rounds to a tournament, or make the rating error or certainty that ends it stricter.

    Without `rounds`, one that goes on to an error has no last round. Raises `LeagueError` if the
    format can't be extended, or the rule does not get stricter.
    """
    if rounds < 0 or (rounds == 0 and until_error is None and until_best is None):
        raise SetupError(f"{rounds} more rounds: expected 1 or more")
    for _ in range(TRIES):
        row = _open_row(store, tournament)
        _refuse_ended(row)
        config = row.config
        played_as = make_format(config.format)
        if not played_as.is_extensible:
            raise SetupError(
                f"a {played_as.name} can't be made longer: 'league run --again {tournament}' holds "
                "it anew, with --rounds"
            )
        is_test = played_as.fills_last_stage
        trial = Planner(store, tournament).schedule.trial() if is_test else None
        if trial is not None and trial.state is not SprtState.UNDECIDED:
            raise SetupError(
                f"the test of tournament {tournament} has decided, and more rounds change nothing: "
                f"'league run --again {tournament}' runs it again"
            )
        if is_test and (until_error is not None or until_best is not None):
            raise SetupError(f"tournament {tournament} ends by its test: give --rounds")
        ends = _stricter(row, until_error, until_best)
        if ends == config and config.until_best and Planner(store, tournament).schedule.champion():
            raise SetupError(
                f"tournament {tournament} has found its best bot, and more rounds change nothing: "
                f"give --until-best more than {100 * config.until_best:g}%"
            )
        is_open_ended = until_error is not None and not rounds
        longer = replace(ends, rounds=ROUNDS_MAX if is_open_ended else config.rounds + rounds)
        if _revise(store, row, longer, store.tournaments.last_stage(tournament)):
            return store.tournaments.get(tournament)
    raise _busy(tournament)


def _stricter(
    row: TournamentRow, until_error: float | None, until_best: float | None
) -> TournamentConfig:
    """Return a tournament's config with other ends, where given; raise unless they are stricter."""
    config = row.config
    error, best = config.until_error, config.until_best
    if until_error is not None and (best or until_error > (error or math.inf)):
        end = "when the best bot is known: give --until-best or --rounds"
        if error:
            end = f"at ±{error:g} Elo: give less to go on"
        raise SetupError(f"tournament {row.id} ends {end}")
    if until_best is not None and not (best or 1) < until_best < 1:
        end = "at an error: give --until-error" if error else "after its rounds: give --rounds"
        if best:
            end = f"with {100 * best:g}%: give more, below 100%, to go on"
        raise SetupError(f"tournament {row.id} ends {end}")
    return replace(
        config,
        until_error=error if until_error is None else until_error,
        until_best=best if until_best is None else until_best,
    )


def withdraw(store: Store, tournament: int, bot: str) -> TournamentRow:
    """Withdraw a bot, dropping its unplayed matches; raise `LeagueError` if it is not entered."""
    return change_field(store, tournament, (), (bot,))


def _smaller(
    store: Store, row: TournamentRow, bots: Sequence[str], last_stage: int | None
) -> TournamentConfig:
    config = row.config
    positions = _positions(store, row)
    end = 0 if last_stage is None else last_stage + 1
    for bot in bots:
        gone = {who for who, _ in config.withdrawn}
        present = {name: who for name, who in positions.items() if who not in gone}
        if bot not in present:
            raise _not_in(row, bot, present)
        config = replace(config, withdrawn=(*config.withdrawn, (present[bot], end)))
    return config


def _positions(store: Store, row: TournamentRow) -> dict[str, int]:
    """Return the positions of a tournament's entrants by their names, with versions too."""
    entrants = row.config.entrants
    labels = store.bots.labels(entrants)
    numbered = {
        f"{labels[each].bot}{VERSION_SIGN}{labels[each].number}": who
        for who, each in enumerate(entrants)
    }
    names = store.bots.entrant_names(entrants, row.created_at)
    return numbered | {name: who for who, name in enumerate(names)}


def _not_in(row: TournamentRow, bot: str, names: Iterable[str]) -> SetupError:
    return SetupError(f"bot {bot!r} is not in tournament {row.id}{suggestion(bot, names)}")


def set_budgets(store: Store, tournament: int, budgets: Mapping[str, float]) -> TournamentRow:
    """Give language models of a tournament, by name, more or less money than their versions say.

    Raises `LeagueError` for other bots, for those without prices, and while it is in play.
    """
    for _ in range(TRIES):
        row = _open_row(store, tournament)
        if row.is_finished:
            raise SetupError(f"tournament {tournament} is finished: no bot needs a budget")
        if store.tournaments.is_in_play(tournament):
            raise SetupError(f"tournament {tournament} is in play: pause it to change a budget")
        found = dict(row.config.bot_budgets)
        versions = store.bots.versions(row.config.entrants)
        positions = _positions(store, row)
        for bot, money in budgets.items():
            if bot not in positions:
                raise _not_in(row, bot, positions)
            version = versions[row.config.entrants[positions[bot]]]
            found[version.id] = money
            _check_budget(store, row, version, money)
        config = replace(row.config, bot_budgets=tuple(sorted(found.items())))
        last_stage = store.tournaments.last_stage(tournament)
        if store.tournaments.revise(row, config, row.total, last_stage):
            return store.tournaments.get(tournament)
    raise _busy(tournament)


def _check_budget(store: Store, row: TournamentRow, version: BotVersion, money: float) -> None:
    """Raise `LeagueError` for a bot that can't have a budget, or has spent as much already."""
    if not is_model(version.spec):
        raise SetupError(f"bot {version.name!r} is no language model: it has no budget")
    try:
        ModelSettings.of(version.with_options({BUDGET: str(money)}).options)
    except OptionError as error:
        raise SetupError(f"bot {version.name!r}: {error}") from None
    spent = store.calls.spent(row.id, version.id)
    if spent >= money:
        told = f"bot {version.name!r} has spent {spent:.3g} in tournament {row.id}"
        raise SetupError(f"{told}: give more than that, not {money:g}")


def end(store: Store, tournament: int) -> TournamentRow:
    """End a tournament with the stages that are planned: the matches left in them are played.

    It is finished then, not cancelled. A runner obeys within a second or two; a tournament that
    nobody runs is finished by the next run of it. Raises `SetupError` if it is over.
    """
    for _ in range(TRIES):
        row = _open_row(store, tournament)
        if row.is_finished:
            raise SetupError(f"tournament {tournament} is finished: nothing to end")
        last_stage = store.tournaments.last_stage(tournament)
        ended = replace(row.config, ended_at=0 if last_stage is None else last_stage + 1)
        if row.config.ended_at is not None or _revise(store, row, ended, last_stage):
            return store.tournaments.get(tournament)
    raise _busy(tournament)


def pause(store: Store, tournament: int) -> TournamentRow:
    """Make the runner finish the matches in play and stop; `league resume` continues.

    Raises `SetupError` if no process runs the tournament.
    """
    row = store.tournaments.get(tournament)
    if not store.tournaments.is_in_play(tournament):
        raise SetupError(f"tournament {tournament} is not in play: nothing to pause")
    store.tournaments.ask(row.id, Request.PAUSE)
    return store.tournaments.get(tournament)


def cancel(store: Store, tournament: int) -> TournamentRow:
    """Cancel a tournament for good; matches in play are lost, played ones stay.

    Raises `SetupError` if it is finished, or its runner does not respond.
    """
    row = store.tournaments.get(tournament)
    if row.is_finished:
        raise SetupError(f"tournament {tournament} is finished: nothing to cancel")
    if row.config.is_imported:
        raise SetupError(
            f"tournament {tournament} is an import that was interrupted: "
            "'league import' with the same file continues"
        )
    if not store.tournaments.is_in_play(tournament):
        store.tournaments.cancel(tournament)
        return store.tournaments.get(tournament)
    store.tournaments.ask(tournament, Request.CANCEL)
    end = time.monotonic() + ANSWER_S
    while time.monotonic() < end:
        row = store.tournaments.get(tournament)
        if row.state is not TournamentState.OPEN:
            return row
        time.sleep(LOOK_S)
    raise SetupError(
        f"the runner of tournament {tournament} does not answer: it ends when it comes to it"
    )


def _open_row(store: Store, tournament: int) -> TournamentRow:
    row = store.tournaments.get(tournament)
    if row.config.is_imported:
        raise SetupError(f"tournament {tournament} was imported from a file: nothing can be added")
    refuse_cancelled(row)
    return row


def _refuse_ended(row: TournamentRow) -> None:
    if row.config.ended_at is not None:
        raise SetupError(
            f"tournament {row.id} was ended: 'league run --again {row.id}' runs it again"
        )


def _revise(
    store: Store, row: TournamentRow, config: TournamentConfig, last_stage: int | None
) -> bool:
    """Change a tournament's config; one that was finished stays so if that adds no match."""
    try:
        game = find_game(config.game)
    except GameError as error:
        raise lost_rules(store, row, error) from None
    format_ = checked_format(config, game)
    is_unknown = format_.lag is not None and format_.planned(field_of(config, game)) is None
    if is_unknown and not row.is_finished:
        # To plan it again takes long, and its end is open whatever it is.
        return store.tournaments.revise(row, config, None, last_stage)
    encounters = Planner(store, row.id).schedule.encounters
    facts = facts_of(store, row)
    schedule = Schedule(config, game, encounters, store.matches.scores(row.id), facts=facts)
    if not store.tournaments.revise(row, config, schedule.planned, last_stage):
        return False
    if row.is_finished and not schedule.plan(1) and schedule.planned == row.played:
        store.tournaments.finish(row.id, row.revision + 1, row.played)
    return True


def _busy(tournament: int) -> SetupError:
    return SetupError(f"tournament {tournament} changes all the time: try again")
