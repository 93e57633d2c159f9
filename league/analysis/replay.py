"""Replays of stored matches: every ply with its position and the bot's report."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Annotated

from games.support.errors import GameError, MoveError, brief, suggestion
from games.support.moves import as_word
from games.support.options import join_options
from games.support.specs import find_game
from league.analysis.places import payoffs_told, result_told
from league.analysis.win_chance import Blunder, Chance, blunders, likely_score, win_chances
from league.match.replay import Frame, biggest_swing, frames_of, seen_by
from league.model.document import BotLabel, about
from league.model.errors import DatabaseError, LeagueError, SetupError, UnknownRowError
from league.model.model_calls import ModelCall
from league.model.records import (
    Conduct,
    Handicap,
    Limits,
    MatchRecord,
    Termination,
    TournamentConfig,
)
from league.store.rows import BotSpec, MatchRow
from league.store.store import StoreReader
from league.tournament.lost_rules import lost_rules


@dataclass(frozen=True, kw_only=True)
class Replay:
    """A stored match, ply by ply; `limits` are its tournament's, `handicaps` by seat.

    `conduct` is that of its bots in the tournament, by seat, in so far as it is notable.

    The bots played with the options `tuned` in place of their own, by seat, () for none.

    The dates and the costs of moves of one that `is_imported` are unknown. With a `viewer`, it is
    as that seat saw it; else it is the whole truth.
    """

    row: MatchRow
    record: MatchRecord
    limits: Limits
    handicaps: tuple[Handicap, ...] = ()
    conduct: tuple[Conduct, ...] = ()
    tuned: tuple[Mapping[str, str], ...] = ()
    is_imported: bool = False
    viewer: int | None = None
    read_bots: Callable[[], tuple[BotSpec, ...]] = field(default=tuple, compare=False, repr=False)
    read_calls: Callable[[], tuple[ModelCall, ...]] = field(
        default=tuple, compare=False, repr=False
    )

    @cached_property
    def bots(self) -> tuple[BotSpec, ...]:
        """Return its bots by seat; they are read at first use, because few callers ask."""
        bots = self.read_bots()
        if not self.tuned:
            return bots
        return tuple(
            bot._replace(options={**bot.options, **own})
            for bot, own in zip(bots, self.tuned, strict=True)
        )

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The match ply by ply, played at first use; raises `MoveError` for an illegal move."""
        found = frames_of(self.record, self.seat_limits)
        return tuple(found if self.viewer is None else seen_by(found, self.viewer))

    @cached_property
    def calls(self) -> Mapping[int, tuple[ModelCall, ...]]:
        """The calls of language models by the ply of their move, read at first use.

        Calls without a move are at the last ply. A viewer sees those of its own seat.
        """
        last = self.frames[-1].ply
        unmoved = {last: (*self.move_calls.get(last, ()), *self.calls_without_move)}
        return {**self.move_calls, **unmoved} if self.calls_without_move else self.move_calls

    @cached_property
    def move_calls(self) -> Mapping[int, tuple[ModelCall, ...]]:
        """The calls of `calls` that led to a move, or to one that the game made for the bot."""
        found: dict[int, tuple[ModelCall, ...]] = {}
        for ply, call in self._seen_calls:
            if ply is not None:
                found[ply] = (*found.get(ply, ()), call)
        return found

    @cached_property
    def calls_without_move(self) -> tuple[ModelCall, ...]:
        """The calls for a move that never came."""
        return tuple(call for ply, call in self._seen_calls if ply is None)

    @cached_property
    def _seen_calls(self) -> Sequence[tuple[int | None, ModelCall]]:
        """The calls that a viewer may see, each with the ply of its move."""
        asked = [each for each in self.frames if each.record and not each.is_luck]
        return [
            (
                next((f.ply for f in asked if f.ply > call.ply and f.seat == call.seat), None),
                call,
            )
            for call in self.read_calls()
            if self.viewer in (None, call.seat)
        ]

    def seen_by(self, seat: str) -> "Replay":
        """Return the match as a seat saw it; `seat` is its number, its name, or the bot's there.

        Raises `SetupError` if there is no such seat, or everybody sees everything.
        """
        game = find_game(self.record.game)
        if game.shows_all:
            raise SetupError(f"in {game.title} everybody sees everything: leave the seat out")
        known = [*map(str, range(game.seats)), *game.seat_names, *self.names]
        folded = [each.casefold() for each in known]
        if (wanted := seat.strip().casefold()) not in folded:
            meant = suggestion(seat, known)
            told = f"no seat {brief(seat)} in match {self.row.id}{meant}"
            raise SetupError(f"{told}; there are: {', '.join(known)}")
        record = replace(self.record, notation="", log="")
        return replace(self, record=record, viewer=folded.index(wanted) % game.seats)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The game's names of its seats."""
        return find_game(self.record.game).seat_names

    @property
    def shows_all(self) -> bool:
        """Whether all seats have seen the same."""
        return find_game(self.record.game).shows_all

    @property
    def plies(self) -> int:
        """Return the number of moves, including those of the opening."""
        return len(self.record.opening) + len(self.record.moves)

    @property
    def words(self) -> Sequence[str]:
        """The moves as `as_word` writes them; played again if the record's line lacks some."""
        words = self.record.notation.split()
        return (
            words if len(words) == self.plies else [as_word(each.move) for each in self.frames[1:]]
        )

    @property
    def seat_limits(self) -> tuple[Limits, ...]:
        """The limits of each seat."""
        return self.limits.by_seat(len(self.record.versions), self.handicaps)

    @property
    def names(self) -> Annotated[tuple[BotLabel, ...], about("by seat")]:
        """The bots by seat, with the options that were tuned."""
        names = tuple(str(each) for each in self.row.versions)
        if not self.tuned:
            return names
        told = (join_options(each, ", ") for each in self.tuned)
        return tuple(
            f"{name} ({own})" if own else name for name, own in zip(names, told, strict=True)
        )

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of the game by seat."""
        return find_game(self.record.game).sides

    @property
    def title(self) -> str:
        """The bots, the game and the date in one line."""
        return f"match {self.row.id}: {' – '.join(self.names)}, {self.row.game}{self._machine}"

    @property
    def _machine(self) -> str:
        """Say which machine of `league work` played it; '' for the runner's own pool."""
        if not self.row.machine:
            return ""
        factor = self.row.time_factor
        times = "" if factor == 1 else f", times × {factor:.2f}"
        return f" (on {self.row.machine}{times})"

    @property
    def ending(self) -> str:
        """Return the end of the match in one line."""
        points = result_told(self.record.scores, self.sides)
        if self.record.fault_seat is not None:
            name = self.names[self.record.fault_seat]
            return f"{points}, {self.record.termination}: {name} {self.record.detail}"
        if self.record.termination is Termination.RULES:
            worth = payoffs_told(self.record.game, self.record.utilities)
            return points + (f", {worth}" if worth else "") + self.stood_in
        return f"{points}, {self.record.termination}: {self.record.detail}{self.stood_in}"

    @property
    def untimed_reason(self) -> str:
        """Say why a bot lost by a time forfeit, if no time for a move ran out; '' otherwise.

        Such a bot did not start in time, or it had used up what it may in a match.
        """
        record = self.record
        is_forfeit = record.termination is Termination.TIME_FORFEIT and not self.is_imported
        return record.detail if is_forfeit and record.fault_wall_ns is None else ""

    @property
    def stood_in(self) -> str:
        """Say for whom the game made moves, and why first; '' if it made none."""
        first = {fault.seat: fault for fault in reversed(self.record.move_faults)}
        return "".join(
            f"; moves were played for {self.names[seat]}, which failed: {first[seat]}"
            for seat in sorted(first)
        )

    @property
    def last_asked(self) -> int | None:
        """The last ply at which a bot moved, not luck; None if none did."""
        asked = [frame.ply for frame in self.frames if frame.record and not frame.is_luck]
        return asked[-1] if asked else None

    def scores(self) -> list[tuple[int, int, float]]:
        """List ply, seat and reported score; with two sides, all from the first one's view."""
        sides = self.sides
        found = []
        for frame in self.frames:
            if frame.seat is None or frame.is_luck or frame.score is None:
                continue
            is_turned = len(set(sides)) == 2 and sides[frame.seat] != sides[0]
            found.append((frame.ply, frame.seat, -frame.score if is_turned else frame.score))
        return found

    @cached_property
    def chances(self) -> list[Chance]:
        """The chances to win that the bots told, each from its own view, by ply.

        None in a game for points, in which a score foretells the points and not who wins.
        """
        game, bots = self.record.game, self.bots
        if find_game(game).utility_bounds != (-1.0, 1.0):
            return []
        likely = [likely_score(game, each.spec, each.options) for each in bots]
        return win_chances(self.frames, likely or [None] * len(self.names))

    def blunders(self) -> list[Blunder]:
        """List the moves that cost most by the bots' own scores, by ply."""
        return blunders(self.frames, self.chances)

    def biggest_swing(self) -> int | None:
        """Return the ply where a bot's score changed most from its last one; None without two."""
        found = biggest_swing(self.frames)
        return found.ply if found else None


