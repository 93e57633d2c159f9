"""What dying, not starting and slow preparation cost a bot over a tournament."""

from pathlib import Path

import pytest

from league.analysis.bot_health import health
from league.analysis.crosstable import crosstable
from league.analysis.follow import Follower
from league.analysis.loss_report import loss_report
from league.analysis.replay import load_replay
from league.analysis.standings import standings
from league.analysis.verify import verify
from league.model.records import Conduct, Termination
from league.render.text.health import health_blocks
from league.render.text.table import text_of
from league.render.tournament_page import draw_head
from league.seats.seat import SeatFault, SeatKilled
from league.store.store import Store
from league.tournament.conduct_book import ConductBook
from tests.league.in_process import Script, run_here
from tests.league.tournament.test_runner import held, league_of

BROKEN = Script(start=SeatFault(Termination.CRASH, "exited with status 1"))


def conduct_of(store: Store, tournament: int, bot: str) -> Conduct:
    """Return a bot's conduct in a tournament."""
    return store.conduct.of(tournament)[store.bots.get(bot).versions[-1].id]


def test_two_bots_that_never_start_do_not_stop_a_tournament(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    row = held(store, "connectfour", ["rnd", "it", "gr"], rounds=5)
    run_here(store, row.id, scripts={"it": BROKEN, "gr": BROKEN})
    found = standings(store, row.config.game, row.id)
    assert store.tournaments.get(row.id).is_finished
    rows = {each.bot: each for each in found.rows}
    assert rows["rnd"].points == rows["rnd"].matches == 20
    for name in ("it", "gr"):
        assert (rows[name].points, rows[name].matches) == (0, 20)
        assert rows[name].losses == 20
        conduct = conduct_of(store, row.id, name)
        assert conduct.suspended == "it failed to start 5 times in a row: exited with status 1"
        # Some matches were handed out before the fifth start failed.
        assert conduct.failed_starts in range(5, 12)
    _, cells = crosstable(store, row.config.game, row.id)
    assert cells[rows["it"].version, rows["gr"].version].losses == 10
    assert cells[rows["gr"].version, rows["it"].version].losses == 10
    assert verify(store) == (30, [])


def test_matches_without_points_are_not_rated(tmp_path: Path) -> None:
    """Of three bots two never start: neither gains by their matches against each other."""
    store = league_of(tmp_path)
    row = held(store, "connectfour", ["rnd", "it", "gr"], rounds=5)
    run_here(store, row.id, scripts={"it": BROKEN, "gr": BROKEN})
    for system in ("elo", "fitted"):
        rated = {each.bot: each for each in standings(store, row.config.game, row.id, system).rows}
        assert rated["it"].rating == pytest.approx(rated["gr"].rating, abs=40)
        assert rated["rnd"].rating > rated["it"].rating


@pytest.mark.slow
def test_a_bot_that_kills_itself_has_few_matches_replayed(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    row = held(store, "connectfour", ["rnd", "gr"], rounds=50)
    killed = Script(ask=SeatKilled("its process was killed, by itself or from outside"))
    run_here(store, row.id, scripts={"gr": killed})
    rows = {each.bot: each for each in standings(store, row.config.game, row.id).rows}
    assert rows["gr"].forfeits == {Termination.CRASH: 100}
    assert conduct_of(store, row.id, "gr").kills in range(5, 30)


def test_what_is_known_of_a_bot_lasts_through_resumes(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    row = held(store, "connectfour", ["rnd", "gr"], rounds=1)
    version = store.bots.get("gr").versions[-1].id
    store.conduct.save(row.id, {version: Conduct(suspended="it failed to start")})
    run_here(store, row.id)
    (first, _) = (store.matches.get(number)[1] for number in store.matches.numbers())
    assert first.detail == "is suspended in this tournament: it failed to start"
    assert conduct_of(store, row.id, "gr").suspended


@pytest.mark.slow
def test_a_bot_has_so_much_time_to_prepare_in_all(tmp_path: Path) -> None:
    """Six starts of ten seconds, and two seconds a match: nine seconds each are too much."""
    store = league_of(tmp_path)
    row = held(store, "connectfour", ["rnd", "gr"], rounds=100)
    run_here(store, row.id, scripts={"gr": Script(preparation_ns=9_000_000_000)})
    ends = [store.matches.get(number)[1] for number in store.matches.numbers()]
    late = [each for each in ends if each.termination is Termination.TIME_FORFEIT]
    assert late
    assert "used up its time in this tournament for starting" in late[0].detail
    # 60 s, and 2 s for each of 200 matches, last for 51; some were handed out before.
    assert sum(not each.termination.is_fault for each in ends) < 100


def test_a_bot_that_hangs_its_worker_is_suspended(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    row = held(store, "connectfour", ["rnd", "gr"], rounds=1)
    book = ConductBook(store, row.id)
    number = store.bots.get("gr").versions[-1].id
    version = store.bots.versions([number])[number]
    for hangs in range(1, 4):
        book.take_hang(version)
        book.save()
        suspended = conduct_of(store, row.id, "gr").suspended
        reason = "3 worker processes stopped answering while it was to move"
        assert suspended == ("" if hangs < 3 else reason)


def test_conduct_is_told_wherever_somebody_looks(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    row = held(store, "connectfour", ["rnd", "gr"], rounds=1)
    version = store.bots.get("gr").versions[-1].id
    store.conduct.save(row.id, {version: Conduct(kills=3, suspended="it failed to start")})
    run_here(store, row.id)
    (of_bot,) = health(store, "connectfour", bots=[store.bots.get("gr")])
    assert (of_bot.conduct.kills, of_bot.conduct.suspended) == (3, "it failed to start")
    shown = text_of(health_blocks({"connectfour": [of_bot]}, None, 200, "gr"))
    assert "is suspended: it failed to start" in shown
    assert "matches played again because its process was killed: 3" in shown
    look = Follower(store, row.id).look(10.0)
    assert look.troubles == (
        "gr is suspended: it failed to start.",
        "3 matches were played again because the process of gr was killed.",
    )
    assert "is suspended" in draw_head(look)
    told = loss_report(load_replay(store, None)).sentences
    assert told[-1].startswith("In this tournament 3 times a match was played again")
