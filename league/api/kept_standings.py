"""Keep what `league standings` shows of a league, and show it without opening a `League`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from games.support.errors import InputError
from league.render.text.table import Block, Table
from league.store.kept_standings import kept_in_file

if TYPE_CHECKING:
    from league.store.store import Store


def keep_standings(store: Store) -> None:
    """Keep the standings of all games, with the usual options, in the league's file."""
    from league.analysis.match_selection import Selection
    from league.analysis.standings import standings
    from league.render.text.standings import blocks_of_all

    # They are kept for speed alone: `league standings` is to say what is wrong.
    with suppress(InputError):
        basis = store.standings_basis()
        if basis is None:
            return
        games = store.totals.games_played()
        shown = blocks_of_all([standings(store, game, selection=Selection()) for game in games])
        store.keep_standings(basis, [_packed(block) for block in shown])


def kept_standings(target: str) -> Sequence[Block] | None:
    """Return what a database file keeps; None where only a `League` can tell the standings."""
    found = kept_in_file(target)
    return None if found is None else [_unpacked(block) for block in found]


def _packed(block: Block) -> Any:
    """Return a block as plain values of JSON."""
    if isinstance(block, str):
        return block
    rows = [[str(cell) for cell in row] for row in block.rows]
    return {
        "head": list(block.head),
        "rows": rows,
        "right": list(block.right),
        "title": block.title,
        "keys": block.keys,
    }


def _unpacked(block: Any) -> Block:
    return block if isinstance(block, str) else Table(**block)