_Played = tuple[TournamentConfig, Mapping[int, Conduct]]


def unplayable(store: StoreReader, match: int, error: MoveError) -> DatabaseError:
    """Return the error to raise for a stored match whose moves the rules refuse."""
    text = f"match {match} can't be replayed ({error}): see 'league db verify'"
    return DatabaseError(text, store.target)


def newest_match(store: StoreReader) -> int:
    """Return the number of the newest match; raise `UnknownRowError` for none."""
    newest = store.matches.page(limit=1)
    if not newest:
        raise UnknownRowError("no matches yet: 'league run' plays some", "match", None)
    return newest[0].id


def load_replay(store: StoreReader, match: int | None) -> Replay:
    """Return a match by number, or the newest; raise `UnknownRowError`, or `MoveError`."""
    (replay,) = load_replays(store, [newest_match(store) if match is None else match])
    # Moves that the rules refuse are found here, not where a frame is looked at first; and a replay
    # is drawn after its league was closed, too.
    _ = replay.frames, replay.bots, replay.calls
    return replay


def load_replays(store: StoreReader, matches: Sequence[int]) -> Iterator[Replay]:
    """Yield matches by number, not yet played; raise `UnknownRowError` for none."""
    known: dict[int, _Played] = {}
    # Few lineups play many matches.
    read_bots = cache(partial(_read_bots, store))
    for found in store.matches.records(matches, movers_of):
        if isinstance(found, LeagueError):
            raise found
        row, record = found
        tournament = row.tournament_id
        if tournament not in known:
            known[tournament] = (
                store.tournaments.get(tournament).config,
                store.conduct.of(tournament),
            )
        config, conduct = known[tournament]
        config = config.time_scaled(row.time_factor)
        try:
            find_game(record.game)
        except GameError as error:
            raise lost_rules(store, store.tournaments.get(tournament), error) from None
        yield Replay(
            row=row,
            record=record,
            limits=config.limits,
            handicaps=config.handicaps_of(record.versions),
            tuned=store.matches.options(row.id) if config.parameters else (),
            conduct=tuple(conduct.get(each, Conduct()) for each in record.versions),
            is_imported=config.is_imported,
            read_bots=partial(read_bots, record.versions),
            # Kept for what is made of the replay when the league is closed.
            read_calls=cache(partial(store.calls.of_match, tournament, row.key)),
        )


def movers_of(record: MatchRecord) -> Sequence[int | None]:
    """Return the seat that made each move, None for luck; raise `MoveError` for an illegal one."""
    frames = list(frames_of(record, [Limits()] * len(record.versions)))
    moved = frames[1 + len(record.opening) :]
    return [None if frame.is_luck else frame.seat for frame in moved]


def _read_bots(store: StoreReader, versions: tuple[int, ...]) -> tuple[BotSpec, ...]:
    found = store.bots.specs(versions)
    return tuple(found.get(each, BotSpec("", {})) for each in versions)
