"""Tournaments of language models through the real runner: faults, books, budgets, and resuming."""

import html
import json
import os
import signal
from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import cycle
from pathlib import Path

import pytest

from league.hosting.store.seen import SeenStore
from league.model.errors import SetupError
from league.model.model_calls import CallFault, ModelCall
from league.model.records import MatchRecord, Termination
from league.store.store import open_store
from league.store.tables import LLM_CALL
from league.tournament.planner import Planner
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.league.command import both, league, start
from tests.league.seats.model_server import (
    KEY,
    Asked,
    Model,
    Provided,
    Said,
    fails_then_plays,
    first_then_plays,
    move,
    plays,
    providing,
    usage_of,
)
from tests.waiting import wait_until

PRICES = {"price-in": "3", "price-out": "15", "price-cached": "0.3"}
RULES = ("--game", "tictactoe", "--move-time", "2m", "--rounds", "1", "--seed", "5")
AT_ONCE = (("Retry-After", "0"),)


def by_model(models: Mapping[str, Model]) -> Model:
    """Answer as the model of that name; all others play."""
    return lambda asked: models.get(asked.model, plays)(asked)


def run_of(*names: str) -> tuple[str, ...]:
    """Return the command that plays a tournament of these bots."""
    return ("run", "--bots", ",".join(names), *RULES)


def register(folder: Path, provided: Provided, *names: str, **options: str) -> None:
    """Register models of a provider, whose key is in a file."""
    key = folder / "key"
    key.touch(mode=0o600)
    key.write_text(KEY)
    given = {"url": provided.url, "key-file": "key", **PRICES}
    given |= {name.replace("_", "-"): value for name, value in options.items()}
    words = [word for name, value in given.items() for word in ("--option", f"{name}={value}")]
    for name in names:
        league(folder, "register", name, f"llm:{name}", *words)


def calls_of(folder: Path) -> list[ModelCall]:
    """Return all calls of the first tournament's matches that count."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        rows = [store.matches.get(match)[0] for match in store.matches.numbers()]
        return [call for row in rows for call in store.calls.of_match(1, row.key)]


def records_of(folder: Path) -> list[MatchRecord]:
    """Return all matches, in order."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        return [store.matches.get(match)[1] for match in store.matches.numbers()]


def stored_calls(folder: Path) -> int:
    """Return the number of calls in the books."""
    with open_store(str(folder / "league.db"), read_only=True) as store, store.reading() as rows:
        return len(rows.execute(LLM_CALL.select()).all())


def has_calls(folder: Path, most: int) -> bool:
    """Whether so many calls are in the books."""
    return stored_calls(folder) >= most


FAULTS: dict[CallFault, Said] = {
    CallFault.ILLEGAL: move("z9"),
    CallFault.UNREADABLE: Said("The best move is b2."),
    CallFault.CUT_OFF: Said('{"move": "b', finish="length"),
    CallFault.EMPTY: Said(""),
    CallFault.REFUSED: Said(None, refusal="I can't help with that."),
}


def test_faults_are_counted_and_books_add_up(tmp_path: Path) -> None:
    wrong = cycle(FAULTS.values())

    def cycles(asked: Asked) -> Said:
        """Give a wrong answer of each kind in turn, then play."""
        return plays(asked) if asked.is_correction else next(wrong)

    models = {"odd": cycles, "never": lambda _: move("z9")}
    with providing(by_model(models)) as provided:
        register(tmp_path, provided, "odd", "never", "good")
        league(tmp_path, *run_of("odd", "never", "good"))
    calls, records = calls_of(tmp_path), records_of(tmp_path)
    assert len(records) == 6
    lost = [record for record in records if record.termination is Termination.ILLEGAL_MOVE]
    assert len(lost) == 4
    assert all("3 calls: illegal, illegal, illegal" in record.detail for record in lost)
    # To the token, and to the call.
    assert len(calls) == len(provided.asked) == stored_calls(tmp_path)
    names = ("tokens_in", "tokens_out", "tokens_cached")
    sums = [sum(getattr(call, name) for call in calls) for name in names]
    assert sums == [provided.paid[name] for name in ("in", "out", "cached")]
    fresh = sums[0] - sums[2]
    cost = sum(call.cost or 0 for call in calls)
    assert cost == pytest.approx((fresh * 3 + sums[1] * 15 + sums[2] * 0.3) / 1e6)
    found = Counter(call.fault for call in calls if call.model == "odd")
    assert set(found) == {*FAULTS, None}


def test_a_late_model_loses_on_time(tmp_path: Path) -> None:
    models = {"slow": lambda asked: Said(wait_s=1e4)}
    with providing(by_model(models)) as provided:
        register(tmp_path, provided, "slow", "good")
        league(tmp_path, *run_of("slow", "good"), "--move-time", "300ms")
    assert [record.termination for record in records_of(tmp_path)] == [Termination.TIME_FORFEIT] * 2
    assert {call.fault for call in calls_of(tmp_path) if not call.answer} == {CallFault.LATE}


