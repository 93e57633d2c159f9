"""Find the rating system for a spec: `fitted`, `elo:k=20`."""

from collections.abc import Mapping

from games.support.catalogue import Catalogue, subclass_of
from games.support.errors import OptionError
from games.support.options import options_of, parse_options, split_options
from league.ratings.rating_system import RatingSystem

DEFAULT_SYSTEM = "fitted"


SYSTEMS: Catalogue[type[RatingSystem]] = Catalogue(
    kind="rating system",
    package="league.ratings.systems",
    attribute="SYSTEM",
    group="botleague.rating_systems",
    is_part=subclass_of(RatingSystem),
)


def make_system(spec: str, usual: Mapping[str, str] | None = None) -> RatingSystem:
    """Make the system for a spec such as `fitted` or `elo:k=20`.

    `usual` are the league's defaults for options that the system has. Raises `UnknownNameError` for
    the name, `OptionError` for the options or a system that is not installed.
    """
    name, _, text = spec.partition(":")
    found = SYSTEMS.find(name)
    declared = options_of(found)
    known = {each.name for each in declared}
    given = {option: value for option, value in (usual or {}).items() if option in known}
    values = parse_options(declared, given | split_options(text, ","), f"rating system {name}")
    made = found(**values)
    try:
        made.check()
    except ValueError as error:
        raise OptionError(f"rating system {name!r}: {error}", name) from None
    return made


def settings_of(system: RatingSystem) -> dict[str, object]:
    """Return a system's options with their values, in order."""
    return {each.name: getattr(system, each.name) for each in options_of(type(system))}
