"""Handles of stored matches."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, overload

from league.api.answer import Answer, Shown, plain
from league.api.arguments import checks_arguments
from league.model.errors import SetupError, SpecError
from league.store.rows import MatchRow
from league.store.store import StoreReader

if TYPE_CHECKING:
    from league.analysis.loss_report import LossReport
    from league.analysis.replay import Replay
    from league.analysis.repro import Repro
    from league.api.tools import Explanation, OwnExplanation
    from league.model.records import BotVersion, Termination
    from league.render.text.table import Block

WIDTH = 80
FRAME_PX = 640

SHOWN = 50
"""The most matches to print of a list that nobody limited."""


@checks_arguments
class ReplayView(Answer["Replay"]):
    """A match to look at: an interactive board in a notebook, its position and moves as text.

    >>> view = tournament.matches[0].replay()
    >>> len(view.value.frames) > 5
    True
    >>> view.to_svg(ply=3)[:4]
    '<svg'
    """

    def __init__(self, value: Replay) -> None:
        from league.render.text.replay import replay_blocks

        super().__init__(value, lambda: replay_blocks(value, WIDTH), rows="plies")
        self._shown_in: int | None = None

    def to_html(self) -> str:
        """Return a page that replays the match and needs no other file."""
        from league.render.replay_page import replay_page

        return replay_page(self.value)

    def to_svg(self, ply: int | None = None) -> str:
        """Return a picture after so many plies; None is the whole match in motion."""
        from league.render.match_pictures import motion, still

        if ply is None:
            return motion(self.value)
        return still(self.value.frames[_within(self.value, ply)])

    def to_dict(self, ply: int | None = None) -> Any:
        """Return the document of `league replay --json`, of one ply where it is given."""
        if ply is None:
            return plain(self.value)
        from league.interchange.documents.matches import ply_document

        at = _within(self.value, ply)
        return plain(ply_document(self.value.frames[at], self.value.calls.get(at, ())))

    def show(self) -> None:
        """Show the board in a notebook now, wherever in its cell; elsewhere do nothing."""
        if shell := _notebook():
            from IPython.display import display

            display(self)
            self._shown_in = shell.execution_count

    def _ipython_display_(self) -> None:
        from IPython.display import display

        shell = _notebook()
        # The value of the cell that showed the board is not shown a second time.
        if shell is None or shell.execution_count != self._shown_in:
            # Not as `HTML`, which warns of every frame that is not its own `IFrame`.
            display({"text/plain": str(self), "text/html": self._repr_html_()}, raw=True)

    def _repr_html_(self) -> str:
        page = escape(self.to_html(), quote=True)
        style = f"width:100%;height:{FRAME_PX}px;border:0"
        return f'<iframe style="{style}" sandbox="allow-scripts" srcdoc="{page}"></iframe>'


class Stored:
    """Something a league has stored under a number, equal to others of the same league and kind."""

    def __init__(self, store: StoreReader, number: int) -> None:
        self._store = store
        self.number = number

    def _key(self) -> tuple[object, ...]:
        return type(self), self._store.target, self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stored) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


@checks_arguments
class Match(Stored):
    """A stored match, by its `number`.

    >>> match = tournament.matches[0]
    >>> match.number, sorted(match.bots), str(match.termination)
    (1, ['chance', 'shallow'], 'rules')
    """

    def __init__(self, store: StoreReader, row: MatchRow) -> None:
        super().__init__(store, row.id)
        self.row = row

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots by seat."""
        return tuple(map(str, self.row.versions))

    @property
    def scores(self) -> tuple[float, ...]:
        """The points by seat, which add up to 1."""
        return self.row.scores

    @property
    def termination(self) -> Termination:
        """Why it ended."""
        return self.row.termination

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves in the game's notation, the opening included."""
        return tuple(frame.move for frame in self._replay.frames[1:])

    @cached_property
    def _replay(self) -> Replay:
        from league.analysis.replay import load_replay

        return load_replay(self._store, self.number)

    def replay(self, *, show: bool = True, seen_by: str | None = None) -> ReplayView:
        """Return the match to look at, and in a notebook `show` it at once.

        In a game with secrets it is the whole truth, or with `seen_by` what a seat saw: its number,
        its name or the bot's. Raises `DatabaseError` if it can't be replayed, `SetupError` for an
        unknown seat.
        """
        view = ReplayView(self._replay if seen_by is None else self._replay.seen_by(seen_by))
        if show:
            view.show()
        return view

    def why(self, *, options: str = "") -> Answer[LossReport]:
        """Return why it ended so.

        The answer names the command that plays its last move again; `options` are added to it.
        """
        from league.analysis.loss_report import loss_report
        from league.render.text.match_reports import reason_blocks

        reason = loss_report(self._replay, options)
        return Answer(reason, lambda: reason_blocks(self._replay, reason))

    def repro(
        self,
        ply: int | None = None,
        *,
        move_time: float | None = None,
        isolation: str | None = None,
    ) -> Answer[Repro]:
        """Play one move again: the same version of the bot, history and seed.

        `ply` counts from 1, None is the last one. `move_time` in seconds replaces the tournament's
        limit, `isolation` its level. Raises `SetupError` if no bot moved at that ply.

        >>> tournament.matches[0].repro(2).value.is_same
        True
        """
        from league.analysis.repro import repeat
        from league.api.tools import level_of
        from league.render.text.match_reports import repro_blocks

        level = level_of(isolation or self._replay.limits.isolation)
        found = repeat(self._store, self._replay, ply, move_time, level)
        return Answer(found, lambda: repro_blocks(found))

    def explain(
        self, ply: int | None = None, *, bot: str = "", cut_on: str = "equality"
    ) -> Explanation:
        """Explain the search before a move of the match, as `League.explain` does.

        `ply` is the number of plies before it, None is the last move of a bot. The bot is the one
        that moved, where its search can be explained.
        """
        from league.api.tools import check_cut, explain_setting, explain_state
        from league.render.search.settings import setting_at

        check_cut(cut_on)
        replay = self._replay
        chosen = self._explained(ply)
        state = replay.frames[chosen].state
        title = f"{replay.title}, after ply {chosen}"
        setting = None if bot else setting_at(self._store, replay, chosen, cut_on)
        if setting is not None:
            return explain_setting(state, title, setting)
        return explain_state(state, title, bot, cut_on)

    def explain_own(
        self, ply: int | None = None, *, bot: str = "", move_time: float | None = None
    ) -> OwnExplanation:
        """Show what a bot's own search walks before a move, as `League.explain_own` does.

        `ply` is as in `explain`. Without a `bot` in a Python file, it is the one that moved. Raises
        `SpecError` if that has no file.
        """
        from games.support.specs import find_game
        from league.analysis.own_search import OwnBot, Route
        from league.api.tools import OwnExplanation, level_of, own_bot

        chosen = self._explained(ply)
        version = None if bot else self._own_version(chosen)
        if not bot and version is None:
            raise SpecError("the bot that moved is not in a Python file: name one as `bot`", "")
        searcher = own_bot(bot) if version is None else OwnBot(version, level_of("auto"))
        record = self._replay.record
        route = Route(find_game(record.game), record.wires[:chosen])
        found = searcher.search(route, move_time)
        return OwnExplanation(found, f"{self._replay.title}, after ply {chosen}")

    def is_own(self, ply: int | None = None) -> bool:
        """Whether the bot that moved there is in a Python file; `ply` is as in `explain`."""
        return self._own_version(self._explained(ply)) is not None

    def _explained(self, ply: int | None) -> int:
        """Return the number of plies after which a search is explained."""
        if ply is not None:
            return _within(self._replay, ply)
        last = self._replay.last_asked
        return last - 1 if last else 0

    def _own_version(self, ply: int) -> BotVersion | None:
        """Return the bot to move after so many plies if it is in a Python file."""
        replay = self._replay
        mover = replay.frames[ply].state.to_move
        if replay.is_imported or not 0 <= mover < len(replay.row.versions):
            return None
        from league.seats.bot_specs import protocol_of

        version = self._store.bots.version(replay.row.versions[mover].version)
        return version if version.files and not protocol_of(version.spec) else None

    def to_dict(self) -> Any:
        """Return the match without its moves, as `league matches --json` prints it."""
        return plain(self.row)

    def __repr__(self) -> str:
        points = " – ".join(f"{score:g}" for score in self.scores)
        return f"match {self.number}: {' – '.join(self.bots)}, {points}, {self.termination}"


