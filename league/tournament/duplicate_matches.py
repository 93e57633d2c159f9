"""Matches that would repeat another move for move: they are copied instead of played."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from bots.support.specs import is_built_in, make_bot
from games.support.moves import WireMove
from league.execution.worker import MatchJob
from league.model.records import BotVersion, MatchKey, MatchRecord, Repeat, TournamentConfig
from league.model.tuned_parameter import EntrantOptions
from league.store.record_codec.packed_match import PackedMatch
from league.store.store import Store
from league.tournament.planner import Planner

Place = tuple[tuple[int, ...], tuple[EntrantOptions, ...], str, tuple[WireMove, ...]]
"""All that a match without luck depends on: versions and options by seat, game and opening."""

Copy = tuple[MatchKey, PackedMatch]


class DuplicateMatches:
    """Finds matches of a tournament that repeat stored ones or each other.

    A match repeats if its bots use no randomness, its game has no luck, and no time limit affects
    the bots' moves.
    """

    def __init__(self, store: Store, planner: Planner) -> None:
        self._store = store
        self._tournament = planner.tournament
        self._config = planner.config
        self._is_possible = not planner.game.has_chance and not planner.config.is_timed
        self._drawing: dict[tuple[int, frozenset[tuple[str, str]]], bool] = {}
        self._known: dict[Place, Callable[[], MatchRecord]] = {}
        self._own: set[Place] = set()
        self._looked_up: set[tuple[int, ...]] = set()
        self._waiting: defaultdict[Place, list[MatchJob]] = defaultdict(list)
        self._begun: set[Place] = set()

    def sift(self, jobs: Iterable[MatchJob]) -> tuple[list[MatchJob], list[Copy]]:
        """Return the matches to play and copies of known ones; the rest wait for one in play."""
        to_play: list[MatchJob] = []
        copies: list[Copy] = []
        for job in jobs:
            if not self._repeats(job.playing):
                to_play.append(job)
                continue
            place = _place(job)
            self._look_up(place[0])
            if place in self._known:
                record = replace(self._known[place](), seed=job.seed)
                repeat = Repeat.OF_TOURNAMENT if place in self._own else Repeat.OF_LEAGUE
                self._own.add(place)
                copies.append((job.key, PackedMatch.of(record, repeat)))
            elif place in self._begun:
                self._waiting[place].append(job)
            else:
                self._begun.add(place)
                to_play.append(job)
        return to_play, copies

    def take(self, job: MatchJob, match: PackedMatch) -> tuple[list[MatchJob], list[Copy]]:
        """Record a played match; return what to play and copy of those that waited for it.

        If a bot failed, the next one is played to show whether it fails again.
        """
        place = _place(job)
        if place not in self._begun:
            return [], []
        self._begun.discard(place)
        if not match.termination.is_fault:
            self._known[place] = match.record
            self._own.add(place)
        return self.sift(self._waiting.pop(place, []))

    def _repeats(self, versions: Sequence[BotVersion]) -> bool:
        return self._is_possible and all(map(self._draws_nothing, versions))

    def _draws_nothing(self, version: BotVersion) -> bool:
        key = version.id, frozenset(version.options.items())
        if key not in self._drawing:
            self._drawing[key] = draws_nothing(version)
        return self._drawing[key]

    def _look_up(self, versions: tuple[int, ...]) -> None:
        if versions in self._looked_up:
            return
        self._looked_up.add(versions)
        for tournament, config, record, options in self._store.matches.records_of(
            self._config.game, versions
        ):
            terms = _terms(config, versions)
            # The limits of an imported match are unknown.
            is_own = not config.is_imported and not record.termination.is_fault
            if is_own and terms == _terms(self._config, versions):
                place = record.versions, options, record.game, record.opening
                self._known[place] = partial(_itself, record)
                if tournament == self._tournament:
                    self._own.add(place)


def draws_nothing(version: BotVersion) -> bool:
    """Whether a bot is known to use no randomness.

    Third-party code is not run here, so its use of randomness is unknown.
    """
    return is_built_in(version.spec) and make_bot(version.spec, version.options).is_deterministic


def _itself(record: MatchRecord) -> MatchRecord:
    return record


def _terms(config: TournamentConfig, versions: Sequence[int]) -> tuple[object, ...]:
    """Return the settings of a tournament that decide how a match between these versions goes."""
    return config.limits, config.game_digest, config.adjudication, config.handicaps_of(versions)


def _place(job: MatchJob) -> Place:
    versions = tuple(version.id for version in job.versions)
    return versions, tuple(tuple(each.items()) for each in job.options), job.game, job.opening
