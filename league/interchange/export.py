"""The contract of an export format, and finding one by its name."""

from typing import Protocol, runtime_checkable

from games.support.catalogue import Catalogue
from games.support.game import Game
from league.analysis.replay import Replay


@runtime_checkable
class Export(Protocol):
    """A module of `league.interchange.exports` hands out an instance as `EXPORT`.

    The fields of a dataclass are options that the command line can set.
    """

    @property
    def name(self) -> str:
        """Its name on the command line."""

    def refusal(self, game: Game) -> str:
        """Say why matches of `game` can't be written so; '' where they can."""

    def is_usual(self, game: Game) -> bool:
        """Whether this is what matches of `game` are written as where nothing else is asked for."""

    @property
    def is_single(self) -> bool:
        """Whether a file can hold one match alone."""

    def head(self, game: Game) -> str:
        """Write what begins a file; '' for nothing. Matches with other heads need other files."""

    @property
    def suffix(self) -> str:
        """The suffix of such files: `.pgn`."""

    @property
    def media_type(self) -> str:
        """The media type of such files: `application/json`."""

    def text(self, replay: Replay) -> str | bytes:
        """Write one match, to the end of its last line; a file is its head and such texts.

        Bytes where the file is no text.
        """


class AnyGame:
    """The defaults of an export: files of many matches, of any game, that begin with the first."""

    is_single = False

    def refusal(self, game: Game) -> str:
        """Refuse no game."""
        return ""

    def is_usual(self, game: Game) -> bool:
        """Be no game's usual format."""
        return False

    def head(self, game: Game) -> str:
        """Write nothing before the first match."""
        return ""


class OneMatch(AnyGame):
    """The defaults of an export whose files show one match each."""

    is_single = True


def _is_export(part: object) -> bool:
    # A class has all the attributes of its instances, and can't be called as they can.
    return isinstance(part, Export) and not isinstance(part, type)


EXPORTS: Catalogue[Export] = Catalogue(
    kind="export",
    package="league.interchange.exports",
    attribute="EXPORT",
    group="botleague.exports",
    is_part=_is_export,
)


def all_exports() -> dict[str, Export]:
    """Return the exports by name; `json`, which takes any game, is the last.

    One of an installed package that does not load is left out: `EXPORTS.find` says why.
    """
    found, _ = EXPORTS.loaded()
    return {name: found[name] for name in sorted(found, key=lambda name: (name == "json", name))}


def usual_export(game: Game) -> Export:
    """Return the first export that is the usual one of `game`; `json` is everybody's."""
    return next(each for each in all_exports().values() if each.is_usual(game))