FAILURES = {
    "rate limit": Said(status=429, headers=AT_ONCE),
    "overload": Said(status=529, headers=AT_ONCE),
    "nobody": Said(body=None),
    "no protocol": Said(body=b"<html>busy</html>"),
    "wrong key": Said(status=401),
    "no credit": Said(status=402),
    "forbidden": Said(status=403),
}


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(each, marks=() if each in ("wrong key", "nobody") else pytest.mark.slow)
        for each in FAILURES
    ],
)
def test_a_failing_provider_stops_the_tournament_until_it_is_back(
    tmp_path: Path, failure: str
) -> None:
    is_back = False

    def fails(asked: Asked) -> Said:
        return plays(asked) if is_back or len(provided.asked) < 6 else FAILURES[failure]

    with providing(fails) as provided:
        register(tmp_path, provided, "one", "two", "three", patience="0.2")
        told = "".join(both(tmp_path, *run_of("one", "two", "three"), "--workers", "1"))
        assert "its provider" in told
        assert "league resume 1" in told
        before = records_of(tmp_path)
        assert len(before) < 6
        is_back = True
        league(tmp_path, "resume", "-q")
    records = records_of(tmp_path)
    assert records[: len(before)] == before
    assert len(records) == 6
    assert not any(record.termination.is_fault for record in records)


def test_a_short_failure_is_waited_for(tmp_path: Path) -> None:
    with providing(fails_then_plays(FAILURES["rate limit"], 1)) as provided:
        register(tmp_path, provided, "one", "two")
        league(tmp_path, *run_of("one", "two"))
    records = records_of(tmp_path)
    assert [record.termination for record in records] == [Termination.RULES] * 2
    found = Counter(call.fault for call in calls_of(tmp_path))
    assert found[CallFault.PROVIDER] == found[None] > 0


def test_nothing_is_paid_twice_after_a_kill(tmp_path: Path) -> None:
    """The runner dies by `kill -9` again and again, between calls of matches that go on."""

    def slowly(asked: Asked) -> Said:
        said = plays(asked)
        return Said(said.text, wait_s=0.01)

    with providing(slowly) as provided:
        register(tmp_path, provided, "one", "two", "three")
        arguments = run_of("one", "two", "three")
        for calls in (3, 11, 19):
            run = start(tmp_path, *arguments, "--workers", "2")
            wait_until(partial(has_calls, tmp_path, calls))
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
            arguments = ("resume", "-q")
            wait_until(lambda: not provided.open_now)
        lost = len(provided.asked) - stored_calls(tmp_path)
        league(tmp_path, "resume", "-q")
        asked, kept = len(provided.asked), stored_calls(tmp_path)
    # Only answers that were under way at a kill are asked again: one of each worker.
    assert asked - kept == lost <= 3 * 2
    assert len(records_of(tmp_path)) == 6
    assert len(calls_of(tmp_path)) == kept
    # Their digests have the seed of the match, too.
    assert len({(call.digest, call.attempt) for call in calls_of(tmp_path)}) == kept
    assert {call.prompt for call in calls_of(tmp_path)} == {each.prompt for each in provided.asked}


def test_a_budget_stops_the_tournament(tmp_path: Path) -> None:
    with providing() as provided:
        register(tmp_path, provided, "one", budget="0.005")
        register(tmp_path, provided, "two")
        told = both(tmp_path, *run_of("one", "two"), "--rounds", "50", "--workers", "1")
        asked = Counter(each.model for each in provided.asked)
        assert "bot 'one' has used up its budget of 0.005" in "".join(told)
        assert "used up" in "".join(both(tmp_path, "resume"))
        assert Counter(each.model for each in provided.asked)["one"] == asked["one"]
    spent = sum(call.cost or 0 for call in calls_of(tmp_path) if call.model == "one")
    dearest = max(3 * usage_of(each, plays(each))[0] / 1e6 for each in provided.asked) * 2
    assert spent < 0.005 + dearest


def test_void_matches_are_asked_again(tmp_path: Path) -> None:
    with providing() as provided:
        register(tmp_path, provided, "one", "two")
        league(tmp_path, *run_of("one", "two"))
        asked = len(provided.asked)
        league(tmp_path, "void", "1", "--reason", "test", "--yes")
        league(tmp_path, "resume", "1", "-q")
    assert asked < len(provided.asked)
    assert stored_calls(tmp_path) == len(provided.asked)
    assert len(calls_of(tmp_path)) < stored_calls(tmp_path)


def test_a_cluster_is_refused(tmp_path: Path) -> None:
    with providing() as provided:
        register(tmp_path, provided, "one", "two")
        league(tmp_path, *run_of("one", "two"))
    options = RunOptions(executor="dask://127.0.0.1:1")
    with (
        open_store(str(tmp_path / "league.db")) as store,
        pytest.raises(SetupError, match="language models play on this machine alone"),
    ):
        run_tournament(store, 1, options)


