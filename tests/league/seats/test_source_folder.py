"""The cache of bots' files: bounded, and never removed below a bot that runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.model.bot_files import files_digest
from league.model.records import BotVersion, Limits
from league.seats import source_folder
from league.seats.process.scratch import PREFIX
from league.seats.python.python_seat import PythonSeat
from league.seats.source_folder import cache_folder, empty_cache, forget, lay_out


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    yield
    assert not [each for each in cached() if each.startswith(PREFIX)]


def version(content: str) -> BotVersion:
    """Return a bot with one file."""
    files = {"bot.py": content.encode()}
    return BotVersion("x", "bot.py", files=files, digest=files_digest(files))


def cached() -> set[str]:
    """List the folders of the cache."""
    return {each.name for each in cache_folder().iterdir()}


def test_files_stay_while_somebody_uses_them() -> None:
    bot = version("1")
    one, two = lay_out(bot), lay_out(bot)
    assert one.path == two.path
    for used in (one, two):
        forget(bot)
        empty_cache()
        assert used.path.joinpath("bot.py").read_text() == "1"
        used.close()
    forget(bot)
    assert cached() == set()
    assert lay_out(bot).path.joinpath("bot.py").read_text() == "1"


def test_those_used_longest_ago_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_folder, "CACHE_FOLDERS", 3)
    bots = [version(str(number)) for number in range(5)]
    held = lay_out(bots[0])
    for bot in bots[1:]:
        lay_out(bot).close()
    assert cached() == {bots[each].digest for each in (0, 3, 4)}
    held.close()


def test_the_cache_has_a_bound_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_folder, "CACHE_BYTES", 100_000)
    bots = [version(str(number) * 30_000) for number in range(6)]
    for bot in bots:
        lay_out(bot).close()
    assert bots[-1].digest in cached() <= {each.digest for each in bots[3:]}


def test_what_a_killed_process_left_goes_at_the_next_start() -> None:
    lay_out(version("1")).close()
    # It was killed while it wrote.
    (cache_folder() / f"{PREFIX}half" / "fresh").mkdir(parents=True)
    empty_cache()
    assert cached() == set()


def test_an_empty_cache_is_no_fault(tmp_path: Path) -> None:
    empty_cache()
    forget(version("1"))
    forget(BotVersion("x", "random"))
    cache_folder().mkdir(parents=True)


@pytest.mark.slow
def test_a_bot_that_plays_keeps_its_files() -> None:
    bot = version("def choose(state, clock):\n    return 0\n")
    seat = PythonSeat(bot, Limits())
    seat.start()
    empty_cache()
    assert cached() == {bot.digest}
    seat.stop()
    empty_cache()
    assert cached() == set()