class Matches(Shown, Sequence[Match]):
    """Stored matches; a slice of them is one too.

    >>> len(tournament.matches), tournament.matches[-1].number
    (4, 4)
    """

    def __init__(
        self,
        store: StoreReader,
        numbers: Sequence[int],
        rows: Sequence[MatchRow] | None = None,
        shown: int | None = None,
    ) -> None:
        self._store = store
        self.numbers = numbers
        self._loaded = rows
        self._shown = SHOWN if shown is None else shown

    @overload
    def __getitem__(self, index: int) -> Match: ...
    @overload
    def __getitem__(self, index: slice) -> Matches: ...
    def __getitem__(self, index: int | slice) -> Match | Matches:
        """Return a match, or the matches of a slice."""
        if isinstance(index, slice):
            loaded = None if self._loaded is None else self._loaded[index]
            return Matches(self._store, self.numbers[index], loaded)
        if self._loaded is not None:
            return Match(self._store, self._loaded[index])
        (row,) = self._store.matches.rows([self.numbers[index]])
        return Match(self._store, row)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Match]:
        return (Match(self._store, row) for row in self._rows())

    def _rows(self) -> Iterable[MatchRow]:
        if self._loaded is not None:
            return self._loaded
        return self._store.matches.rows(self.numbers)

    def to_dict(self) -> Any:
        """Return the matches without their moves, as `league matches --json` prints them."""
        return plain(list(self._rows()))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each match and seat; `bot` and `version` are the parts of `name@2`."""
        return [seat for row in self._rows() for seat in _seat_rows(row)]

    def blocks(self) -> list[Block]:
        """Return the table that `league matches` prints, of the first matches of a long list."""
        from league.render.match_endings import last_faults, remembered_endings
        from league.render.text.listings import matches_blocks

        rows = list(self[: self._shown]._rows())
        more = len(self) - len(rows)
        last = [f"and {more:,} more: slices show them, to_pandas() has all"] if more else []
        table = matches_blocks(rows, remembered_endings(self._store, rows))
        return [*table, *last_faults(self._store, rows), *last]


def _seat_rows(row: MatchRow) -> Iterator[dict[str, Any]]:
    """Yield what a table has of each seat of a match."""
    from league.analysis.places import match_places

    of_match = {
        "match": row.id,
        "tournament": row.tournament_id,
        "encounter": row.key.encounter,
        "rotation": row.key.rotation,
        "game": row.game,
    }
    places = match_places(row)
    for seat, (version, score) in enumerate(zip(row.versions, row.scores, strict=True)):
        yield {
            **of_match,
            "seat": seat,
            "bot": version.bot,
            "version": version.number,
            "score": score,
            "place": places[seat],
            "termination": str(row.termination),
            "is_fault": row.fault_seat == seat,
            "plies": row.plies,
            "wall_ms": row.wall_ms,
            "finished_at": row.finished_at,
            "machine": row.machine,
        }


def _notebook() -> Any:
    """Return the shell of the notebook that this process serves; None elsewhere."""
    if "ipykernel" not in sys.modules:
        return None
    from IPython import get_ipython

    return get_ipython()


def _within(replay: Replay, ply: int) -> int:
    last = len(replay.frames) - 1
    if not 0 <= ply <= last:
        raise SetupError(f"match {replay.row.id} ended after {last} plies: there is no ply {ply}")
    return ply