def test_costs_are_shown(tmp_path: Path) -> None:
    models = {"odd": first_then_plays(move("z9"))}
    with providing(by_model(models)) as provided:
        register(tmp_path, provided, "odd")
        league(tmp_path, "register", "lucky", "random")
        league(tmp_path, *run_of("odd", "lucky"))
    calls = calls_of(tmp_path)
    cost, tokens = sum(call.cost or 0 for call in calls), sum(call.tokens for call in calls)
    moves = len(calls) // 2
    (row,) = json.loads(league(tmp_path, "stats", "cost", "--json"))
    assert (row["bot"], row["matches"], row["calls"], row["moves"]) == ("odd", 2, 2 * moves, moves)
    assert row["cost"] == pytest.approx(cost)
    assert row["tokens_in"] + row["tokens_out"] == tokens
    assert row["faults"] == {"illegal": moves}
    told = league(tmp_path, "stats", "cost")
    assert f"odd: {moves} calls without a move: {moves} illegal" in told
    (table,) = json.loads(league(tmp_path, "standings", "--json"))
    shown = {each["bot"]: (each["match_cost"], each["move_tokens"]) for each in table["standings"]}
    assert shown["lucky"] == (None, None)
    assert shown["odd"] == (pytest.approx(cost / 2), pytest.approx(tokens / moves))
    assert "tokens/move" in league(tmp_path, "standings")


def test_a_replay_shows_prompts_and_answers(tmp_path: Path) -> None:
    with providing() as provided:
        register(tmp_path, provided, "one", "two")
        league(tmp_path, *run_of("one", "two"))
    found = json.loads(league(tmp_path, "replay", "1", "--json"))
    moved = [ply for ply in found["plies"] if ply["seat"] is not None and not ply["is_opening"]]
    for ply in moved:
        (call,) = ply["calls"]
        assert json.loads(call["answer"]) == {"move": ply["move"]}
    last = moved[-1]["calls"][0]
    text = league(tmp_path, "replay", "1", "--ply", str(moved[-1]["ply"]), "--plain")
    page = html.unescape(league(tmp_path, "export", "--match", "1", "--as", "html"))
    for shown in (text, page):
        assert last["answer"] in shown
        assert all(line in shown for line in last["prompt"].splitlines())


def test_a_view_of_another_team_has_no_prompts(tmp_path: Path) -> None:
    with providing() as provided:
        register(tmp_path, provided, "one", "two")
        league(tmp_path, *run_of("one", "two"))
    with open_store(str(tmp_path / "league.db")) as store:
        mine, key = store.bots.get("one"), store.matches.get(1)[0].key
        (own,) = [version.id for version in mine.versions]
        seen = SeenStore(store, own=[mine.id]).calls.of_match(1, key)
        assert {call.version for call in seen} == {own}
        assert not SeenStore(store).calls.of_match(1, key)


def test_a_bot_that_is_forgotten_leaves_no_texts(tmp_path: Path) -> None:
    with providing() as provided:
        register(tmp_path, provided, "one", "two")
        league(tmp_path, *run_of("one", "two"))
    with open_store(str(tmp_path / "league.db")) as store:
        bot, key = store.bots.get("one"), store.matches.get(1)[0].key
        (own,) = [version.id for version in bot.versions]
        store.bots.forget(bot, "somebody")
        calls = store.calls.of_match(1, key)
    assert {bool(call.prompt or call.answer) for call in calls if call.version == own} == {False}
    assert all(call.prompt and call.answer for call in calls if call.version != own)


def test_models_take_no_core(tmp_path: Path) -> None:
    with providing() as provided:
        register(tmp_path, provided, "one", "two")
        league(tmp_path, "register", "lucky", "random")
        league(tmp_path, *run_of("one", "two"))
        league(tmp_path, *run_of("one", "lucky"))
    with open_store(str(tmp_path / "league.db")) as store:
        assert [Planner(store, number).cores_each for number in (1, 2)] == [0, 1]
    assert RunOptions().workers_wanted(0) == 8
    assert RunOptions(workers=3).workers_wanted(0) == 3


def test_the_key_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def tells(asked: Asked) -> Said:
        """Send the key back in answers and errors."""
        assert asked.key == KEY
        if asked.number == 0 and len(asked.prompt) % 3 == 0:
            return Said(f"Your key is {asked.key}.")
        if asked.number == 0 and len(asked.prompt) % 3 == 1:
            return Said(status=429, body=asked.key.encode(), headers=AT_ONCE)
        return plays(asked)

    shown = []
    with providing(tells) as provided:
        register(tmp_path, provided, "one", "two")
        shown.append(league(tmp_path, *run_of("one", "two"), "--log-file", "all.log"))
    for words in (
        ("replay", "1", "--plain"),
        ("replay", "1", "--json"),
        ("bots", "--json"),
        ("standings", "--json"),
        ("export",),
        ("export", "--match", "1", "--as", "html"),
        ("stats", "cost"),
    ):
        shown.append(league(tmp_path, *words))
    assert not any(KEY in text for text in shown)
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "key"]
    assert tmp_path / "league.db" in files
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
