"""Language models that are checked and registered: what is asked of them, and what is not."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from games.support.errors import OptionError
from games.support.specs import find_game
from league.cli.main import cli
from league.model.records import BotVersion
from league.registration.check import check, examine
from league.registration.finding import CheckFinding
from league.registration.source_snapshot import take_snapshot
from league.registration.trial import PAID_MOVES, USUAL
from league.render.text.registration import trial_line
from tests.league.seats.model_server import Said, plays, providing

GAME = find_game("tictactoe")
PAID = replace(USUAL, is_paid=True)


def model(url: str, **options: str) -> BotVersion:
    """Return a version of a model at a provider."""
    return take_snapshot("x", "llm:some", {"url": url, **options})


def plays_of(findings: list[CheckFinding]) -> CheckFinding:
    """Return the point that is about moves."""
    (found,) = (each for each in findings if each.demand.startswith("plays"))
    return found


def test_a_model_is_asked_nothing_unless_that_is_wished() -> None:
    with providing() as provided:
        version = model(provided.url)
        point = plays_of(list(examine(version, GAME)))
        (checked,) = check(version, [GAME])
    assert point.is_passed is None
    assert point.detail.startswith("not tried")
    assert trial_line(checked).startswith("not played")
    assert not provided.asked


def test_the_command_says_what_was_not_tried() -> None:
    with providing() as provided:
        words = ["check", "llm:some", "--option", f"url={provided.url}"]
        found = CliRunner().invoke(cli, words)
        paid = CliRunner().invoke(cli, [*words, "--paid"])
    assert (found.exit_code, paid.exit_code) == (0, 0)
    assert found.output.endswith("llm:some passed 1 of 2 points; not tried: plays\n")
    assert paid.output.endswith("llm:some is fit to play\n")


def test_a_paid_check_asks_for_a_few_moves_and_tells_their_cost() -> None:
    with providing() as provided:
        version = model(provided.url, **{"price-in": "3", "price-out": "15", "price-cached": "1"})
        point = plays_of(list(examine(version, GAME, PAID)))
    paid = provided.paid
    cost = (3 * (paid["in"] - paid["cached"]) + 15 * paid["out"] + paid["cached"]) / 1e6
    assert point.is_passed
    assert len(provided.asked) == PAID_MOVES
    told = f"{PAID_MOVES} calls, {paid['in']:,} tokens in, {paid['out']:,} out, cost {cost:.6f}"
    assert point.detail.endswith(f"({told})")


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        (Said("I play b2."), "named no legal move in 1 call: unreadable"),
        (Said(status=401), "answered with status 401"),
    ],
)
def test_a_paid_check_fails_where_matches_would(said: Said, detail: str) -> None:
    with providing(lambda asked: said) as provided:
        point = plays_of(list(examine(model(provided.url, retries="0"), GAME, PAID)))
    assert point.is_passed is False
    assert detail in point.detail
    assert "1 call, " in point.detail


def test_a_paid_check_marks_a_cost_that_lacks_a_call() -> None:
    unread = Said(body=b'{"choices": []}')
    prices = {"price-in": "3", "price-out": "15"}
    with providing(lambda asked: plays(asked) if len(provided.asked) > 1 else unread) as provided:
        point = plays_of(list(examine(model(provided.url, **prices), GAME, PAID)))
    assert point.is_passed
    assert f"{PAID_MOVES + 1} calls, " in point.detail
    assert ", cost ≥0.0" in point.detail


def test_a_late_model_is_to_have_minutes() -> None:
    with providing(lambda asked: Said(wait_s=1e4)) as provided:
        point = plays_of(list(examine(model(provided.url), GAME, replace(PAID, move_s=0.1))))
    assert point.hint == "give it minutes: --move-time 2m"


def test_a_budget_holds_in_a_paid_check() -> None:
    prices = {"price-in": "1000", "price-out": "1000", "budget": "0.01"}
    with providing(plays) as provided:
        point = plays_of(list(examine(model(provided.url, **prices), GAME, PAID)))
    assert "has used up its budget" in point.detail
    assert len(provided.asked) == 1


@pytest.mark.parametrize(
    ("api", "path"),
    [("chat", "/chat/completions"), ("chat", "/chat/completions/"), ("messages", "/messages")],
)
def test_an_address_that_ends_in_the_path_of_the_api_is_refused(api: str, path: str) -> None:
    with pytest.raises(OptionError, match="leave out /"):
        model(f"https://api.example/v1{path}", api=api)
    assert model("https://api.example/v1", api=api)
