"""The director of a season: plays its legs and its final, from the first match to the results.

`decide` is pure: it says what to do next, given what is known. `step` looks, decides and acts.
`serve` plays, with a step every few seconds between results.
"""

import logging
import math
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from games.support.errors import InputError
from league.execution.pool import OpenPool
from league.execution.run_log import RunLog
from league.hosting.model.season import SeasonState
from league.hosting.season.calm import EACH_S, LONGEST_S, is_calm
from league.hosting.season.final import make_final
from league.hosting.season.freeze import freeze
from league.hosting.season.gauntlets import Lacking, make_gauntlet
from league.hosting.season.legs import LegOptions, change_leg, current_ratings, make_leg, unfit
from league.hosting.season.notices import tell
from league.hosting.season.situation import AFTER_LEGS, Faults, GauntletPlan, Situation, look
from league.hosting.store.host_store import HostStore
from league.model.errors import SetupError, StoppedError, UnavailableError
from league.model.records import Isolation
from league.tournament import lifecycle
from league.tournament.planner import Planner
from league.tournament.progress import Progress
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament

log = logging.getLogger(__name__)

LOOK_S = 2.0
"""Interval at which the director looks for new versions and for changes by the organiser."""

IDLE_S = 0.5
"""Time that it waits when there is nothing to play."""

CLUSTER_WORKERS = 8
"""The workers to expect of a cluster of unknown size."""

CALM_LOOK_S = 60.0
"""Interval at which it looks, while matches are played, whether the season is calm."""

RETRY_S = 15.0
"""Time that it waits after a leg stopped because of its matches, or while another runner has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorOptions:
    """Options for playing a season.

    `run` is how its tournaments are, at the level of `isolation`. `beat` is called every second or
    two with what the director does. While `hindrance` returns a reason, no match begins. `serve`
    returns once `is_over` does.
    """

    run: RunOptions = field(default_factory=RunOptions)
    isolation: Isolation = Isolation.SANDBOX
    beat: Callable[[Mapping[str, Any]], None] = lambda state: None
    hindrance: Callable[[], str] = lambda: ""
    is_over: Callable[[], bool] = lambda: False
    look_s: float = LOOK_S
    idle_s: float = IDLE_S
    retry_s: float = RETRY_S
    calm_look_s: float = CALM_LOOK_S
    open_pool: OpenPool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The next steps of a season, in this order.

    `suspended` are teams with the reason. `joining` and `leaving` are versions of the leg in play,
    which `ends_leg` ends; `first` are the versions of a new leg, and `gauntlets` those to make.
    `state` is the season's next one, which begins with a final if it `makes_final`. `play` is the
    tournament to play then.
    """

    suspended: Mapping[int, str] = field(default_factory=dict)
    joining: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    ends_leg: bool = False
    first: tuple[int, ...] = ()
    gauntlets: tuple[GauntletPlan, ...] = ()
    makes_final: bool = False
    state: SeasonState | None = None
    play: int | None = None

    @property
    def is_change(self) -> bool:
        """Whether it changes anything, so that there may be more to do right after it."""
        return self != Decision(play=self.play)


def decide(found: Situation, now_s: float) -> Decision:
    """Return what to do in a situation at a time, in seconds since 1970."""
    state, reopened = found.season.state, found.reopened
    if reopened is not None and state in AFTER_LEGS:
        return Decision(play=reopened)
    decision = _decide(found, now_s)
    if reopened is None or state is SeasonState.PAUSED or decision.ends_leg:
        return decision
    # The final waits for results that count.
    return Decision(play=reopened) if decision.makes_final else replace(decision, play=reopened)


def _decide(found: Situation, now_s: float) -> Decision:
    season = found.season
    is_void = season.final is not None and not found.is_final_over
    match season.state:
        case SeasonState.PAUSED:
            return Decision(suspended=found.failing)
        case SeasonState.OPEN | SeasonState.CLOSED:
            if found.failing:
                return Decision(suspended=found.failing, play=found.leg_to_play)
            closes_at = season.settings.closes_at
            is_open = season.state is SeasonState.OPEN
            if is_open and closes_at is not None and now_s >= closes_at:
                return Decision(state=SeasonState.CLOSED, play=found.leg_to_play)
            return _decide_leg(found, is_closing=not is_open and not found.undecided)
        case SeasonState.FINAL:
            if season.final is not None and not found.is_final_over:
                return Decision(play=season.final)
            if found.lacking:
                return Decision(gauntlets=found.lacking)
            return Decision(state=SeasonState.FINISHED)
        case SeasonState.FINISHED | SeasonState.PUBLISHED if is_void:
            return Decision(state=SeasonState.FINAL)
        case SeasonState.FINISHED | SeasonState.PUBLISHED if found.lacking:
            # The organiser has changed the rules for marks.
            return Decision(gauntlets=found.lacking)
        case SeasonState.FINISHED if season.settings.is_published_at_once and season.legs:
            return Decision(state=SeasonState.PUBLISHED)
    return Decision()


