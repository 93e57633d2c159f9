"""Bots that are language models: what they are asked, and how their answers are read."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, formatdate
from pathlib import Path
from typing import Any

import pytest

from games.support.errors import OptionError
from games.support.specs import find_game
from league.match.play import MatchSetup, MatchWaits, play_match
from league.model.errors import SpecError
from league.model.model_calls import CallFault, ModelCall
from league.model.records import BotVersion, Limits, MatchRecord, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_seat import BotSeat
from league.seats.bot_specs import make_seat
from league.seats.language_model.provider_board import ProviderBoard, RunBoard
from league.seats.process.environment import NO_ENVIRONMENT
from league.seats.seat import MoveBudget, SeatFault, SeatUnavailable
from tests.league.seats.model_server import (
    KEY,
    Asked,
    Model,
    Said,
    fails_then_plays,
    first_then_plays,
    move,
    plays,
    providing,
    usage_of,
)
from tests.waiting import ENDLESS_S, wait_until

GAME = find_game("tictactoe")
BUDGET = MoveBudget(move_s=ENDLESS_S)
AT_ONCE = (("Retry-After", "0"),)


class Book:
    """Keeps calls in a list."""

    ply = 0

    def __init__(self) -> None:
        self.calls: list[ModelCall] = []

    def find(self, call: ModelCall) -> ModelCall | None:
        """Find nothing: each call is asked."""
        return None

    def note(self, call: ModelCall) -> int:
        """Keep a call that is about to be sent."""
        assert call.fault is CallFault.UNANSWERED
        self.calls.append(call)
        return len(self.calls) - 1

    def settle(self, number: int, call: ModelCall) -> None:
        """Keep what became of a call."""
        self.calls[number] = call

    def spent(self, version: int) -> float:
        """Sum up the costs."""
        return sum(call.cost or 0.0 for call in self.calls)

    @property
    def faults(self) -> list[CallFault | None]:
        """The fault of each call, in order."""
        return [call.fault for call in self.calls]


def version_of(url: str, **options: object) -> BotVersion:
    """Return a bot of a provider."""
    given = {name.replace("_", "-"): str(value) for name, value in options.items()}
    return take_snapshot("bot", "llm:tiny", {"url": url, **given})


@contextmanager
def seat_of(url: str, book: Book | None = None, **options: object) -> Iterator[BotSeat]:
    """Yield the started seat of a model in a match of tic-tac-toe."""
    environment = replace(NO_ENVIRONMENT, calls=book)
    seat = make_seat(version_of(url, **options), Limits(move_s=ENDLESS_S), environment)
    seat.start()
    seat.new_match(GAME, 0, 7, ())
    try:
        yield seat
    finally:
        seat.stop()


def asked(model: Model, limit: MoveBudget = BUDGET, **options: object) -> tuple[object, Book]:
    """Return a model's first move, and the calls; raise as the seat does."""
    book = Book()
    with providing(model) as provided, seat_of(provided.url, book, **options) as seat:
        return seat.ask(GAME.initial(), (), limit).wire, book


def failed(model: Model, limit: MoveBudget = BUDGET, **options: object) -> tuple[SeatFault, Book]:
    """Return how a bot fails at its first move, and the calls."""
    book = Book()
    with (
        providing(model) as provided,
        seat_of(provided.url, book, **options) as seat,
        pytest.raises(SeatFault) as caught,
    ):
        seat.ask(GAME.initial(), (), limit)
    return caught.value, book


def test_an_answer_is_a_move() -> None:
    wire, book = asked(lambda asked: move("b2"), price_in=2, price_out=10, price_cached=1)
    state = GAME.initial()
    assert state.text(state.parse("b2")) == "b2"
    assert wire == state.parse("b2")
    (call,) = book.calls
    assert (call.ply, call.seat, call.attempt, call.fault) == (0, 0, 0, None)
    assert (call.model, call.answer) == ("tiny", '{"move": "b2"}')
    tokens = usage_of(Asked("", "", {"messages": [{"content": call.prompt}]}, 0), move("b2"))
    assert (call.tokens_in, call.tokens_out, call.tokens_cached) == tokens
    fresh = tokens[0] - tokens[2]
    assert call.cost == pytest.approx((fresh * 2 + tokens[1] * 10 + tokens[2]) / 1e6)


