"""Config files: the options of a command by their names, in TOML, and what was asked for before."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from games.support.errors import suggestion
from league.model.errors import ConfigError, SetupError

LEFT_OUT = frozenset({"help", "again", "config", "save", "json", "quiet"})
"""Options that are about one call of the command, and stand in no file."""

PATHS = frozenset({"openings", "tablebases", "log-file", "db"})
"""Options that name files: in a config file they are meant from the folder it lies in."""


class ConfiguredCommand(click.Command):
    """A command whose options may come from a file, the argument `config`, or from `--again`.

    What is given on the command line comes before both, and a file before `--again`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the file, and what was asked for before, as defaults of the options."""
        given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        file, again = given.get("config"), given.get("again")
        found: dict[str, Any] = {}
        if again is not None and str(again).isdigit():
            found = self._again(int(again), self._db(given))
        if isinstance(file, str):
            found |= read_config(Path(file), self._names())
        params = {param.name: param for param in self.params}
        ctx.default_map = {
            name: _value(params[name], found[key])
            for key, name in self._names().items()
            if key in found
        }
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            name = error.param.name if error.param else None
            if file and name and ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP:
                _refuse(Path(str(file)), f"{_key(error.param)}: {error.message}")
            raise

    def _names(self) -> dict[str, str]:
        """Return the parameters that a file may set, by the names it has for them."""
        return {
            _key(param): param.name
            for param in self.params
            if isinstance(param, click.Option) and param.name and _key(param) not in LEFT_OUT
        }

    def _db(self, given: Mapping[str, Any]) -> str:
        option = next(param for param in self.params if param.name == "db")
        return str(
            given.get("db") or option.value_from_envvar(click.Context(self)) or option.default
        )

    def _again(self, tournament: int, db: str) -> dict[str, Any]:
        from league.store.store import open_store
        from league.tournament.config_file import settings_of

        with open_store(db, read_only=True) as store:
            row = store.tournament(tournament)
            if row.config.is_imported:
                raise SetupError(
                    f"tournament {tournament} was imported from a file: it can't be held again"
                )
            return settings_of(store, row)


def read_config(path: Path, known: Iterable[str]) -> dict[str, Any]:
    """Return the settings of a file by name; raise `ConfigError` for others than are `known`."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        _refuse(path, str(error.strerror))
    except UnicodeDecodeError:
        _refuse(path, "it is not UTF-8 text")
    except tomllib.TOMLDecodeError as error:
        _refuse(path, str(error))
    names = list(known)
    for key, value in found.items():
        if key not in names:
            _refuse(path, f"unknown setting {key!r}{suggestion(key, names)}")
        if key in PATHS:
            found[key] = _from_folder(str(value), path.parent)
    return found


def write_config(path: Path, settings: Mapping[str, Any]) -> None:
    """Write settings so that `read_config` reads the same; raise `ConfigError` where it can't."""
    import tomli_w

    try:
        path.write_text(tomli_w.dumps(settings), encoding="utf-8")
    except OSError as error:
        _refuse(path, f"can't be written: {error.strerror}")


def _value(param: click.Parameter, value: Any) -> Any:
    """Return what the command line would have: a list, or a table of NAME = VALUE, in one word."""
    if isinstance(value, dict):
        value = [f"{name}={each}" for name, each in value.items()]
    if isinstance(value, list) and not param.multiple:
        return ",".join(map(str, value))
    return value


def _from_folder(value: str, folder: Path) -> str:
    from league.tournament.create import OF_TOURNAMENT

    if "://" in value or value.startswith(OF_TOURNAMENT):
        return value
    return ":".join(str(folder / part) for part in value.split(":"))


def _key(param: click.Parameter | None) -> str:
    """Return what a file calls an option."""
    names = param.opts if param else []
    return max(names, key=len, default="").lstrip("-")


def _refuse(path: Path, text: str) -> NoReturn:
    raise ConfigError(f"{path}: {text}", str(path)) from None
