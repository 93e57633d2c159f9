"""Void matches that a bug spoiled: their encounters are played again."""

from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Annotated

from games.support.counts import counted, noun_for
from games.support.errors import InputError
from league.model.document import Count, Id, about, document
from league.model.errors import SetupError
from league.store.rows import TournamentRow
from league.store.store import Store
from league.tournament.planner import Planner


@dataclass(frozen=True, slots=True)
class VoidChoice:
    """The matches that are void together, and how many encounters and which tournaments they are.

    An encounter is void as a whole: it is the unit of statistics. Matches that repeat a void one
    move for move are void too.
    """

    matches: tuple[Id, ...]
    encounters: Count
    tournaments: tuple[Id, ...]

    def __str__(self) -> str:
        matches = counted(len(self.matches), "match")
        tournaments = noun_for(len(self.tournaments), "tournament")
        numbers = ", ".join(map(str, self.tournaments))
        return f"{matches} in {counted(self.encounters, 'encounter')} of {tournaments} {numbers}"


@document(
    "VoidedMatches",
    "void=number reason matches=choice.matches encounters=choice.encounters "
    "tournaments=choice.tournaments to_resume",
)
@dataclass(frozen=True, slots=True)
class Voided:
    """Matches that were made void."""

    number: Id
    reason: Annotated[str, about("the reason, which everybody can read")]
    choice: VoidChoice
    to_resume: Annotated[tuple[Id, ...], about("the tournaments that 'league resume' plays on")]


def choose(store: Store, matches: Collection[int]) -> VoidChoice:
    """Return what is void if these matches are.

    Raises `UnknownRowError` for a match that is not there, `SetupError` for an imported one or none
    at all.
    """
    if not matches:
        raise SetupError("there are no such matches")
    for _ in store.matches.rows(sorted(matches)):
        pass
    chosen = store.voids.whole(matches)
    tournaments = sorted({each.tournament for each in chosen})
    for number in tournaments:
        if store.tournaments.get(number).config.is_imported:
            raise SetupError(
                f"tournament {number} was imported from a file: nobody can play it again"
            )
    encounters = {(each.tournament, each.encounter) for each in chosen}
    return VoidChoice(tuple(each.id for each in chosen), len(encounters), tuple(tournaments))


def void(
    store: Store,
    matches: Collection[int],
    reason: str,
    pause_command: Callable[[int], str] = "league tournament pause {}".format,
) -> tuple[int, VoidChoice]:
    """Take matches, and all that `choose` adds, out of everything that counts.

    Return the number of the void and its matches. The next run of their tournaments plays the
    encounters again, except those whose bots have left. Stages that were planned from void results
    stay planned. Raises `SetupError` while one of the tournaments is in play; it names
    `pause_command(tournament)`.
    """
    tournaments = choose(store, matches).tournaments
    with ExitStack() as held:
        for number in tournaments:
            _refuse_in_play(store, number, pause_command(number))
            held.enter_context(store.tournaments.runner_lock(number))
        choice = choose(store, matches)
        if not set(choice.tournaments) <= set(tournaments):
            raise SetupError("these matches were repeated in another tournament: try again")
        before = [store.tournaments.get(number) for number in choice.tournaments]
        made = store.voids.add(choice.matches, reason)
        for row in before:
            if row.is_finished:
                _finish(store, row)
    return made, choice


def _refuse_in_play(store: Store, tournament: int, pause: str) -> None:
    if not store.tournaments.is_in_play(tournament):
        return
    raise SetupError(
        f"tournament {tournament} is in play: {pause!r} first, and try again when its last "
        "matches have ended"
    )


def _finish(store: Store, before: TournamentRow) -> None:
    """Leave a tournament finished if the bots of all its void matches have left it."""
    with suppress(InputError):
        planner = Planner(store, before.id)
        if next(planner.left(), None) is None and not planner.schedule.plan(1):
            store.tournaments.finish(before.id, planner.row.revision, planner.row.played)
