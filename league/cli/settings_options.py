"""The options of `league run`: a tournament's settings, from the command line, a file or before."""

import os
import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from games.support.errors import suggestion
from league.cli.foreign_options import refuse_foreign
from league.cli.headed_options import Headings, write_options
from league.model.errors import ConfigError, SettingError, SetupError
from league.model.tournament_spec import OF_TOURNAMENT
from league.tournament.settings import SETTINGS, Setting, default_of

LEFT_OUT = frozenset({"help", "again", "config", "save", "json", "quiet"})
"""Options that are about one call of the command, and stand in no file."""

FILE = "league.config"
"""The key in a context for the path of the config file."""

PATHS = frozenset({"openings", "tablebases", "log-file", "engine-log", "pgn", "epd", "db"})
"""Options that name files: in a config file they are meant from the folder it lies in."""


def settings_options(function: click.decorators.FC) -> click.decorators.FC:
    """Add an option for each setting of a tournament; None, or an empty tuple, is not given."""
    return some_settings_options([each.word for each in SETTINGS])(function)


def some_settings_options(
    words: Collection[str],
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return what adds an option for each setting of these words."""

    def add(function: click.decorators.FC) -> click.decorators.FC:
        for setting in reversed(SETTINGS):
            if setting.word in words:
                function = _option(setting)(function)
        return function

    return add


def given_settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings among a command's options, by word."""
    values = {each.word: options.get(each.word.replace("-", "_")) for each in SETTINGS}
    return {word: value for word, value in values.items() if value not in (None, ())}


class ConfiguredCommand(click.Command):
    """A command whose options may come from a file, the argument `config`, or from `--again`.

    Options on the command line override both, and a file overrides `--again`. The help lists the
    options under `headings`.
    """

    def __init__(self, *arguments: Any, headings: Headings, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._headings = headings

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings."""
        write_options(self, ctx, formatter, self._headings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the file, and what was asked for before, as defaults of the options."""
        refuse_foreign(args, {opt.lstrip("-") for each in self.params for opt in each.opts})
        given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        file, again = given.get("config"), given.get("again")
        found: dict[str, Any] = {}
        if again is not None and str(again).isdigit():
            found = _again(int(again), self._db(given))
        if isinstance(file, str):
            found |= read_config(Path(file), self._params())
            ctx.meta[FILE] = Path(file)
        ctx.default_map = {
            str(param.name): _value(param, found[key])
            for key, param in self._params().items()
            if key in found
        }
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            _refuse_in_file(ctx, error.param, error.message)
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; blame the option or the file for a setting that does not fit."""
        try:
            return super().invoke(ctx)
        except SettingError as error:
            param = self._params().get(error.setting)
            if param is None:
                raise
            _refuse_in_file(ctx, param, error.reason)
            if ctx.params.get(str(param.name)) in (None, ()):
                raise click.MissingParameter(ctx=ctx, param=param) from None
            raise click.BadParameter(error.reason, ctx, param) from None

    def _params(self) -> dict[str, click.Option]:
        """Return the options that a file may set, by the names it has for them."""
        options = [param for param in self.params if isinstance(param, click.Option)]
        return {key: each for each in options if (key := _key(each)) not in LEFT_OUT}

    def _db(self, given: Mapping[str, Any]) -> str:
        option = self._params()["db"]
        return str(
            given.get("db") or option.value_from_envvar(click.Context(self)) or option.default
        )


def read_config(path: Path, known: Mapping[str, object]) -> dict[str, Any]:
    """Return the settings of a file by name; raise `ConfigError` for others than are `known`."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        _refuse(path, str(error.strerror))
    except UnicodeDecodeError:
        _refuse(path, "it is not UTF-8 text")
    except tomllib.TOMLDecodeError as error:
        _refuse(path, str(error))
    for key, value in found.items():
        if key not in known:
            _refuse(path, f"unknown setting {key!r}{suggestion(key, list(known))}")
        if key in PATHS:
            found[key] = from_folder(str(value), path.parent)
    return found


def from_folder(value: str, folder: Path) -> str:
    """Return a value of `PATHS` that is meant from the folder of its config file."""
    if "://" in value or value.startswith(OF_TOURNAMENT):
        return value
    return ":".join(str(folder / part) for part in value.split(":"))


def write_config(path: Path, settings: Mapping[str, Any]) -> None:
    """Write settings so that `read_config` reads the same; raise `ConfigError` where it can't.

    A file of openings is named from the folder that the config file lies in.
    """
    import tomli_w

    found = dict(settings)
    if Path(openings := found.get("openings", "")).exists() and openings:
        found["openings"] = os.path.relpath(openings, path.parent)
    try:
        path.write_text(tomli_w.dumps(found), encoding="utf-8")
    except OSError as error:
        _refuse(path, f"can't be written: {error.strerror}")


def _option(setting: Setting) -> Any:
    """Make the option of a setting, whose text `read_settings` reads."""
    default = default_of(setting)
    shown = f"  [default: {default}]" if default is not None and default is not False else ""
    more: dict[str, Any] = {"type": click.UNPROCESSED, "metavar": setting.kind.metavar}
    if setting.kind.choices:
        more = {"type": click.Choice(setting.kind.choices)}
    elif default is False:
        more = {"is_flag": True, "default": None}
    elif setting.word in ("handicap", "bot-limits", "starting-rating", "param"):
        more["multiple"] = True
    return click.option(f"--{setting.word}", help=setting.help + shown, **more)


def _again(tournament: int, db: str) -> dict[str, Any]:
    from league.api.league import League

    with League(db, read_only=True) as league:
        found = league.tournament(tournament)
        if found.row.config.is_imported:
            raise SetupError(
                f"tournament {tournament} was imported from a file: it can't be held again"
            )
        return found.settings()


def _value(param: click.Option, value: Any) -> Any:
    """Return a value of a file as the command line would give it."""
    if isinstance(value, dict) and param.multiple:
        sign = ":" if _key(param) == "bot-limits" else "="
        return [f"{name}{sign}{each}" for name, each in value.items()]
    return value


def _key(param: click.Parameter) -> str:
    """Return what a file calls an option."""
    return max(param.opts, key=len, default="").lstrip("-")


def _refuse_in_file(ctx: click.Context, param: click.Parameter | None, text: str) -> None:
    """Raise `ConfigError` if the value of the option was read from the file."""
    if FILE in ctx.meta and param and param.name:
        source = ctx.get_parameter_source(param.name)
        if source is ParameterSource.DEFAULT_MAP:
            _refuse(ctx.meta[FILE], f"{_key(param)}: {text}")


def _refuse(path: Path, text: str) -> NoReturn:
    raise ConfigError(f"{path}: {text}", str(path)) from None