SAID = {
    CallFault.ILLEGAL: move("z9"),
    CallFault.UNREADABLE: Said('I play {"move": "b2"}.'),
    CallFault.CUT_OFF: move("b2", finish="length"),
    CallFault.EMPTY: Said(None),
    CallFault.REFUSED: Said(None, refusal="I do not play."),
}
"""An answer for each fault that is followed by another call."""


@pytest.mark.parametrize("fault", SAID)
def test_a_wrong_answer_is_told_and_another_one_asked(fault: CallFault) -> None:
    wire, book = asked(first_then_plays(SAID[fault]))
    assert wire in GAME.initial().legal_moves()
    assert book.faults == [fault, None]
    first, second = (call.prompt for call in book.calls)
    assert "Your last answer" not in first
    assert "Your last answer" in second
    assert first.strip() in second


@pytest.mark.parametrize("fault", SAID)
def test_the_last_wrong_answer_loses(fault: CallFault) -> None:
    lost, book = failed(lambda _: SAID[fault], retries=1)
    assert lost.termination is Termination.ILLEGAL_MOVE
    assert lost.detail == f"named no legal move in 2 calls: {fault}, {fault}"
    assert book.faults == [fault, fault]


def test_a_filtered_answer_is_a_refusal() -> None:
    _, book = failed(lambda _: move("b2", finish="content_filter"), retries=0)
    assert book.faults == [CallFault.REFUSED]


