"""The reference of the settings, from the tables that read them."""

from collections.abc import Iterable

from league.hosting.api.host_settings import OWN_SETTINGS
from league.hosting.model.season import SeasonSettings
from league.hosting.season.settings import SETTINGS as SEASON
from league.tournament.settings import SETTINGS as TOURNAMENT
from league.tournament.settings import default_of
from tests.site.commands import escape


def tournament_settings() -> str:
    """Return a table of the settings of a tournament, in TOML."""
    rows = []
    for each in TOURNAMENT:
        values = (
            ", ".join(f"`{word}`" for word in each.kind.choices)
            or f"`{each.kind.metavar or 'true'}`"
        )
        usual = default_of(each)
        rows.append((f"`{each.word}`", values, _code(usual), escape(each.help)))
    return _table(("setting", "value", "default", "meaning"), rows)


def season_settings() -> str:
    """Return a table of the settings of a season."""
    usual = SeasonSettings(name="", game="")
    rows = [
        (f"`{each.key}`", each.expected, _code(each.write(value)), escape(each.help))
        for each in SEASON.values()
        for value in [getattr(usual, each.field)]
    ]
    return _table(("setting", "value", "default", "meaning"), rows)


def host_settings() -> str:
    """Return a table of the settings of the host itself."""
    return _table(
        ("setting", "meaning"), ((f"`{key}`", escape(text)) for key, text in OWN_SETTINGS.items())
    )


def _code(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return "" if value in (None, "") else f"`{text}`"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(each)} |" for each in lines)
