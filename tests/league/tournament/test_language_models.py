"""Tournaments of language models through the real runner: faults, books, budgets, and resuming."""

import html
import json
import os
import re
import shutil
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from league.api.league import League
from league.hosting.store.seen import SeenStore
from league.model.errors import CheckError, SetupError, StoppedError
from league.model.model_calls import CallFault, ModelCall
from league.model.records import MatchRecord, Termination
from league.store.store import open_store
from league.store.tables import LLM_CALL
from league.tournament.planner import Planner
from league.tournament.progress import Progress
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from league.tournament.settings import read_settings
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
FEW = ("--workers", "2", "-q")
AT_ONCE = (("Retry-After", "0"),)


def by_model(models: Mapping[str, Model]) -> Model:
    """Answer as the model of that name; all others play."""
    return lambda asked: models.get(asked.model, plays)(asked)


def run_of(*names: str) -> tuple[str, ...]:
    """Return the command that plays a tournament of these bots."""
    return ("run", "--bots", ",".join(names), *RULES)


def db_of(folder: Path) -> str:
    """Return the database of a folder."""
    return str(folder / "league.db")


def register(db: str, provided: Provided, *names: str, **options: object) -> None:
    """Register models of a provider, with prices."""
    given = {"url": provided.url, **PRICES}
    given |= {name.replace("_", "-"): str(value) for name, value in options.items()}
    with League(db) as opened:
        for name in names:
            opened.register(name, f"llm:{name}", options=given)


def calls_of(db: str) -> list[ModelCall]:
    """Return all calls of the first tournament's matches that count."""
    with open_store(db, read_only=True) as store:
        rows = [store.matches.get(match)[0] for match in store.matches.numbers()]
        return [call for row in rows for call in store.calls.of_match(1, row.key)]


def records_of(db: str) -> list[MatchRecord]:
    """Return all matches, in order."""
    with open_store(db, read_only=True) as store:
        return [store.matches.get(match)[1] for match in store.matches.numbers()]


def faults_in(db: str) -> Counter[str]:
    """Count all calls in the books by their faults, '' for moves."""
    with open_store(db, read_only=True) as store, store.reading() as rows:
        return Counter(row.fault for row in rows.execute(LLM_CALL.select()))


def has_calls(db: str, least: int) -> bool:
    """Whether so many calls are in the books."""
    return faults_in(db).total() >= least


