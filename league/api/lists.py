"""Lists as answers, which commands can give without opening a `League`."""

from league.api.answer import Answer
from league.render.text.listings import bots_blocks, tournaments_blocks
from league.store.bot_rows import bots_in_file
from league.store.rows import BotRow, TournamentRow
from league.store.tournament_rows import tournaments_in_file


def bot_list(bots: tuple[BotRow, ...], *, retired: bool) -> Answer[tuple[BotRow, ...]]:
    """Return the answer of `League.bots`."""
    return Answer(bots, lambda: bots_blocks(bots, has_retired=retired))


def bots_of_file(target: str, *, retired: bool) -> Answer[tuple[BotRow, ...]] | None:
    """Read the bots of a database file; None where only a `League` can tell what there is."""
    found = bots_in_file(target, include_retired=retired)
    return None if found is None else bot_list(found, retired=retired)


def tournaments_of_file(target: str) -> Answer[tuple[TournamentRow, ...]] | None:
    """Read the tournaments of a database file, newest first; None as for `bots_of_file`."""
    found = tournaments_in_file(target)
    if found is None:
        return None
    newest = found[::-1]
    return Answer(newest, lambda: tournaments_blocks(newest))
