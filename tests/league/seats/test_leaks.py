"""What a bot of a game with secrets finds out while its match runs, wherever it searches."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from league.execution.local_pool import LocalPool
from league.execution.pool import Pool
from league.execution.run_log import run_log
from league.model.records import Limits, Termination
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.seats.process.environment import BotEnvironment
from league.seats.process.isolation import why_no_sandbox
from league.seats.process.namespace import why_no_namespace
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.bad_bots.spies.published import SCRATCH, league_files, pages
from tests.league.seats.hostile_bots import LIMITS, NAMESPACE, SANDBOX, Level
from tests.league.seats.leaks import LEAKS, LEVELS, Leak, table
from tests.league.web.serving import served
from tests.paths import BAD_BOTS, DOCS, ROOT
from tests.processes import is_tracing_restricted
from tests.promises import on_linux
from tests.waiting import ENDLESS_S

SPIES = BAD_BOTS / "spies"
GAME = str(SPIES / "tokens.py")

MISSING = {NAMESPACE: why_no_namespace(), SANDBOX: why_no_sandbox()}
"""Why a level can't be tried here, '' if it can."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What a spy has found: by each search, of the two `tokens` its `own` and the `other` one."""

    own: str
    other: str
    found: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Round:
    """All that the spies have found at a level, and what is published when all is over."""

    level: Level
    watched: tuple[Watched, ...]
    published: dict[str, bytes]


@pytest.fixture(scope="module")
def spied(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Round]:
    """Let two spies play at a level, in a league that is served meanwhile."""
    level: Level = request.param
    if reason := MISSING.get(level):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("spied-on")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("PYTHONPATH", str(ROOT))
        with open_store(str(folder / "league.db"), create=True) as store, served(folder) as link:
            try:
                _play(store, folder, link, level)
            finally:
                for path in Path("/dev/shm").glob(f"{folder.name}-*"):  # noqa: S108
                    path.unlink()
            searches = {"league_files": league_files(folder), "pages": pages(link)}
            published = {name: b"".join(search) for name, search in searches.items()}
            yield Round(level, tuple(_watched(store)), published)


def _play(store: Store, folder: Path, link: str, level: Level) -> None:
    """Let two spies play an encounter as `league run` does, in namespaces if the level has them."""
    options = {"folder": str(folder), "link": link}
    for name in ("one", "other"):
        register(
            store, name, str(SPIES / "spy.py"), options=options, games=[GAME], is_checked=False
        )
    limits = Limits(
        move_s=ENDLESS_S, start_s=ENDLESS_S, isolation=level.isolation, is_restarted=True
    )
    spec = TournamentSpec(game=GAME, bots=["one", "other"], rounds=1, limits=limits)
    tournament = create_tournament(store, spec).id
    (folder / SCRATCH).mkdir()
    environment = replace(
        BotEnvironment.of(store.path, [GAME], folder / SCRATCH),
        allows_namespaces=level is not LIMITS,
    )
    with run_log(folder / "league.log") as log:

        def open_pool(size: int) -> Pool:
            return LocalPool(size, cores_each=0, starts=None, environment=environment, log=log)

        run = RunOptions(workers=1)
        run_tournament(store, tournament, run, run_log=log, open_pool=open_pool)


def _watched(store: Store) -> Iterator[Watched]:
    """Yield what each spy has found in each match."""
    for match in store.matches.records(store.matches.numbers()):
        assert isinstance(match, tuple)
        _, record = match
        assert record.termination is Termination.RULES, record
        tokens = record.notation.split()[:2]
        told = re.findall(r"^found: (.*)", record.log, re.MULTILINE)
        for own, other, line in zip(tokens, tokens[::-1], told, strict=True):
            found = json.loads(line)
            assert list(found) == [leak.name for leak in LEAKS]
            yield Watched(own, other, found)


def _brief(token: str) -> str:
    """Return the name of a token that the spy prints."""
    return hashlib.blake2b(token.encode(), digest_size=4).hexdigest()


@pytest.mark.slow
@on_linux("a bot can look through /proc")
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
@pytest.mark.parametrize("spied", LEVELS, indirect=True)
def test_a_search_finds_the_secret_below_its_level_alone(leak: Leak, spied: Round) -> None:
    if leak.name == "memories" and spied.level is LIMITS and is_tracing_restricted():
        pytest.skip("the kernel lets no process read another that is not its child")
    assert len(spied.watched) == 4
    has_found = [_brief(each.other) in each.found[leak.name] for each in spied.watched]
    assert any(has_found) != spied.level.holds(leak.stopped_at), spied.watched
    # The search is able to find it: it finds what the spy has put there itself.
    own = [_brief(each.own) in each.found[leak.name] for each in spied.watched]
    assert own == [spied.level in leak.finds_own] * 4, spied.watched


@pytest.mark.slow
@on_linux("a bot can look through /proc")
@pytest.mark.parametrize("spied", LEVELS, indirect=True)
def test_all_is_published_when_it_is_over(spied: Round) -> None:
    for name, data in spied.published.items():
        for each in spied.watched:
            assert each.own.encode() in data, name


def test_the_documentation_shows_what_was_tried() -> None:
    text = (DOCS / "explanation" / "isolation.md").read_text()
    assert "\n".join(["", *table(), ""]) in text.partition("## Leaks tried")[2]
