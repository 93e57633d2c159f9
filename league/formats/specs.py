"""Find the tournament format for a spec: `swiss`, `sprt:elo0=0,elo1=5`."""

from games.support.catalogue import Catalogue, subclass_of
from games.support.errors import UnknownNameError
from games.support.options import options_of, parse_options, split_options
from league.formats.format import Format

FORMATS: Catalogue[type[Format]] = Catalogue(
    kind="format",
    package="league.formats",
    attribute="FORMAT",
    group="botleague.formats",
    is_part=subclass_of(Format),
)


def make_format(spec: str) -> Format:
    """Make a spec's format; raise `UnknownNameError` or, for its options, `OptionError`."""
    name, _, options = spec.partition(":")
    found = FORMATS.find(name)
    given = split_options(options, ",")
    return found(**parse_options(options_of(found), given, f"format {name}"))


def format_title(spec: str) -> str:
    """Return a format's title with its options: `SPRT (elo0 0, elo1 30)`.

    The name alone if nobody offers that format, as for imported tournaments.
    """
    name, _, options = spec.partition(":")
    try:
        found = FORMATS.find(name)
    except UnknownNameError:
        return name
    told = [_told(found, *each.split("=", 1)) for each in options.split(",") if "=" in each]
    shown = ", ".join(filter(None, told))
    return f"{found.title} ({shown})" if shown else found.title


def _told(found: type[Format], name: str, value: str) -> str:
    """Return an option in words, '' for one that readers need not know."""
    if name not in found.option_words:
        return f"{name} {value}"
    usual = {each.name: each.default for each in options_of(found)}
    return "" if float(value) == usual[name] else found.option_words[name].format(float(value))