def _decide_leg(found: Situation, *, is_closing: bool) -> Decision:
    leg, wanted = found.leg, found.wanted
    if leg is None or leg.is_finished:
        if is_closing:
            return Decision(makes_final=True, state=SeasonState.FINAL)
        return Decision(first=wanted if len(wanted) >= found.seats else ())
    joining = tuple(each for each in wanted if each not in leg.entrants)
    if leg.is_ending and not joining:
        return Decision(play=leg.tournament)
    is_long = leg.encounters >= found.season.settings.leg_encounters
    # A version that comes back needs a new leg: stages of this one were made without it.
    is_due = is_closing or is_long or bool(leg.gone.intersection(wanted))
    if is_due and not leg.is_ending:
        return Decision(ends_leg=True, play=leg.tournament)
    leaving = tuple(each for each in leg.present if each not in wanted)
    return Decision(joining=joining, leaving=leaving, play=leg.tournament)


class Director:
    """Keeps what a director knows between its steps: the faults of each version."""

    def __init__(self, store: HostStore, options: DirectorOptions) -> None:
        self._store = store
        self._options = LegOptions(options.isolation, _least(options.run))
        self._faults = Faults()
        self._found: Situation | None = None
        self._unfit: set[int] = set()
        self._lacking = Lacking()

    def step(self, now_s: float, planner: Planner | None = None) -> Decision | None:
        """Do what is due, and return what was decided; None in a league without a season.

        `planner` is that of the leg in play: it saves reading the leg again. Raises `LeagueError`
        for what only the organiser can mend.
        """
        store = self._store
        season = store.seasons.get()
        if season is None:
            return None
        freeze(store, season, now_s)
        found = look(store, season, self._faults)
        found = replace(found, house=tuple(each for each in found.house if each not in self._unfit))
        found = replace(found, lacking=self._lacking.of(store, found))
        self._found = found
        decision = decide(found, now_s)
        for each in decision.gauntlets:
            make_gauntlet(store, season, each, self._options)
        for team, reason in decision.suspended.items():
            self._suspend(team, reason)
        if decision.first or decision.joining or decision.leaving:
            self._change_leg(found, decision, planner)
        if decision.ends_leg and decision.play is not None:
            log.info("leg %d ends", decision.play)
            lifecycle.end(store, decision.play)
        if decision.state is not None:
            self._advance(found, decision, decision.state, int(now_s))
        return decision

    @property
    def calm_elo(self) -> float:
        """The bar below which the season is calm, 0 for never."""
        return self._found.season.settings.calm_elo if self._found else 0.0

    def is_calm(self) -> bool:
        """Whether the season has learnt enough, as of the latest step."""
        return self._found is not None and is_calm(self._store, self._found)

    def _change_leg(self, found: Situation, decision: Decision, planner: Planner | None) -> None:
        """Make a leg or change the one in play; those who can't play don't keep others waiting."""
        try:
            if decision.first:
                make_leg(self._store, found, decision.first, self._options)
                return
            is_rated = bool(decision.joining)
            elo = current_ratings(self._store, found, planner) if is_rated else {}
            change_leg(self._store, found, decision.joining, decision.leaving, elo)
        except SetupError:
            reasons = unfit(self._store, found, decision.first + decision.joining, self._options)
            leg = found.leg
            if not reasons and leg and self._store.tournaments.get(leg.tournament).is_finished:
                # The next step sees it.
                return
            if not reasons:
                raise
            for version, reason in reasons.items():
                team = found.team_of(version)
                if team is not None:
                    self._suspend(team.team, reason)
                else:
                    log.warning("house bot %s left out: %s", found.names[version], reason)
                    self._unfit.add(version)

    def _suspend(self, team: int, reason: str) -> None:
        text = (
            f"Your bot is suspended: {reason}. Submit a new version, and it plays again. "
            "'league check' shows the same at home."
        )
        if self._store.seasons.suspend_for_faults(team, reason, text):
            log.warning("team %d is suspended: %s", team, reason)

    def _advance(
        self, found: Situation, decision: Decision, state: SeasonState, now_s: int
    ) -> None:
        store, season = self._store, found.season
        moments = {SeasonState.CLOSED: "closed_at", SeasonState.PUBLISHED: "published_at"}
        fields = {moments[state]: now_s} if state in moments else {}
        final = make_final(store, found, self._options) if decision.makes_final else None
        if final is None and not store.seasons.advance(season, state, **fields):
            return
        log.info("season %d: %s", season.id, state)
        tell(store, season, state, final)


def _least(run: RunOptions) -> int:
    """Return how many encounters keep all workers busy while the stage before ends."""
    workers = run.workers_wanted() if run.is_local else run.workers or CLUSTER_WORKERS
    return max(4, 2 * workers)


def step(store: HostStore, now_s: float, options: DirectorOptions | None = None) -> Decision | None:
    """Do what is due in the season once, without playing; None in a league without a season."""
    return Director(store, options or DirectorOptions()).step(now_s)


