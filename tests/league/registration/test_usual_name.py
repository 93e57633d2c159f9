"""The names of bots that nobody gave one."""

import pytest

from league.model.errors import SpecError
from league.registration.usual_name import usual_name


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("new.py", "new"),
        ("bots/new.py:MyBot", "new"),
        ("main/bot.py", "main"),
        ("main/main.py:Bot", "main"),
        ("bot.py", "bot"),
        ("main", "main"),
        ("main/", "main"),
        ("old.zip", "old"),
        ("uci:./engine --fast", "engine"),
        ("exec:main/engine.sh", "engine"),
        ("alphabeta:depth=4", "alphabeta"),
    ],
)
def test_a_bot_is_named_as_its_file_or_program(spec: str, name: str) -> None:
    assert usual_name(spec) == name


@pytest.mark.parametrize("spec", ["https://example.org/bot", "llm:gpt", "uci:"])
def test_a_spec_may_say_no_name(spec: str) -> None:
    with pytest.raises(SpecError):
        usual_name(spec)
