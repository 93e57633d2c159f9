"""Changes to an existing tournament: more rounds, other bots, pause, cancel.

Any process may request them while another runs the tournament: the runner polls once a second.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from games.support.errors import suggestion
from games.support.specs import find_game
from league.formats.schedule import Schedule
from league.formats.specs import make_format
from league.model.errors import SetupError
from league.model.records import TournamentConfig
from league.ratings.sprt import SprtState
from league.store.rows import Request, TournamentRow, TournamentState
from league.store.store import Store
from league.tournament.create import checked_entrants
from league.tournament.planner import Planner, refuse_cancelled

TRIES = 100
"""How often to retry a change: the runner's own planning can't win that often."""

ANSWER_S = 10.0
"""How long a runner may take to obey a request."""

LOOK_S = 0.05


def is_running(store: Store, row: TournamentRow) -> bool:
    """Whether a runner process is playing the tournament."""
    return row.state is TournamentState.OPEN and store.is_in_play(row.id)


def join(store: Store, tournament: int, bots: Sequence[str]) -> TournamentRow:
    """Add bots to a tournament, to play the encounters that the format then adds.

    Raises `LeagueError` if the format has no room for them, or they can't play.
    """
    for _ in range(TRIES):
        row = _open_row(store, tournament)
        config, game = row.config, find_game(row.config.game)
        played_as = make_format(config.format)
        if not played_as.is_open:
            raise SetupError(
                f"nobody can join tournament {tournament}: "
                f"a {played_as.name} is drawn when it begins"
            )
        found = checked_entrants(store, game, config.limits, bots)
        labels = store.labels(config.entrants)
        for entrant in found:
            if entrant in config.entrants:
                raise SetupError(f"bot {str(labels[entrant])!r} plays in it already")
        last_stage = store.last_stage(tournament)
        begin = 0 if played_as.lag is None or last_stage is None else last_stage + 1
        joined = config.joined + (0,) * (len(config.entrants) - len(config.joined))
        wider = replace(
            config,
            entrants=config.entrants + found,
            joined=joined + (begin,) * len(found) if begin else config.joined,
        )
        if _revise(store, row, wider, last_stage):
            return store.tournament(tournament)
    raise _busy(tournament)


def extend(
    store: Store, tournament: int, rounds: int, until_error: float | None = None
) -> TournamentRow:
    """Add rounds to a tournament, or lower the rating error that stops it.

    Raises `LeagueError` if the format can't be extended or the error is not lower.
    """
    if rounds < 0 or (rounds == 0 and until_error is None):
        raise SetupError(f"{rounds} more rounds: expected 1 or more")
    for _ in range(TRIES):
        row = _open_row(store, tournament)
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
                f"'league run --again {tournament}' holds it anew"
            )
        if until_error is not None and until_error > (config.until_error or 0):
            raise SetupError(
                f"tournament {tournament} ends "
                + (
                    f"at ±{config.until_error:g} Elo: give less to go on"
                    if config.until_error
                    else "after its rounds, not at an error: give --rounds"
                )
            )
        longer = replace(
            config,
            rounds=config.rounds + rounds,
            until_error=config.until_error if until_error is None else until_error,
        )
        if _revise(store, row, longer, store.last_stage(tournament)):
            return store.tournament(tournament)
    raise _busy(tournament)


def withdraw(store: Store, tournament: int, bot: str) -> TournamentRow:
    """Withdraw a bot, dropping its unplayed matches; raise `LeagueError` if it is not entered."""
    for _ in range(TRIES):
        row = _open_row(store, tournament)
        config = row.config
        names = store.entrant_names(config.entrants, row.created_at)
        gone = {who for who, _ in config.withdrawn}
        named = {name: who for who, name in enumerate(names)}
        present = {name: who for name, who in named.items() if who not in gone}
        if bot not in present:
            raise SetupError(
                f"bot {bot!r} is not in tournament {tournament}{suggestion(bot, present)}"
            )
        last_stage = store.last_stage(tournament)
        end = 0 if last_stage is None else last_stage + 1
        smaller = replace(config, withdrawn=(*config.withdrawn, (present[bot], end)))
        if _revise(store, row, smaller, last_stage):
            return store.tournament(tournament)
    raise _busy(tournament)


def pause(store: Store, tournament: int) -> TournamentRow:
    """Make the runner finish the matches in play and stop; `league resume` continues.

    Raises `SetupError` if no process runs the tournament.
    """
    row = store.tournament(tournament)
    if not store.is_in_play(tournament):
        raise SetupError(f"tournament {tournament} is not in play: nothing to pause")
    store.ask(row.id, Request.PAUSE)
    return store.tournament(tournament)


def cancel(store: Store, tournament: int) -> TournamentRow:
    """Cancel a tournament for good; matches in play are lost, played ones stay.

    Raises `SetupError` if it is finished, or its runner does not respond.
    """
    row = store.tournament(tournament)
    if row.is_finished:
        raise SetupError(f"tournament {tournament} is finished: nothing to cancel")
    if row.config.is_imported:
        raise SetupError(
            f"tournament {tournament} is an import that was interrupted: "
            "'league import' with the same file goes on"
        )
    if not store.is_in_play(tournament):
        store.cancel(tournament)
        return store.tournament(tournament)
    store.ask(tournament, Request.CANCEL)
    end = time.monotonic() + ANSWER_S
    while time.monotonic() < end:
        row = store.tournament(tournament)
        if row.state is not TournamentState.OPEN:
            return row
        time.sleep(LOOK_S)
    raise SetupError(
        f"the runner of tournament {tournament} does not answer: it ends when it comes to it"
    )


def _open_row(store: Store, tournament: int) -> TournamentRow:
    row = store.tournament(tournament)
    if row.config.is_imported:
        raise SetupError(f"tournament {tournament} was imported from a file: nothing can be added")
    refuse_cancelled(row)
    return row


def _revise(
    store: Store, row: TournamentRow, config: TournamentConfig, last_stage: int | None
) -> bool:
    planned = Schedule(config, find_game(config.game)).planned
    return store.revise(row, config, planned, last_stage)


def _busy(tournament: int) -> SetupError:
    return SetupError(f"tournament {tournament} changes all the time: try again")
