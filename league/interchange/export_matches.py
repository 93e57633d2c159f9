"""Writing stored matches in the formats of others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace

from games.support.errors import GameError, UnknownNameError
from games.support.specs import find_game
from league.analysis.replay import load_replays
from league.interchange.export import EXPORTS, Export, usual_export
from league.model.errors import SetupError
from league.store.store import StoreReader


def configured(name: str, options: Mapping[str, object]) -> Export:
    """Return a format with options of its own; raise `UnknownNameError`, also for an option."""
    export = EXPORTS.find(name)
    known = {field.name for field in fields(export)} if is_dataclass(export) else set[str]()
    for option in options:
        if option not in known:
            raise UnknownNameError(f"option of a file of {name}", option, known)
    return replace(export, **options) if options else export  # type: ignore[type-var]  # a dataclass


def usual_format(game: str) -> str:
    """Return the name of the usual format of a game's matches; '' where its rules are gone."""
    try:
        return usual_export(find_game(game)).name
    except GameError:
        return ""


def written(
    store: StoreReader,
    matches: Sequence[int],
    name: str | None,
    options: Mapping[str, object] | None = None,
) -> Iterator[str | bytes]:
    """Yield what begins the file, if anything does, then the text of each match.

    `name` is the format, None for the usual one of each match's game, `options` are its own.

    Raises `UnknownNameError` for no such format or option, `UnknownRowError` for no such match, and
    `SetupError` where the format can't hold the game, or not in the same file.
    """
    export = None if name is None else configured(name, options or {})
    if export is not None and export.is_single and len(matches) > 1:
        raise SetupError(f"a file of {export.name} holds one match, not {len(matches)}: --match N")
    begun: str | None = None
    for replay in load_replays(store, matches):
        number, game = replay.row.id, find_game(replay.row.game)
        chosen = export or usual_export(game)
        if refusal := chosen.refusal(game):
            raise SetupError(f"match {number} can't be written as {chosen.name}: {refusal}")
        head = chosen.head(game)
        if begun is None:
            begun = head
            if head:
                yield head
        elif head != begun:
            raise SetupError(
                f"match {number} of {game.spec} has not the seats of those before: "
                f"as {chosen.name} it needs a file of its own"
            )
        yield chosen.text(replay)
