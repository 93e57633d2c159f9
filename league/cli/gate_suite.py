"""The file of a gate's opponents."""

from pathlib import Path
from typing import Any, NamedTuple

from league.cli.settings_options import PATHS, from_folder, read_config
from league.model.errors import ConfigError
from league.tournament.gate_tests import SETTING_WORDS, TEST_WORDS

OPPONENT = "opponent"
"""The name of the tables, one for each opponent."""

_HEAD = (*TEST_WORDS, *SETTING_WORDS, "max-minutes")


class Suite(NamedTuple):
    """The opponents of a file with what differs, and the settings of all of them by word."""

    head: dict[str, Any]
    opponents: tuple[dict[str, Any], ...]


def read_suite(path: Path) -> Suite:
    """Read a file, whose settings that name files are meant from its folder.

    Specs of opponents are meant from the current one, as on the command line. Raises `ConfigError`
    for a file that is no suite.
    """
    head = read_config(path, dict.fromkeys((*_HEAD, OPPONENT)))
    tables = head.pop(OPPONENT, [])
    if not isinstance(tables, list) or not tables or not all(isinstance(x, dict) for x in tables):
        raise ConfigError(f"{path}: write a table [[{OPPONENT}]] for each opponent", str(path))
    for table in tables:
        for word in PATHS & table.keys():
            table[word] = from_folder(str(table[word]), path.parent)
    return Suite(head, tuple(tables))
