"""The checker of prose, over pages and the help of commands."""

import click
import pytest

pytest.importorskip("yaml", reason="needs the extra 'dev'")

from tests.league.command_tree import COMMANDS
from tests.prose import findings, main

pytestmark = pytest.mark.extra


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("The lowest-placed bot gets the bye.\n", []),
        ("Who is left over has a bye.\n", [1]),
        ("A bot plays. What is late counts.\nThe end.\n", [1]),
        ("\nWhat is a bot?\n", []),
        ("\n\nThe standings are computed\nafresh.\n", [4]),
        ("```sh\nWho is left over has a bye.\n```\n", []),
        ("`Who is left` is a text.\n", []),
    ],
)
def test_a_clause_as_a_subject_and_odd_words_are_found(text: str, lines: list[int]) -> None:
    assert [line for line, _ in findings(text)] == lines


def test_all_pages_keep_the_rules() -> None:
    assert main() == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_keeps_the_rules(name: str) -> None:
    command = COMMANDS[name]
    context = click.Context(command, info_name=name, max_content_width=1000)
    assert list(findings(command.get_help(context))) == []