def serve(
    store: HostStore, options: DirectorOptions | None = None, *, run_log: RunLog | None = None
) -> None:
    """Play the season of a league until `options.is_over()`; a KeyboardInterrupt propagates.

    Finished matches are stored then. A leg that another process plays, or that void matches stop,
    is tried again after a while.
    """
    options = options or DirectorOptions()
    _Stage(store, options, run_log).serve()


@dataclass(frozen=True, slots=True)
class _Rest:
    """Until when a calm season rests, on the monotonic clock, and with which bar."""

    until_s: float = 0.0
    calm_elo: float = 0.0


class _Stage:
    """The loop of `serve`: one thread plays, and takes a step between results."""

    def __init__(self, store: HostStore, options: DirectorOptions, run_log: RunLog | None) -> None:
        self._store, self._options, self._run_log = store, options, run_log
        self._director = Director(store, options)
        self._next_look_s = 0.0
        self._wait_until_s = 0.0
        self._trouble = ""
        self._logged = ""
        self._next_calm_s = 0.0
        self._played = 0
        self._rest = _Rest()

    def serve(self) -> None:
        while not self._options.is_over():
            decision = self._step(None, None)
            if decision is not None and decision.is_change:
                self._rest = _Rest()
                continue
            hindrance = self._options.hindrance()
            play = None if hindrance or decision is None else decision.play
            self._beat(play=None, hindrance=hindrance)
            if play is None or time.monotonic() < self._wait_until_s or self._is_resting():
                time.sleep(self._options.idle_s)
            else:
                self._play(play)

    def _play(self, tournament: int) -> None:
        try:
            run_tournament(
                self._store,
                tournament,
                self._options.run,
                on_progress=lambda progress: self._between(tournament, progress),
                run_log=self._run_log,
                open_pool=self._options.open_pool,
            )
            self._trouble = self._logged = ""
        except UnavailableError:
            raise
        except (StoppedError, SetupError) as error:
            self._put_off(str(error))
        if self._rest.until_s == math.inf:
            rest_s = min(max(1, self._played) * EACH_S, LONGEST_S)
            self._rest = _Rest(time.monotonic() + rest_s, self._rest.calm_elo)

    def _is_resting(self) -> bool:
        is_same = self._rest.calm_elo == self._director.calm_elo
        return is_same and time.monotonic() < self._rest.until_s

    def _is_to_rest(self) -> bool:
        """Whether to stop playing, and to rest once the matches in play are over."""
        begin_s = time.monotonic()
        if begin_s < self._next_calm_s:
            return False
        if self._director.is_calm():
            # After the rest it looks again at once.
            self._next_calm_s = 0.0
            self._rest = _Rest(math.inf, self._director.calm_elo)
            return True
        now_s = time.monotonic()
        self._next_calm_s = now_s + max(self._options.calm_look_s, 50 * (now_s - begin_s))
        return False

    def _between(self, tournament: int, progress: Progress) -> None:
        """Take a step while a tournament is played; stop it if something else is to be done."""
        self._played = progress.played
        begin_s = time.monotonic()
        if begin_s < self._next_look_s:
            return
        if progress.played:
            self._trouble = ""
        decision = self._step(progress.planner, Decision(play=tournament))
        self._beat(play=tournament, progress=progress)
        if decision is not None and decision.is_change:
            self._rest = _Rest()
        is_wanted = decision is not None and decision.play == tournament
        is_held = self._options.hindrance() or self._options.is_over()
        if not is_wanted or is_held or self._is_to_rest():
            lifecycle.pause(self._store, tournament)
        # Steps take a tenth of the time at most: it is the matches' time.
        took_s = time.monotonic() - begin_s
        self._next_look_s = time.monotonic() + max(self._options.look_s, 9 * took_s)

    def _step(self, planner: Planner | None, otherwise: Decision | None) -> Decision | None:
        """Take a step; return `otherwise` where it fails for what only the organiser can mend."""
        try:
            return self._director.step(time.time(), planner)
        except InputError as error:
            # A database that is locked or away keeps nobody from playing on: the run has patience.
            self._put_off(str(error))
            return otherwise

    def _put_off(self, reason: str) -> None:
        if reason != self._logged:
            log.warning("%s", reason)
        self._trouble = self._logged = reason
        self._wait_until_s = time.monotonic() + self._options.retry_s

    def _beat(
        self, *, play: int | None, progress: Progress | None = None, hindrance: str = ""
    ) -> None:
        state: dict[str, Any] = {"pid": os.getpid(), "tournament": play}
        if progress is not None:
            state["played"] = progress.done
            state["per_s"] = round(progress.rate, 2)
            state["in_play"] = len(progress.in_play)
            run = self._options.run
            state["workers"] = run.workers_wanted() if run.is_local else run.workers
        if self._is_resting():
            state["calm"] = f"all bars are at most {self._rest.calm_elo:g} Elo"
        if reason := hindrance or self._trouble:
            state["trouble"] = reason
        with suppress(UnavailableError):
            self._options.beat(state)