@pytest.mark.parametrize(
    "text",
    [
        'My move: ```json\n{"move": "b2"}\n```',
        '```json\n{"move": "b2"}\n```\nGood luck!',
        '```json\n{"move": "b2"}\n```\n```json\n{"move": "b2"}\n```',
        '```json\n{"move": "b2"} {"move": "b2"}\n```',
        '```python\n{"move": "b2"}\n```',
        '```json\n{"move": "b2"}',
        '{"move": "b2"}\n```',
        "```json\nb2\n```",
        '["b2"]',
        "b2",
        '{"moves": "b2"}',
        '{"move": null}',
        "[" * 19_999,
    ],
)
def test_nothing_is_read_around_the_field(text: str) -> None:
    _, book = failed(lambda _: Said(text), retries=0)
    assert book.faults == [CallFault.UNREADABLE]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"move": "b2"}\n```',
        '```\n{"move": "b2"}\n```',
        '\n```JSON\n{\n  "move": "b2"\n}\n```\n\n',
        '```{"move": "b2"}```',
    ],
)
def test_a_code_fence_around_the_whole_object_is_no_prose(text: str) -> None:
    wire, book = asked(lambda _: Said(text), retries=0)
    assert wire == GAME.initial().parse("b2")
    assert book.calls[0].answer == text


def test_a_late_answer_loses_on_time() -> None:
    lost, book = failed(lambda _: move("b2", wait_s=ENDLESS_S), MoveBudget(move_s=0.2, grace_s=0))
    assert lost.termination is Termination.TIME_FORFEIT
    assert "0.200 s and 1 call" in lost.detail
    assert book.faults == [CallFault.LATE]


FAILURES = [
    *(Said(status=status, headers=AT_ONCE) for status in (408, 429, 500, 503, 529)),
    Said(body=b'{"error": "busy"}'),
    Said(body=b'{"error": {"message": "Slow down", "code": 429}}'),
    Said(body=b'{"error": {"message": "Overloaded", "code": "overloaded"}}'),
]
"""Failures that cost nothing."""

UNREAD = [
    Said(body=None),
    Said(body=b"<html>"),
    Said(body=b"[" * 99_999),
    Said(body=b"[]"),
    Said(body=b'{"choices": []}'),
    Said(body=b'{"choices": [{"message": {"content": 3}}]}'),
    Said(body=b'{"choices": [], "usage": {"prompt_tokens": -1, "completion_tokens": "2"}}'),
]
"""Answers that can't be read, and that may cost money all the same."""


@pytest.mark.parametrize("said", FAILURES + UNREAD)
def test_a_provider_is_asked_again(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.seats.language_model.provider.WAIT_MAX_S", 0)
    wire, book = asked(fails_then_plays(said, 2))
    assert wire in GAME.initial().legal_moves()
    fault = CallFault.UNREAD if said in UNREAD else CallFault.PROVIDER
    assert book.faults == [fault, fault, None]
    # Not a try of the model.
    assert [call.attempt for call in book.calls] == [0, 0, 0]


def in_money(**options: object) -> dict[str, Any]:
    """Return options with prices of 1."""
    return {"price_in": 1, "price_out": 1, **options}


def test_an_answer_that_can_not_be_read_costs_what_it_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("league.seats.language_model.provider.WAIT_MAX_S", 0)
    usage = {"prompt_tokens": 60, "completion_tokens": 40}
    said = Said(body=json.dumps({"choices": [], "usage": usage}).encode())
    _, book = asked(fails_then_plays(said, 1), **in_money(budget=1))
    unread = book.calls[0]
    assert (unread.fault, unread.tokens_in, unread.tokens_out) == (CallFault.UNREAD, 60, 40)
    assert unread.cost == pytest.approx(1e-4)
    # The budget counts it before the model is asked again.
    with pytest.raises(SeatUnavailable, match=r"used up its budget of 0\.0001$"):
        asked(fails_then_plays(said, 1), **in_money(budget=1e-4))


@pytest.mark.parametrize("said", UNREAD)
def test_a_budget_allows_no_call_of_unknown_cost(said: Said) -> None:
    book = Book()
    with (
        providing(lambda _: said) as provided,
        seat_of(provided.url, book, **in_money(budget=1)) as seat,
        pytest.raises(SeatUnavailable, match="a budget, but nobody knows the cost of a call: its"),
    ):
        seat.ask(GAME.initial(), (), BUDGET)
    assert book.faults == [CallFault.UNREAD]


def test_an_answer_in_another_form_is_of_unknown_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.seats.language_model.provider.WAIT_MAX_S", 0)
    book = Book()
    with (
        providing(lambda _: Said(body=b'{"choices": [{"message": {}}]}')) as provided,
        seat_of(provided.url, book, api="messages") as seat,
        pytest.raises(SeatUnavailable, match="a body that is not of its protocol"),
    ):
        seat.ask(GAME.initial(), (), BUDGET)
    assert set(book.faults) == {CallFault.UNREAD}


@pytest.mark.parametrize("code", [401, "402", 403])
def test_an_error_in_the_body_has_its_status(code: object) -> None:
    error = {"message": "Insufficient credits, top up", "code": code}
    book = Book()
    with (
        providing(lambda _: Said(body=json.dumps({"error": error}).encode())) as provided,
        seat_of(provided.url, book, **in_money(budget=1)) as seat,
        pytest.raises(SeatUnavailable) as caught,
    ):
        seat.ask(GAME.initial(), (), BUDGET)
    told = f"answered with an error of status {code} (Insufficient credits, top up)"
    assert str(caught.value) == f"the provider of bot 'bot' at {provided.url} {told}"
    assert book.faults == [CallFault.PROVIDER]


@pytest.mark.parametrize("count", [10**20, -1, 1.5, True, "7", None])
def test_a_number_of_tokens_that_can_not_be_is_none(count: object) -> None:
    choice = {"message": {"content": '{"move": "b2"}'}}
    usage = {"prompt_tokens": count, "completion_tokens": 5}
    body = json.dumps({"choices": [choice], "usage": usage}).encode()
    wire, book = asked(lambda _: Said(body=body), **in_money())
    assert wire == GAME.initial().parse("b2")
    (call,) = book.calls
    assert (call.tokens_in, call.tokens_out, call.cost) == (None, 5, None)


def test_more_cached_tokens_than_there_are_count_as_none() -> None:
    choice = {"message": {"content": '{"move": "b2"}'}}
    usage = {"prompt_tokens": 5, "completion_tokens": 5}
    usage_cached = {**usage, "prompt_tokens_details": {"cached_tokens": 6}}
    body = json.dumps({"choices": [choice], "usage": usage_cached}).encode()
    _, book = asked(lambda _: Said(body=body), **in_money(price_cached=0))
    assert book.calls[0].tokens_cached is None
    assert book.calls[0].cost == pytest.approx(1e-5)


def test_a_provider_that_keeps_failing_is_nobodys_fault() -> None:
    with pytest.raises(SeatUnavailable, match=r"answered with status 503$"):
        asked(lambda _: Said(status=503), patience=0)


def _in_an_hour() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=3630), usegmt=True)


@pytest.mark.parametrize("when", ["3630", _in_an_hour])
def test_a_wait_beyond_the_patience_ends_at_once(when: str | Callable[[], str]) -> None:
    header = when if isinstance(when, str) else when()
    book = Book()
    with (
        providing(lambda _: Said(status=429, headers=(("Retry-After", header),))) as provided,
        seat_of(provided.url, book) as seat,
        pytest.raises(SeatUnavailable) as caught,
    ):
        seat.ask(GAME.initial(), (), BUDGET)
    told = f"the provider of bot 'bot' at {provided.url} answered with status 429"
    assert str(caught.value) == f"{told} and asks to wait for 1 h 0 min"
    assert book.faults == [CallFault.PROVIDER]


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [("90", 90), (formatdate(0, usegmt=True), 0), ("soon", 0.5), ("", 0.5), ("9" * 400, None)],
)
def test_a_provider_is_given_the_time_it_asks_for(
    header: str, wait_s: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def note(board: ProviderBoard, wait_s: float, text: str) -> None:
        waits.append(wait_s)

    monkeypatch.setattr(ProviderBoard, "wait", note)
    said = Said(status=429, headers=(("Retry-After", header),))
    with nullcontext() if wait_s is not None else pytest.raises(SeatUnavailable):
        asked(fails_then_plays(said, 1))
    assert waits == ([] if wait_s is None else [wait_s])


WORDS = {
    '{"error": {"message": "You have no\\n credit."}}': " (You have no credit.)",
    '{"type": "error", "error": {"type": "a", "message": "No credit."}}': " (No credit.)",
    '{"error": "model not found"}': " (model not found)",
    '{"message": "not here"}': " (not here)",
    '{"error": {"message": ""}}': "",
    '{"error": {"message": ["a"]}}': "",
    '{"error": {"message": "\\u001b[31mred"}}': " (red)",
    f'{{"error": "{"w" * 999}"}}': f" ({'w' * 199}…)",
    "<html>busy</html>": "",
    "[1]": "",
    "[" * 99_999: "",
}


@pytest.mark.parametrize("body", WORDS)
def test_a_failure_is_told_in_the_words_of_the_provider(body: str) -> None:
    with (
        providing(lambda _: Said(status=402, body=body.encode())) as provided,
        seat_of(provided.url) as seat,
        pytest.raises(SeatUnavailable) as caught,
    ):
        seat.ask(GAME.initial(), (), BUDGET)
    told = f"the provider of bot 'bot' at {provided.url} answered with status 402"
    assert str(caught.value) == told + WORDS[body]


@pytest.mark.parametrize("quoted", [KEY, "sk-se****************ests", KEY[5:12], f"'…{KEY[-4:]}'."])
def test_an_error_shows_no_part_of_the_key(quoted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    body = json.dumps({"error": {"message": f"wrong key: {quoted} is unknown"}}).encode()
    book = Book()
    with (
        providing(lambda _: Said(status=401, body=body)) as provided,
        seat_of(provided.url, book, key_env="MY_KEY") as seat,
        pytest.raises(SeatUnavailable, match=r"\(wrong key: \[key\] is unknown\)$"),
    ):
        seat.ask(GAME.initial(), (), BUDGET)
    assert book.calls[0].answer.endswith("(wrong key: [key] is unknown)")


def test_a_provider_that_has_refused_is_asked_no_more_in_the_run(tmp_path: Path) -> None:
    environment = replace(NO_ENVIRONMENT, scratch=tmp_path)
    with providing(lambda _: Said(status=401)) as provided, providing() as other:
        for url, count in ((provided.url, 1), (provided.url, 1), (other.url, 1)):
            seat = make_seat(version_of(url), Limits(), environment)
            seat.start()
            seat.new_match(GAME, 0, 7, ())
            with nullcontext() if url == other.url else pytest.raises(SeatUnavailable, match="401"):
                seat.ask(GAME.initial(), (), BUDGET)
            assert len(provided.asked) == count
    assert len(other.asked) == 1


def test_a_long_wait_is_told_once_and_ends_with_the_run(tmp_path: Path) -> None:
    run, board = RunBoard(tmp_path), ProviderBoard(tmp_path, "http://localhost:1/v1", 2)
    with ThreadPoolExecutor(3) as pool:
        waits = [pool.submit(board.wait, ENDLESS_S, f"{number}") for number in range(2)]
        short = pool.submit(board.wait, 0.01, "short")
        assert short.result() is None
        wait_until(lambda: bool(list(tmp_path.glob("*/wait"))))
        assert set(run.new_waits()) < {"0", "1"}
        assert list(run.new_waits()) == []
        run.end_calls("the run was interrupted")
        for each in waits:
            with pytest.raises(SeatUnavailable, match="the run was interrupted"):
                each.result()


def test_open_calls_are_counted_and_none_begins_after_the_end(tmp_path: Path) -> None:
    run, board = RunBoard(tmp_path), ProviderBoard(tmp_path, "http://localhost:1/v1", 2)
    assert run.open_calls() == 0
    with board.slot():
        assert run.open_calls() == 1
        run.end_calls("over")
        with pytest.raises(SeatUnavailable, match="over"), board.slot():
            raise AssertionError("no call begins")
    assert run.open_calls() == 0


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404])
def test_a_provider_that_refuses_is_not_asked_again(status: int) -> None:
    with (
        providing(lambda _: Said(status=status)) as provided,
        seat_of(provided.url) as seat,
        pytest.raises(SeatUnavailable, match=f"status {status}$"),
    ):
        seat.ask(GAME.initial(), (), BUDGET)
    assert len(provided.asked) == 1


def test_nobody_at_the_address_is_nobodys_fault() -> None:
    with providing() as provided:
        pass
    with (
        seat_of(provided.url, patience=0) as seat,
        pytest.raises(SeatUnavailable, match=r"the provider of bot 'bot' at .* can't be reached"),
    ):
        seat.ask(GAME.initial(), (), BUDGET)


def test_a_wait_for_the_provider_is_not_on_the_clock() -> None:
    book = Book()
    # Without a time of its own, it is asked again after half a second.
    with (
        providing(fails_then_plays(Said(status=503), 1)) as provided,
        seat_of(provided.url, book) as seat,
    ):
        answer = seat.ask(GAME.initial(), (), MoveBudget(move_s=0.4, grace_s=0))
    assert book.faults == [CallFault.PROVIDER, None]
    assert answer.over_ns == 0
    assert answer.wall_ns < 0.4e9


def played(urls: list[str], game: str = "tictactoe", **options: object) -> MatchRecord:
    """Play a match between models."""
    rules = find_game(game)
    seats = [make_seat(version_of(url, **options), Limits(move_s=ENDLESS_S)) for url in urls]
    setup = MatchSetup(game=rules, versions=[1, 2], opening=(), limits=Limits(), seed=3)
    try:
        return play_match(setup, seats)
    finally:
        for seat in seats:
            seat.stop()


@pytest.mark.parametrize("game", ["tictactoe", "kuhn", "goofspiel", "rps"])
def test_models_play_whole_matches(game: str) -> None:
    with providing() as provided:
        record = played([provided.url] * 2, game)
    assert record.termination is Termination.RULES


def test_a_match_waits_for_a_provider() -> None:
    with providing(lambda _: Said(status=402)) as provided, pytest.raises(MatchWaits, match="402"):
        played([provided.url] * 2)


def test_a_prompt_of_a_game_with_secrets_has_the_view_alone() -> None:
    with providing() as provided:
        played([provided.url] * 2, "kuhn")
    for asked in provided.asked:
        assert len(re.findall(r"you have [JQK]\n", asked.prompt)) == 1
        assert not re.search(r"has [JQK]\n", asked.prompt)


def test_prompts_do_not_grow_with_the_match() -> None:
    with providing(lambda asked: move(asked.legal[0])) as provided:
        played([provided.url] * 2, "connectfour", history=4)
    told = [re.search(r"The last 4 of (\d+) moves: (.*)", each.prompt) for each in provided.asked]
    assert not any(told[:5])
    assert len(told) > 12
    for ply, found in enumerate(told[5:], 5):
        assert found is not None
        assert (int(found[1]), len(found[2].split())) == (ply, 4)


def test_a_prompt_has_the_rules_the_board_and_the_form() -> None:
    with providing() as provided:
        played([provided.url] * 2, "connectfour?columns=5")
    prompt = provided.asked[2].prompt
    assert find_game("connectfour?columns=5").rules_text in prompt
    assert "Legal moves: 1, 2, 3, 4, 5\n" in prompt
    assert "Moves so far: " in prompt
    assert '{"move": "YOUR MOVE"}' in prompt


def test_legal_moves_may_be_left_out() -> None:
    _, book = asked(lambda _: move("b2"), legal="no", history=0)
    assert "Legal moves" not in book.calls[0].prompt


def test_a_template_replaces_the_prompt_and_is_part_of_the_version(tmp_path: Path) -> None:
    template = tmp_path / "mine.txt"
    template.write_text("Be brief. $moves $correction")
    with providing(lambda _: move("b2")) as provided:
        version = version_of(provided.url, template=template)
        template.write_text("Be brief! $moves $correction")
        other = version_of(provided.url, template=template)
        seat = make_seat(version, Limits())
        seat.start()
        seat.new_match(GAME, 0, 7, ())
        seat.ask(GAME.initial(), (), BUDGET)
    assert provided.asked[0].prompt.startswith("Be brief. Legal moves: ")
    assert version.options["template"] == "mine.txt"
    assert version.digest != other.digest


@pytest.mark.parametrize("text", ["$unknown", "costs 5 $", "$ x"])
def test_a_wrong_template_is_refused(tmp_path: Path, text: str) -> None:
    template = tmp_path / "mine.txt"
    template.write_text(text)
    with pytest.raises(OptionError, match="template"):
        version_of("http://localhost:1/v1", template=template)


@pytest.mark.parametrize(
    "options",
    [
        {"url": ""},
        {"url": "localhost:8000"},
        {"colour": "red"},
        {"history": "-1"},
        {"budget": "5"},
        {"key_env": "A", "key_file": "b"},
    ],
)
def test_wrong_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        version_of(**{"url": "http://localhost:1/v1", **options})


def test_a_model_has_a_name() -> None:
    with pytest.raises(SpecError, match="name of a model"):
        take_snapshot("bot", "llm:", {"url": "http://localhost:1/v1"})


@pytest.mark.parametrize(("structured", "has"), [("yes", True), ("no", False)])
def test_the_form_is_enforced_by_choice(structured: str, *, has: bool) -> None:
    with providing() as provided, seat_of(provided.url, structured=structured) as seat:
        seat.ask(GAME.initial(), (), BUDGET)
    assert ("response_format" in provided.asked[0].body) is has


def test_parameters_are_sent_and_kept() -> None:
    options: dict[str, Any] = {"temperature": 0.5, "seed": 7, "answer_tokens": 50}
    _, book = asked(plays, tokens_field="max_completion_tokens", **options)
    kept = {"temperature": 0.5, "seed": 7, "max_completion_tokens": 50}
    assert json.loads(book.calls[0].parameters) == kept


def test_the_messages_of_anthropic(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n")
    path.chmod(0o600)
    book = Book()
    options: dict[str, Any] = {"api": "messages", "key_file": path}
    with providing() as provided, seat_of(provided.url, book, **options) as seat:
        seat.ask(GAME.initial(), (), BUDGET)
    (request,), (call,) = provided.asked, book.calls
    assert (request.path, request.key) == ("/v1/messages", KEY)
    assert request.body["output_config"]["format"]["type"] == "json_schema"
    tokens = usage_of(request, Said(call.answer))
    assert (call.tokens_in, call.tokens_out, call.tokens_cached) == tokens


@pytest.mark.parametrize(
    ("finish", "fault"), [("max_tokens", CallFault.CUT_OFF), ("refusal", CallFault.REFUSED)]
)
def test_the_messages_of_anthropic_are_cut_off_and_refused(finish: str, fault: CallFault) -> None:
    _, book = failed(lambda _: move("b2", finish=finish), api="messages", retries=0)
    assert book.faults == [fault]


def test_a_key_of_the_environment_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with providing() as provided, seat_of(provided.url, key_env="MY_KEY") as seat:
        seat.ask(GAME.initial(), (), BUDGET)
    assert provided.asked[0].key == KEY


def test_a_key_that_comes_back_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    lost, book = failed(lambda asked: Said(f"your key is {asked.key}"), key_env="MY_KEY")
    assert KEY not in f"{lost} {book.calls}"
    assert "[key]" in book.calls[0].answer


def _missing(path: Path) -> None:
    path.unlink()


def _open_to_all(path: Path) -> None:
    path.chmod(0o640)


def _empty(path: Path) -> None:
    path.write_text("\n")


@pytest.mark.parametrize("spoil", [_missing, _open_to_all, _empty])
def test_a_bad_key_file_is_refused(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    path = tmp_path / "key"
    path.write_text(KEY)
    path.chmod(0o600)
    spoil(path)
    seat = make_seat(version_of("http://localhost:1/v1", key_file=path), Limits())
    with pytest.raises(SeatUnavailable, match="key-file") as caught:
        seat.start()
    assert KEY not in str(caught.value)


def test_a_missing_key_is_told() -> None:
    seat = make_seat(version_of("http://localhost:1/v1", key_env="NO_SUCH_KEY"), Limits())
    with pytest.raises(SeatUnavailable, match="'NO_SUCH_KEY' has no key"):
        seat.start()


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        ({"max_calls": 2}, 2),
        ({"max_tokens": 1}, 1),
        ({"max_cost": 1e-9, "price_in": 1, "price_out": 1}, 1),
    ],
)
def test_a_bot_loses_when_it_has_used_up_its_match(options: dict[str, Any], calls: int) -> None:
    lost, book = failed(lambda _: move("z9"), retries=5, **options)
    assert lost.termination is Termination.TIME_FORFEIT
    assert "has used up its max-" in lost.detail
    assert len(book.calls) == calls


def test_a_budget_ends_all_play() -> None:
    options: dict[str, Any] = {"budget": 1e-6, "price_in": 1, "price_out": 1}
    with pytest.raises(SeatUnavailable, match="used up its budget of 1e-06"):
        asked(lambda _: move("z9"), **options)


def test_a_budget_needs_counted_tokens() -> None:
    body = json.dumps({"choices": [{"message": {"content": '{"move": "b2"}'}}]}).encode()
    with pytest.raises(SeatUnavailable, match="has a budget, but its provider counts no tokens"):
        asked(lambda _: Said(body=body), budget=1, price_in=1, price_out=1)
    _, book = asked(lambda _: Said(body=body))
    assert (book.calls[0].tokens_in, book.calls[0].cost) == (None, None)


def test_calls_at_once_are_bounded(tmp_path: Path) -> None:
    def slow(asked: Asked) -> Said:
        return replace(plays(asked), wait_s=0.02)

    environment = replace(NO_ENVIRONMENT, scratch=tmp_path)
    with providing(slow) as provided, ThreadPoolExecutor(6) as pool:
        version = version_of(provided.url, at_once=2)

        def play(number: int) -> None:
            seat = make_seat(version, Limits(), environment)
            seat.start()
            seat.new_match(GAME, 0, number, ())
            seat.ask(GAME.initial(), (), BUDGET)

        list(pool.map(play, range(6)))
    assert len(provided.asked) == 6
    assert provided.most_at_once == 2


def test_odd_characters_are_kept() -> None:
    _, book = failed(lambda _: Said("\ud800\0"), retries=0)
    assert book.calls[0].answer == "?\ufffd"