@dataclass(frozen=True)
class Played:
    """A league whose one tournament is over: `one` and `two` met twice; their provider runs."""

    folder: Path
    provided: Provided

    @property
    def db(self) -> str:
        """The database."""
        return db_of(self.folder)

    def copied_to(self, folder: Path) -> "Played":
        """Return a copy, to be changed."""
        shutil.copy(self.db, folder)
        return Played(folder, self.provided)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Play the league that no test changes."""
    folder = tmp_path_factory.mktemp("played")
    with providing() as provided:
        register(db_of(folder), provided, "one", "two")
        league(folder, *run_of("one", "two"), *FEW)
        yield Played(folder, provided)


FAULTS: dict[CallFault, Said] = {
    CallFault.ILLEGAL: move("z9"),
    CallFault.UNREADABLE: Said("The best move is b2."),
    CallFault.CUT_OFF: Said('{"move": "b', finish="length"),
    CallFault.EMPTY: Said(""),
    CallFault.REFUSED: Said(None, refusal="I can't help with that."),
}


def test_faults_are_counted_and_books_add_up(tmp_path: Path, target: str) -> None:
    wrong = cycle(FAULTS.values())

    def cycles(asked: Asked) -> Said:
        """Give a wrong answer of each kind in turn, then play."""
        return plays(asked) if asked.is_correction else next(wrong)

    models = {"odd": cycles, "never": lambda _: move("z9")}
    with providing(by_model(models)) as provided:
        register(target, provided, "odd", "never", "good")
        league(tmp_path, *run_of("odd", "never", "good"), *FEW, "--db", target)
    calls, records = calls_of(target), records_of(target)
    assert len(records) == 6
    lost = [record for record in records if record.termination is Termination.ILLEGAL_MOVE]
    assert len(lost) == 4
    assert all("3 calls: illegal, illegal, illegal" in record.detail for record in lost)
    # To the token, and to the call.
    assert len(calls) == len(provided.asked) == faults_in(target).total()
    names = ("tokens_in", "tokens_out", "tokens_cached")
    sums = [sum(getattr(call, name) for call in calls) for name in names]
    assert sums == [provided.paid[name] for name in ("in", "out", "cached")]
    fresh = sums[0] - sums[2]
    cost = sum(call.cost or 0 for call in calls)
    assert cost == pytest.approx((fresh * 3 + sums[1] * 15 + sums[2] * 0.3) / 1e6)
    found = Counter(call.fault for call in calls if call.model == "odd")
    assert set(found) == {*FAULTS, None}


def test_a_late_model_loses_on_time_at_an_unknown_cost(tmp_path: Path) -> None:
    models = {"slow": lambda asked: Said(wait_s=1e4)}
    db = db_of(tmp_path)
    with providing(by_model(models)) as provided:
        register(db, provided, "slow", "good")
        league(tmp_path, *run_of("slow", "good"), *FEW, "--move-time", "200ms")
    assert [record.termination for record in records_of(db)] == [Termination.TIME_FORFEIT] * 2
    assert {call.fault for call in calls_of(db) if not call.answer} == {CallFault.LATE}
    with League(db) as opened:
        costs = opened.model_costs()
    rows = {row.bot: row for row in costs.value}
    assert (rows["slow"].faults, rows["slow"].uncounted) == ({"late": 2}, 2)
    assert (rows["slow"].cost, rows["good"].uncounted) == (None, 0)
    assert "slow: 2 calls of unknown cost, in no sum" in str(costs)


def test_a_late_call_is_shown_at_the_move_that_never_came(tmp_path: Path) -> None:
    models = {"slow": lambda asked: Said(wait_s=1e4)}
    with providing(by_model(models)) as provided:
        register(db_of(tmp_path), provided, "good", "slow")
        league(tmp_path, *run_of("good", "slow"), *FEW, "--move-time", "200ms")
    calls = [call for call in calls_of(db_of(tmp_path)) if call.fault is CallFault.LATE]
    for match, call in enumerate(calls, 1):
        head = f"ply {call.ply + 1}: no move"
        text = league(tmp_path, "replay", f"{match}", "--ply", f"{call.ply}", "--plain")
        page = html.unescape(league(tmp_path, "export", "--match", f"{match}", "--as", "html"))
        assert text.index(head) < text.index("call 1: late")
        assert re.search(rf"<summary>{head}</summary>\s*<pre[^>]*>call 1: late", page)
    assert len(calls) == 2


def test_means_without_calls_of_unknown_cost_are_marked(tmp_path: Path) -> None:
    db, unread = db_of(tmp_path), Said(body=b'{"choices": []}')

    def spoils(asked: Asked) -> Said:
        is_first = sum(each.model == asked.model for each in provided.asked) == 1
        return unread if is_first else plays(asked)

    with providing(by_model({"sloppy": spoils})) as provided:
        register(db, provided, "sloppy", "good")
        league(tmp_path, *run_of("sloppy", "good"), *FEW)
    with League(db) as opened:
        costs, table = opened.model_costs(), opened.standings("tictactoe")
    rows = {row.bot: row for row in costs.value}
    assert (rows["sloppy"].uncounted, rows["sloppy"].provider_errors) == (1, 1)
    assert rows["good"].uncounted == 0
    shown = {line.split()[0]: line for line in str(costs).splitlines() if line}
    assert shown["sloppy"].count("≥") == 4
    assert "≥" not in shown["good"]
    lines = {line.split()[1]: line for line in str(table).splitlines() if "%" in line}
    assert lines["sloppy"].count("≥") == 2
    assert "≥" not in lines["good"]
    assert "≥ stands before means without 1 call of a model of unknown cost" in str(table)


def test_a_model_needs_time_for_its_calls(tmp_path: Path) -> None:
    db = db_of(tmp_path)
    with League(db) as opened:
        options = {"url": "http://localhost:1/v1"}
        opened.register("one", "llm:one", options=options, check=False)
        opened.register("two", "random", check=False)

        def warnings(**settings: Any) -> list[str]:
            spec = read_settings({"game": "tictactoe", "bots": "one,two", **settings})
            return [line for line in opened.create(spec).remarks(spec) if "language model" in line]

        for settings in ({}, {"bot-limits": ["two:depth=3"]}, {"move-time": "100ms"}):
            with pytest.raises(SetupError, match="'one' is a language model"):
                warnings(**settings)
        assert not opened.tournaments()
        told = "warning: language model 'one' has about {} a move: a call that is late costs money"
        (line,) = warnings(**{"move-time": "2s"})
        assert line.startswith(told.format("2s"))
        (line,) = warnings(time="50+1")
        assert line.startswith(told.format("3s"))
        for limits in ({"move-time": "2m"}, {"depth": 3}, {"bot-limits": ["one:move-time=2m"]}):
            assert not warnings(**limits)


FAILURES = {
    "rate limit": Said(status=429, headers=AT_ONCE),
    "overload": Said(status=529, headers=AT_ONCE),
    "nobody": Said(body=None),
    "no protocol": Said(body=b"<html>busy</html>"),
    "wrong key": Said(status=401, body=b'{"error": {"message": "Who are you?"}}'),
    "no credit": Said(status=402),
    "forbidden": Said(status=403),
}


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(each, marks=() if each == "wrong key" else pytest.mark.slow)
        for each in FAILURES
    ],
)
def test_a_failing_provider_stops_the_tournament_until_it_is_back(
    tmp_path: Path, failure: str
) -> None:
    is_back = False

    def fails(asked: Asked) -> Said:
        return plays(asked) if is_back or len(provided.asked) < 6 else FAILURES[failure]

    db = db_of(tmp_path)
    with providing(fails) as provided:
        register(db, provided, "one", "two", "three", patience="0.2")
        out, err = both(tmp_path, *run_of("one", "two", "three"), *FEW, "--json", code=1)
        place = re.escape(provided.url)
        words = r" \(Who are you\?\)" if failure == "wrong key" else ""
        assert out == ""
        assert re.fullmatch(
            rf"stopped after \d/6 matches: the provider of bot '\w+' at {place} "
            rf"(answered .*|closed .*){words}; continue with:\n  league resume 1\n",
            err,
        )
        before = records_of(db)
        assert len(before) < 6
        is_back = True
        league(tmp_path, "resume", "-q")
    records = records_of(db)
    assert records[: len(before)] == before
    assert len(records) == 6
    assert not any(record.termination.is_fault for record in records)


def test_a_short_failure_is_waited_for(tmp_path: Path) -> None:
    with providing(fails_then_plays(FAILURES["rate limit"], 1)) as provided:
        register(db_of(tmp_path), provided, "one", "two")
        league(tmp_path, *run_of("one", "two"), *FEW)
    records = records_of(db_of(tmp_path))
    assert [record.termination for record in records] == [Termination.RULES] * 2
    found = Counter(call.fault for call in calls_of(db_of(tmp_path)))
    assert found[CallFault.PROVIDER] == found[None] > 0


@pytest.mark.slow
def test_a_wait_of_seconds_is_told(tmp_path: Path) -> None:
    waits = Said(status=429, headers=(("Retry-After", "3"),))
    with providing(lambda asked: plays(asked) if len(provided.asked) > 1 else waits) as provided:
        register(db_of(tmp_path), provided, "one", "two")
        told = both(tmp_path, *run_of("one", "two"), "--workers", "1", "-q")[1]
    assert re.fullmatch(
        rf"waiting for 3 s: the provider of bot '\w+' at {re.escape(provided.url)} answered with "
        r"status 429\nplayed 2 matches in .*\n",
        told,
    )


@pytest.mark.parametrize("kills", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_nothing_is_paid_twice_after_a_kill(tmp_path: Path, target: str, kills: int) -> None:
    """The runner dies by `kill -9` again and again, between calls of matches that go on."""

    def slowly(asked: Asked) -> Said:
        said = plays(asked)
        return Said(said.text, wait_s=0.01)

    with providing(slowly) as provided:
        register(target, provided, "one", "two", "three")
        arguments = run_of("one", "two", "three")
        for least in range(5, 5 + 6 * kills, 6):
            run = start(tmp_path, *arguments, *FEW, "--db", target)
            wait_until(partial(has_calls, target, least))
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
            arguments = ("resume",)
            wait_until(lambda: not provided.open_now)
        league(tmp_path, "resume", *FEW, "--db", target)
    # Only answers that were under way at a kill are asked again: one of each worker.
    found = faults_in(target)
    assert set(found) <= {"", "unanswered"}
    assert found["unanswered"] <= 2 * kills
    # A call is noted just before it is sent.
    assert found.total() - found["unanswered"] <= len(provided.asked) <= found.total()
    assert len(records_of(target)) == 6
    calls = calls_of(target)
    assert len(calls) == found.total()
    # Their digests have the seed of the match, too.
    moves = [call for call in calls if call.fault is None]
    assert len({(call.digest, call.attempt) for call in moves}) == len(moves)
    assert {call.prompt for call in moves} == {each.prompt for each in provided.asked}


def test_an_interrupt_waits_for_the_answers_that_are_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The answers come long after all else has ended.
    monkeypatch.setattr("league.tournament.runner.STOP_WAIT_S", 0.02)
    go_on, told = threading.Event(), list[str]()
    answers = threading.Timer(0.2, go_on.set)

    def holds(asked: Asked) -> Said:
        go_on.wait()
        return plays(asked)

    def interrupt(progress: Progress) -> None:
        if provided.open_now == 2 and not told:
            raise KeyboardInterrupt

    def tell(line: str) -> None:
        told.append(line)
        answers.start()

    with providing(holds) as provided, League(db_of(tmp_path)) as opened:
        register(db_of(tmp_path), provided, "one", "two")
        tournament = opened.create("tictactoe", bots="one,two", move_time="2m")
        options = RunOptions(workers=2, tell=tell)
        with pytest.raises(KeyboardInterrupt):
            tournament.resume(progress=interrupt, options=options)
        assert told == [
            "waiting for 2 answers of language models, which may cost money: press Ctrl-C again to "
            "end at once"
        ]
        assert faults_in(db_of(tmp_path)) == {"": 2}
        tournament.resume(progress=False, options=options)
        # The answers are used, and asked for once.
        assert faults_in(db_of(tmp_path)) == {"": len(provided.asked)}


def test_a_second_interrupt_leaves_calls_whose_cost_is_unknown(tmp_path: Path) -> None:
    go_on = threading.Event()

    def holds(asked: Asked) -> Said:
        go_on.wait()
        return plays(asked)

    with providing(holds) as provided:
        register(db_of(tmp_path), provided, "one", "two")
        run = start(tmp_path, *run_of("one", "two"), *FEW)
        assert run.stderr is not None
        wait_until(lambda: provided.open_now == 2)
        run.send_signal(signal.SIGINT)
        assert any("waiting for 2 answers" in line for line in run.stderr)
        run.send_signal(signal.SIGINT)
        assert "stopped after 0/2 matches; continue with:" in run.communicate()[1]
        go_on.set()
    assert run.returncode == 130
    assert faults_in(db_of(tmp_path)) == {"unanswered": 2}
    with League(db_of(tmp_path)) as opened:
        costs = opened.model_costs()
    assert sum(row.unanswered for row in costs.value) == 2
    assert sum(row.uncounted for row in costs.value) == 2
    assert "1 call without a move: 1 unanswered" in str(costs)


def test_a_call_under_way_is_not_unanswered_yet(tmp_path: Path) -> None:
    go_on, seen = threading.Event(), list[tuple[str, int, int, int]]()

    def holds(asked: Asked) -> Said:
        go_on.wait()
        return plays(asked)

    def look(progress: Progress) -> None:
        if provided.open_now == 2 and not seen:
            costs = opened.model_costs()
            seen.extend(
                (str(costs), row.under_way, row.unanswered, row.uncounted) for row in costs.value
            )
            go_on.set()

    with providing(holds) as provided, League(db_of(tmp_path)) as opened:
        register(db_of(tmp_path), provided, "one", "two")
        tournament = opened.create("tictactoe", bots="one,two", move_time="2m")
        tournament.resume(progress=look, options=RunOptions(workers=2))
    for told, *counts in seen:
        assert counts == [1, 0, 0]
        assert "1 call without a move: 1 under way" in told
    assert len(seen) == 2


def test_unfinished_matches_cost_apart(tmp_path: Path) -> None:
    def stops(asked: Asked) -> Said:
        return Said(status=401) if len(provided.asked) > 3 else plays(asked)

    with providing(stops) as provided:
        register(db_of(tmp_path), provided, "one", "two")
        league(tmp_path, *run_of("one", "two"), "--workers", "1", "-q", code=1)
    with League(db_of(tmp_path)) as opened:
        costs = opened.model_costs()
    for row in costs.value:
        assert (row.matches, row.cost_match) == (0, None)
        assert row.cost_unfinished == row.cost is not None
    assert "unfinished matches cost 0.0" in str(costs)


def test_a_used_up_match_is_a_sound_loss_and_no_slowness(tmp_path: Path) -> None:
    db = db_of(tmp_path)
    with providing() as provided:
        register(db, provided, "few", max_calls=1)
        register(db, provided, "cheap", max_cost=1e-9)
        league(tmp_path, *run_of("few", "cheap"), *FEW)
    assert {record.termination for record in records_of(db)} == {Termination.TIME_FORFEIT}
    with League(db) as opened:
        assert opened.verify().value == []
    told = league(tmp_path, "why", "1")
    page = html.unescape(league(tmp_path, "export", "--match", "1", "--as", "html"))
    for shown in (told, page):
        assert re.search(
            r"lost( at ply \d)?: it has used up its max-(calls|cost) of \S+ for", shown
        )
        assert "ran out of time" not in shown


def test_a_budget_stops_the_tournament_until_it_is_raised(tmp_path: Path) -> None:
    db = db_of(tmp_path)
    with providing() as provided:
        register(db, provided, "one", budget="0.004")
        register(db, provided, "two")
        _, told = both(tmp_path, *run_of("one", "two"), "--workers", "1", "-q", code=1)
        asked = Counter(each.model for each in provided.asked)
        advice = re.fullmatch(
            r"stopped after \d/2 matches: bot 'one' has used up its budget of 0.004; "
            r"continue with:\n  league (resume 1 --bot-budget one=(0.0\d+))\n",
            told,
        )
        assert advice is not None
        assert "used up its budget" in "".join(both(tmp_path, "resume", "-q", code=1))
        assert Counter(each.model for each in provided.asked)["one"] == asked["one"]
        spent = sum(3 * usage_of(each, plays(each))[0] / 1e6 for each in provided.asked)
        assert spent < 0.04
        league(tmp_path, *advice[1].split(), "-q")
    with League(db) as opened:
        tournament = opened.tournament(1)
        assert tournament.is_finished
        assert tournament.row.config.bot_budgets == ((1, float(advice[2])),)
    # No answer was paid twice for the budgets.
    assert faults_in(db) == {"": len(provided.asked)}


@pytest.mark.parametrize(
    ("body", "reason", "can_go_on"),
    [
        (
            {"choices": [{"message": {"content": '{"move": "b2"}'}}]},
            "its provider counts no tokens: register it without budget, max-cost and max-tokens "
            "for a new tournament",
            False,
        ),
        (
            {"choices": []},
            "nobody knows the cost of a call: its provider answered with a body that is not of its "
            "protocol",
            True,
        ),
    ],
)
def test_a_budget_that_can_not_be_kept_stops_the_tournament(
    tmp_path: Path, body: object, reason: str, *, can_go_on: bool
) -> None:
    with providing(lambda _: Said(body=json.dumps(body).encode())) as provided:
        register(db_of(tmp_path), provided, "one", budget=1)
        league(tmp_path, "register", "lucky", "random")
        _, told = both(tmp_path, *run_of("one", "lucky"), "--workers", "1", "-q", code=1)
    assert f"bot 'one' has a budget, but {reason}" in told
    assert ("league resume" in told) is can_go_on
    with League(db_of(tmp_path)) as opened:
        (row,) = opened.model_costs().value
        assert (row.calls, row.uncounted) == (1, 1)
        assert reason in (opened.tournament(1).row.stop_reason or "")


def test_a_used_up_budget_is_told_to_scripts(played: Played, tmp_path: Path) -> None:
    db = played.copied_to(tmp_path).db
    with League(db) as opened:
        tournament = opened.create("tictactoe", bots="one,two", seed=6, move_time="2m")
        tournament.set_budgets({"two": 1e-9})
        with pytest.raises(StoppedError) as caught:
            tournament.resume(progress=False, options=RunOptions(workers=1))
    assert caught.value.reason == "bot 'two' has used up its budget of 1e-09"
    assert re.fullmatch(r" --bot-budget two=0.\d+", caught.value.options)
    words = f"{caught.value.reason}: 'league resume 2{caught.value.options}' continues"
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("bot", "money", "reason"),
    [
        ("tow", 1.0, "bot 'tow' is not in tournament 2 (did you mean 'two'?)"),
        ("lucky", 1.0, "bot 'lucky' is no language model: it has no budget"),
        ("free", 1.0, "bot 'free': a budget in money needs price-in and price-out"),
        ("two", 0.0, "bot 'two' has spent 0 in tournament 2: give more than that, not 0"),
    ],
)
def test_a_budget_that_can_not_be_is_refused(
    played: Played, tmp_path: Path, bot: str, money: float, reason: str
) -> None:
    with League(played.copied_to(tmp_path).db) as opened:
        opened.register("lucky", "random", check=False)
        opened.register("free", "llm:free", options={"url": played.provided.url})
        tournament = opened.create("tictactoe", bots="two,lucky,free", move_time="2m")
        with pytest.raises(SetupError, match=f"^{re.escape(reason)}$"):
            tournament.set_budgets({"two": 5.0, bot: money})
        assert tournament.row.config.bot_budgets == ()


def test_a_budget_stays_while_others_play(played: Played, tmp_path: Path) -> None:
    with League(played.copied_to(tmp_path).db) as opened:
        with pytest.raises(SetupError, match="tournament 1 is finished"):
            opened.tournament(1).set_budgets({"one": 5.0})
        tournament = opened.create("tictactoe", bots="one,two", move_time="2m")
        with (
            opened.store.tournaments.runner_lock(tournament.number),
            pytest.raises(SetupError, match="is in play: pause it"),
        ):
            tournament.set_budgets({"one": 5.0})


@pytest.mark.parametrize("word", ["one", "=5", "one=", "one=-1", "one=inf", "one=nan"])
def test_a_word_that_is_no_budget_is_wrong_usage(played: Played, word: str) -> None:
    told = league(played.folder, "resume", "1", "--bot-budget", word, code=2)
    assert "is not a budget: write NAME=5, in its money" in told


def test_void_matches_are_asked_again_and_cost_apart(played: Played, tmp_path: Path) -> None:
    db, asked = played.copied_to(tmp_path).db, len(played.provided.asked)
    paid = {call.version: 0.0 for call in calls_of(db)}
    for call in calls_of(db):
        paid[call.version] += call.cost or 0
    league(tmp_path, "void", "1", "--reason", "test", "--yes")
    with League(db) as opened:
        costs = opened.model_costs()
    for row in costs.value:
        assert (row.matches, row.cost_match, row.cost_unfinished) == (0, None, None)
        assert row.cost == row.cost_void == pytest.approx(paid[row.total.version])
    assert "void matches cost 0.0" in str(costs)
    league(tmp_path, "resume", "1", *FEW)
    assert asked < len(played.provided.asked)
    assert faults_in(db).total() == 2 * len(calls_of(db))
    with League(db) as opened:
        for row in opened.model_costs().value:
            mine = [call.cost or 0 for call in calls_of(db) if call.version == row.total.version]
            assert row.matches == 2
            assert row.cost_match == pytest.approx(sum(mine) / 2)
            assert row.cost == pytest.approx(sum(mine) + paid[row.total.version])


def test_a_cluster_is_refused(played: Played) -> None:
    options = RunOptions(executor="dask://127.0.0.1:1")
    with (
        open_store(played.db) as store,
        pytest.raises(SetupError, match="language models play on this machine alone"),
    ):
        run_tournament(store, 1, options)


def test_costs_are_shown(tmp_path: Path) -> None:
    models = {"odd": first_then_plays(move("z9"))}
    db = db_of(tmp_path)
    with providing(by_model(models)) as provided:
        register(db, provided, "odd")
        league(tmp_path, "register", "lucky", "random")
        league(tmp_path, *run_of("odd", "lucky"), *FEW)
    calls = calls_of(db)
    cost, tokens = sum(call.cost or 0 for call in calls), sum(call.tokens for call in calls)
    moves = len(calls) // 2
    (row,) = json.loads(league(tmp_path, "stats", "cost", "--json"))
    assert (row["bot"], row["matches"], row["calls"], row["moves"]) == ("odd", 2, 2 * moves, moves)
    assert row["cost"] == pytest.approx(cost)
    assert row["tokens_in"] + row["tokens_out"] == tokens
    assert row["faults"] == {"illegal": moves}
    told = league(tmp_path, "stats", "cost")
    assert f"odd: {moves} calls without a move: {moves} illegal" in told
    assert "unknown cost" not in told
    (table,) = json.loads(league(tmp_path, "standings", "--json"))
    shown = {each["bot"]: (each["match_cost"], each["move_tokens"]) for each in table["standings"]}
    assert shown["lucky"] == (None, None)
    assert shown["odd"] == (pytest.approx(cost / 2), pytest.approx(tokens / moves))
    assert "tokens/move" in league(tmp_path, "standings")


def test_a_replay_shows_prompts_and_answers(played: Played) -> None:
    found = json.loads(league(played.folder, "replay", "1", "--json"))
    moved = [ply for ply in found["plies"] if ply["seat"] is not None and not ply["is_opening"]]
    for ply in moved:
        (call,) = ply["calls"]
        assert json.loads(call["answer"]) == {"move": ply["move"]}
    last = moved[-1]["calls"][0]
    text = league(played.folder, "replay", "1", "--ply", str(moved[-1]["ply"]), "--plain")
    page = html.unescape(league(played.folder, "export", "--match", "1", "--as", "html"))
    for shown in (text, page):
        assert last["answer"] in shown
        assert all(line in shown for line in last["prompt"].splitlines())


def test_a_missing_key_is_told_in_one_line(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = played.copied_to(tmp_path).db
    with monkeypatch.context() as patch:
        patch.setenv("NO_SUCH_KEY", KEY)
        register(db, played.provided, "locked", key_env="NO_SUCH_KEY")
    reason = "bot 'locked': environment variable 'NO_SUCH_KEY' has no key"
    with (
        League(db) as opened,
        pytest.raises(CheckError, match=f"^{reason}$"),
        opened.play("tictactoe", "locked"),
    ):
        raise AssertionError("no match begins")
    told = league(tmp_path, *run_of("locked", "one"), *FEW, code=1)
    assert told == f"league: some bots can't play, so no tournament was stored:\n  {reason}\n"
    with League(db) as opened:
        assert len(opened.tournaments()) == 1


def test_a_view_of_another_team_has_no_prompts(played: Played) -> None:
    with open_store(played.db) as store:
        mine, key = store.bots.get("one"), store.matches.get(1)[0].key
        (own,) = [version.id for version in mine.versions]
        seen = SeenStore(store, own=[mine.id]).calls.of_match(1, key)
        assert {call.version for call in seen} == {own}
        assert not SeenStore(store).calls.of_match(1, key)


def test_a_view_has_no_budgets_and_no_words_of_providers(played: Played, tmp_path: Path) -> None:
    with League(played.copied_to(tmp_path).db) as opened:
        tournament = opened.create("tictactoe", bots="one,two", move_time="2m").set_budgets(
            {"one": 5.0}
        )
        store = opened.store
        store.tournaments.stop(tournament.number, "the provider says: account 7 has no credit")
        row = SeenStore(store).tournaments.get(tournament.number)
    assert (row.stop_reason, row.config.bot_budgets) == ("the organisers see why", ())


def test_a_bot_that_is_forgotten_leaves_no_texts(played: Played, tmp_path: Path) -> None:
    with open_store(played.copied_to(tmp_path).db) as store:
        bot, key = store.bots.get("one"), store.matches.get(1)[0].key
        (own,) = [version.id for version in bot.versions]
        store.bots.forget(bot, "somebody")
        calls = store.calls.of_match(1, key)
    assert {bool(call.prompt or call.answer) for call in calls if call.version == own} == {False}
    assert all(call.prompt and call.answer for call in calls if call.version != own)


def test_models_take_no_core(played: Played, tmp_path: Path) -> None:
    with League(played.copied_to(tmp_path).db) as opened:
        opened.register("lucky", "random", check=False)
        mixed = opened.create("tictactoe", bots="one,lucky", move_time="2m").number
        assert [Planner(opened.store, number).cores_each for number in (1, mixed)] == [0, 1]
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

    key = tmp_path / "key"
    key.touch(mode=0o600)
    key.write_text(KEY)
    shown: list[str] = []
    with providing(tells) as provided:
        register(db_of(tmp_path), provided, "one", "two", key_file=key)
        shown += both(tmp_path, *run_of("one", "two"), "--workers", "2", "--log-file", "all.log")
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
