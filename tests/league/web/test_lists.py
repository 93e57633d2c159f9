"""The lists of bots, tournaments, matches and games, and the first page."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

import pytest
from sqlalchemy import update

from league.hosting.store.seen import SeenStore
from league.model.live_ply import LivePly
from league.model.model_calls import ModelCall
from league.model.records import (
    IMPORT,
    BotVersion,
    Limits,
    MatchKey,
    MoveRecord,
    Termination,
    TournamentConfig,
)
from league.store.rows import LiveMatchRow, TournamentRow
from league.store.store import Store, open_store
from league.store.tables import MATCH
from tests.browser import NARROW, WIDE, resize
from tests.league.matches import add_bots, add_tournament, save_encounter, won_match
from tests.league.web.asking import ask
from tests.league.web.serving import served
from tests.league.web.test_bots import words_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=alert(1)>"
BEGIN_S, DAY_S = 1_800_000_000, 86_400
"""2027-01-15, 08:00 UTC; match 120 ends 120 days later."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of 120 matches, one a day, in two games."""
    folder = tmp_path_factory.mktemp("league")
    with open_store(str(folder / "league.db"), create=True) as store:
        deep, deeper, hostile = add_bots(store, "deep", "deeper", HOSTILE)
        store.bots.register(BotVersion("idle", "minimax", options={"depth": "7"}, digest="i"))
        first = add_tournament(store, deep, deeper, hostile)
        batch = [(MatchKey(number, 0), won_match(deep, deeper)) for number in range(118)]
        crash = replace(won_match(hostile, deep), termination=Termination.CRASH, fault_seat=1)
        store.matches.save(first, [*batch, (MatchKey(118, 0), crash)])
        config = TournamentConfig(
            game="tictactoe",
            entrants=(deep, hostile),
            rounds=1,
            seed=1,
            opening_plies=0,
            limits=Limits(move_s=0.05),
            format="swiss",
        )
        second = store.tournaments.add(config, 1)
        moves = tuple(MoveRecord(move) for move in (4, 0))
        drawn = replace(won_match(deep, hostile, (0.5, 0.5)), game="tictactoe", moves=moves)
        store.matches.save(second, [(MatchKey(0, 0), drawn)])
        store.tournaments.finish(second, 1, 1)
        store.bots.retire("idle")
        with store.writing() as connection:
            when = BEGIN_S + MATCH.c.id * DAY_S
            connection.execute(update(MATCH).values(finished_at=when))
    return folder


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with open_store(str(folder / "league.db"), read_only=True) as found:
        yield found


@pytest.fixture(scope="module")
def link(folder: Path) -> Iterator[str]:
    """Serve that league."""
    with served(folder) as found:
        yield found.rstrip("/")


def page_of(store: Store, address: str) -> str:
    status, text, _ = ask(store, address)
    assert status == 200, text
    assert "<img src=x" not in text
    return text


def numbers(store: Store, query: str = "") -> list[int]:
    """Return the numbers of the matches on a page of the list."""
    text = page_of(store, f"/matches?{query}")
    links = re.findall(r'data-label="Match"><a class="row-link" href="/matches/(\d+)"', text)
    return [int(each) for each in links]


def test_pages_of_matches_have_every_match_once(store: Store) -> None:
    pages = [numbers(store, f"page={page}") for page in (1, 2, 3)]
    assert list(map(len, pages)) == [50, 50, 20]
    assert sorted(match for page in pages for match in page) == list(range(1, 121))
    text = page_of(store, "/matches?page=2&sort=match")
    assert "51–100 of 120 matches" in text
    assert 'href="/matches?sort=match&amp;page=3" rel="next"' in text
    assert 'aria-sort="ascending"' in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("bot=deep&opponent=deeper&result=lost", []),
        (f"bot=deep&opponent={quote(HOSTILE)}", [120, 119]),
        ("game=tictactoe", [120]),
        ("end=crash", [119]),
        ("end=any+fault", [119]),
        ("result=drawn", [120]),
        ("tournament=2", [120]),
        ("from=2027-05-15", [120]),
        ("from=2027-05-14&to=2027-05-14", [119]),
        ("q=onerror&sort=match", [119, 120]),
        ("q=120", [120]),
        ("bot=nobody", []),
    ],
)
def test_matches_are_filtered_by_the_address(store: Store, query: str, found: list[int]) -> None:
    assert numbers(store, query) == found


def test_a_filter_is_shown_and_can_be_taken_away(store: Store) -> None:
    text = page_of(store, "/matches?game=tictactoe&bot=deep")
    assert '<option value="tictactoe" selected>Tic-tac-toe</option>' in text
    assert 'class="tag" href="/matches?game=tictactoe"' in text
    assert 'class="tag" href="/matches?bot=deep"' in text
    assert '<span class="own drawn">' in text


@pytest.mark.parametrize(("bot", "result"), [("deep", "won"), ("deeper", "lost")])
def test_green_means_that_the_bot_of_the_list_won(store: Store, bot: str, result: str) -> None:
    text = page_of(store, f"/matches?bot={bot}&q=118")
    assert text.count(f'<span class="own {result}"><span class="seat">') == 1
    assert text.count('<span class="other"><span class="seat">') == 1
    assert text.count(f'<span class="own {result}">') == 2, "the name and its score"


def test_a_day_heads_the_matches_that_ended_in_it(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        deep, deeper = add_bots(store, "deep", "deeper")
        played = [(MatchKey(number, 0), won_match(deep, deeper)) for number in range(3)]
        store.matches.save(add_tournament(store, deep, deeper), played)
        with store.writing() as connection:
            days = MATCH.c.id // 2
            connection.execute(update(MATCH).values(finished_at=BEGIN_S + days * DAY_S))
        text, by_plies = page_of(store, "/matches"), page_of(store, "/matches?sort=plies")
    written = r'scope="rowgroup"[^>]*>([^<]*)<|data-label="Ended"><time [^>]*>([^<]*)<'
    told = [day or time for day, time in re.findall(written, text)]
    assert told == ["2027-01-16", "08:00", "08:00", "2027-01-15", "08:00"]
    # In another order, days would alternate.
    assert "rowgroup" not in by_plies
    assert by_plies.count(">2027-01-16 08:00<") == 2


@pytest.mark.slow
def test_ratings_of_several_games_are_no_order(store: Store) -> None:
    text = page_of(store, "/bots?sort=-rating")
    assert "sort=-rating" not in text
    assert names(store, "sort=-rating") == names(store, "sort=name") == names(store, "")
    assert 'aria-sort="descending"' in page_of(store, "/bots?game=connectfour")


def test_a_rank_names_its_pool_where_bots_never_met(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        bots = add_bots(store, "a", "b", "c", "d", "e")
        for pool in (bots[:3], bots[3:]):
            rows = [
                (MatchKey(number, 0), won_match(one, other))
                for number, (one, other) in enumerate(pairwise(pool))
            ]
            store.matches.save(add_tournament(store, *pool), rows)
        said = words_of(page_of(store, "/bots"))
        assert "#1 of 3, pool 1 Connect Four" in said
        assert "#2 of 2, pool 2 Connect Four" in said
        said = words_of(page_of(store, "/games/connectfour"))
        first, _, second = said.partition("Leaders of pool 2 2 bots that met one another")
        assert "Leaders of pool 1 3 bots that met one another" in first
        assert second.index(" d ") < second.index(" e ")
        assert "rank 1 of 2, pool 2" in words_of(page_of(store, "/bots/d")).replace(" ,", ",")


def test_what_is_unknown_is_said(store: Store) -> None:
    text = page_of(store, "/matches?bot=depp")
    assert "No matches found. There is no bot depp . Did you mean deep ? All bots" in words_of(text)
    assert text.count("No matches") == text.count("depp</q>") == 1
    for address in ("/matches?bot=depp", "/tournaments?bot=depp", "/bots/depp"):
        assert '<a href="/bots/deep">deep</a>?' in ask(store, address)[1]
    # A name that is near to none is not answered by a list of others.
    assert "There is no bot zzz . All bots" in words_of(ask(store, "/bots/zzz")[1])
    assert ask(store, f"/bots/{quote(HOSTILE + 'x', safe='')}")[1].count("<img") == 0
    assert "did you mean" in ask(store, "/api/bots/depp")[1]
    assert "From &#39;x&#39; is no date" in page_of(store, "/matches?from=x")
    assert "No matches found" in page_of(store, "/matches?q=nobody")


def test_blank_fields_of_a_form_leave_the_address(store: Store) -> None:
    status, _, headers = ask(store, "/matches?q=&game=tictactoe&bot=")
    assert (status, headers["location"]) == (303, "/matches?game=tictactoe")


def names(store: Store, query: str) -> list[str]:
    """Return the bots of the list by the ends of their links."""
    text = page_of(store, f"/bots?{query}")
    return re.findall(
        r'<th class="name" scope="row"><a class="row-link" href="/bots/([^"]*)"', text
    )


def test_a_bot_is_rated_where_it_has_played_most(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        bots = add_bots(store, "deep", "mid")
        often = add_tournament(store, *bots)
        seldom = add_tournament(store, *bots, game="tictactoe")
        for number in range(3):
            save_encounter(store, often, number, (bots[0], bots[1]), "LL")
        save_encounter(store, seldom, 0, (bots[0], bots[1]), "WW", game="tictactoe")
        said = words_of(page_of(store, "/bots"))
        # Its rating in the other game is higher, and less certain.
        assert re.search(r"deep random \d+ ±\d+ #2 Connect Four 2 games", said)
        assert re.search(
            r"deep random \d+ ±\d+ #1 \d", words_of(page_of(store, "/bots?game=tictactoe"))
        )


@pytest.mark.slow
def test_bots_tell_what_they_have_played(store: Store) -> None:
    said = words_of(page_of(store, "/bots?game=connectfour&sort=-matches"))
    assert re.search(
        r"deep random \d+ ±\d+ #1 \d+% 119 matches 2027-05-14 08:00 deeper random", said
    )
    # One game goes without saying; of several, the one with the most matches is named.
    assert re.search(
        r"deep random \d+ ±\d+ #1 Connect Four 2 games", words_of(page_of(store, "/bots"))
    )
    assert names(store, "sort=-matches") == ["deep", "deeper", quote(HOSTILE, safe=""), "idle"]
    assert "retired" in page_of(store, "/bots?state=retired")
    assert names(store, "state=retired") == ["idle"]
    assert names(store, "game=tictactoe&sort=-name") == ["deep", quote(HOSTILE, safe="")]
    # Options are part of what a bot is.
    assert names(store, "q=depth%3D7") == ["idle"]


def test_a_single_exact_name_leads_to_the_bot(store: Store) -> None:
    status, _, headers = ask(store, "/bots?q=Deeper")
    assert (status, headers["location"]) == (303, "/bots/deeper")
    status, _, headers = ask(store, f"/bots?q={quote(HOSTILE)}")
    assert (status, headers["location"]) == (303, f"/bots/{quote(HOSTILE, safe='')}")
    # 'deep' is in two names.
    assert names(store, "q=deep") == ["deep", "deeper"]


@pytest.mark.slow
def test_tournaments_are_filtered_and_ordered(store: Store) -> None:
    def found(query: str) -> list[str]:
        text = page_of(store, f"/tournaments?{query}")
        return re.findall(
            r'<th class="name" scope="row"><a class="row-link" href="/tournaments/(\d+)"', text
        )

    assert found("") == ["2", "1"]
    assert found("sort=-matches") == ["1", "2"]
    assert found("state=finished") == ["2"]
    assert found("state=unfinished") == ["1"]
    assert found("format=swiss") == ["2"]
    assert found("q=tic-tac") == ["2"]
    assert found("bot=deeper") == ["1"]
    assert found("bot=nobody") == []
    assert found("to=2000-01-01") == []
    assert "119 of 60" in words_of(page_of(store, "/tournaments"))


@pytest.mark.slow
def test_a_finished_tournament_without_a_winner_says_how_it_ended(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        bots = add_bots(store, "deep", "mid", "weak")
        gauntlet = add_tournament(store, *bots, format="gauntlet")
        season = add_tournament(store, *bots, format="season")
        for number in (gauntlet, season):
            save_encounter(store, number, 0, (bots[0], bots[1]), "WD")
            save_encounter(store, number, 1, (bots[0], bots[2]), "WW")
        # A gauntlet says how it stands, but nobody leads by a rating.
        before = page_of(store, "/tournaments")
        assert "deep scored" in before
        assert "is first with" not in before
        for number in (gauntlet, season):
            store.tournaments.finish(number, 1, 4)
        said = words_of(page_of(store, "/tournaments"))
    assert "deep scored 3½ of 4 against 2 opponents (87.5%, +338 Elo)" in said
    assert re.search(r"deep is first with \d+ ±\d+", said)


def test_imported_matches_are_listed(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        bots = add_bots(store, "deep", "mid")
        number = add_tournament(store, *bots, format=IMPORT)
        save_encounter(store, number, 0, (bots[0], bots[1]), "WW")
        store.tournaments.finish(number, 1, 2)
        said = words_of(page_of(store, "/tournaments"))
    assert "deep is first" in said


def test_a_test_without_evidence_has_no_winner(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        bots = add_bots(store, "deep", "mid")
        number = add_tournament(store, *bots, format="sprt:elo0=0,elo1=5")
        save_encounter(store, number, 0, (bots[0], bots[1]), "WW")
        store.tournaments.finish(number, 1, 2)
        said = words_of(page_of(store, "/tournaments"))
    assert "SPRT (elo0 0, elo1 5) 2 bots" in said


def test_a_tournament_says_how_many_matches_a_pair_plays(store: Store) -> None:
    # Three bots make three pairs, of 60 matches.
    assert "20 matches per pair" in words_of(page_of(store, "/tournaments/1"))
    assert "2 matches per pairing" in words_of(page_of(store, "/tournaments/2"))


def test_games_are_those_played_and_those_there_are(store: Store) -> None:
    text = page_of(store, "/games")
    assert text.index("Connect Four") < text.index("Tic-tac-toe") < text.index("Othello")
    said = words_of(text)
    assert "119 matches , 3 bots Leader" in said
    assert said.index("Played in this league") < said.index("Tic-tac-toe")
    assert said.index("Tic-tac-toe") < said.index("Not played yet") < said.index("Othello")
    # Titles alone: `mnk` is for commands.
    assert "Gomoku" in said
    assert "mnk" not in said
    assert "Othello" not in page_of(store, "/games?state=played+here")
    assert "1 game</strong>" in page_of(store, "/games?q=othel")
    status, svg, headers = ask(store, "/boards/games/connectfour")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert "sha256-" in headers["content-security-policy"]
    assert svg.startswith("<svg")
    # No file is run for a picture.
    assert ask(store, f"/boards/games/{quote('rules.py:Nim', safe='')}")[0] == 404


def test_the_first_page_links_to_all_that_it_does_not_show(store: Store) -> None:
    text = page_of(store, "/")
    said = words_of(text)
    assert "3 bots 2 tournaments 120 matches in 2 games" in said
    assert 'href="/bots?game=connectfour&amp;sort=-rating">All 3 bots' in text
    assert 'href="/matches">All 120 matches' in text
    assert 'href="/tournaments">All 2' in text
    # The newest match that no fault ended, of the ones that were decided.
    assert "Replay match 118" in said
    assert ask(store, "/boards/matches/118")[2]["content-type"] == "image/svg+xml"


def test_the_first_page_has_results_of_several_tournaments(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        small, large = (add_tournament(store, one, two, rounds=50) for _ in range(2))

        def shown() -> list[int]:
            found = re.findall(r'class="thumb" href="/matches/(\d+)"', page_of(store, "/"))
            return [int(each) for each in found]

        for number in range(25):
            save_encounter(store, large, number, (one, two), "WL")
        assert shown() == [50, 49, 48, 47, 46, 45]
        save_encounter(store, small, 0, (one, two), "WL")
        for number in range(25, 50):
            save_encounter(store, large, number, (one, two), "WL")
        # There are 50 newer matches of the large one.
        assert shown() == [102, 101, 100, 52, 51, 99]


def test_an_empty_league_tells_the_first_steps(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        assert "league run --game connectfour --bots all" in page_of(store, "/")
        for path, word in {
            "bots": "bots",
            "matches": "matches",
            "tournaments": "tournaments",
        }.items():
            assert f"No {word} yet" in page_of(store, f"/{path}")
        assert "Not played yet" in page_of(store, "/games")


def test_a_match_in_play_is_featured(tmp_path: Path) -> None:
    path = str(tmp_path / "league.db")
    with open_store(path, create=True) as store:
        one, two = add_bots(store, "one", "two")
        tournament = add_tournament(store, one, two)
        row = LiveMatchRow(
            key=MatchKey(0, 0),
            game="connectfour",
            versions=(one, two),
            plies=(LivePly(3), LivePly(3)),
            moved_at_ms=0,
        )
        store.live.show(tournament, [row])
        with open_store(path, read_only=True) as reader, store.tournaments.runner_lock(tournament):
            for address in ("/", "/featured"):
                said = words_of(page_of(reader, address))
                assert "2 plies so far" in said
                assert "one – two" in said
            assert "in play" in page_of(reader, "/tournaments?state=in+play")
        # A runner that was killed leaves its rows behind.
        assert "plies so far" not in page_of(store, "/featured")
        # A match is stored a moment before its runner shows others.
        store.matches.save(tournament, [(MatchKey(0, 0), won_match(one, two))])
        with open_store(path, read_only=True) as reader, store.tournaments.runner_lock(tournament):
            assert "plies so far" not in page_of(reader, "/featured")


def test_a_tournament_in_play_says_who_leads(tmp_path: Path) -> None:
    path = str(tmp_path / "league.db")
    with open_store(path, create=True) as store:
        one, two = add_bots(store, "one", "two")
        tournament = add_tournament(store, one, two)
        store.matches.save(tournament, [(MatchKey(0, 0), won_match(one, two))])
        with open_store(path, read_only=True) as reader, store.tournaments.runner_lock(tournament):
            for address in ("/", "/tournaments"):
                assert "one leads with 1 point" in words_of(page_of(reader, address))


@pytest.mark.parametrize("view", [None, SeenStore])
def test_all_parts_of_a_page_tell_of_one_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, view: type[SeenStore] | None
) -> None:
    path = str(tmp_path / "league.db")
    with (
        open_store(path, create=True) as store,
        open_store(path, read_only=True, remembers=True) as league,
    ):
        one, two = add_bots(store, "one", "two")
        tournament = add_tournament(store, one, two)
        store.matches.save(tournament, [(MatchKey(0, 0), won_match(one, two))])
        reader = cast("Store", view(league)) if view else league
        tournaments = reader.tournaments.all

        def disturbed() -> tuple[TournamentRow, ...]:
            found = tournaments()
            if store.tournaments.get(tournament).played == 1:
                store.matches.save(tournament, [(MatchKey(0, 1), won_match(two, one, (0.0, 1.0)))])
            return found

        monkeypatch.setattr(reader.tournaments, "all", disturbed)
        with store.tournaments.runner_lock(tournament):
            first, second = page_of(reader, "/"), page_of(reader, "/")
        # On the second page, a busy machine may show a recent count.
        assert "1 tournament 1 match in" in words_of(first)
        for text, points, matches in ((first, "1 point", 1), (second, "2 points", 2)):
            assert f"one leads with {points}" in words_of(text)
            assert text.count('class="thumb"') == matches


def test_a_search_is_typed_and_followed_by_keys(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches")
    quiet.focus("[name=bot]")
    quiet.keyboard.type("deep")
    quiet.select_option("[name=game]", "tictactoe")
    quiet.keyboard.press("Tab")
    quiet.focus("[name=bot]")
    quiet.keyboard.press("Enter")
    quiet.wait_for_url(f"{link}/matches?game=tictactoe&bot=deep")
    assert "1 match" in quiet.inner_text(".told")
    quiet.click("text=Remove all")
    quiet.wait_for_url(f"{link}/matches")
    quiet.click("th a:has-text('Plies')")
    quiet.wait_for_url(f"{link}/matches?sort=-plies")
    quiet.click("[rel=next]")
    quiet.wait_for_url(f"{link}/matches?sort=-plies&page=2")


def test_a_bot_is_found_from_any_page(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/games")
    quiet.fill(".site [name=q]", "deeper")
    quiet.keyboard.press("Enter")
    quiet.wait_for_url(f"{link}/bots/deeper")


def test_a_phone_chooses_the_order_above_the_cards(quiet: "Page", link: str) -> None:
    resize(quiet, NARROW)
    quiet.goto(f"{link}/bots")
    assert not quiet.is_visible("thead a")
    quiet.click(".orders >> text=matches")
    quiet.wait_for_url(f"{link}/bots?sort=-matches")
    assert quiet.locator("tbody .name").first.inner_text() == "deep"
    assert "120 matches in 2 games" in quiet.locator("tbody tr").first.inner_text()


@pytest.mark.parametrize(
    ("address", "label", "shown"),
    [
        ("bots?sort=-score", "Score", r"\d+%"),
        ("bots?game=connectfour", "Rating", r"\d+ ±\d+"),
        ("bots?sort=-last", "Last match", "2027-05-15 08:00"),
        ("matches?sort=-plies", "Plies", r"\d+"),
        ("matches?sort=-time", "Duration", r"\d+ ms"),
        ("tournaments?sort=-last", "Last match", r"\d{4}-\d\d-\d\d \d\d:\d\d"),
    ],
)
def test_a_phone_names_and_shows_what_it_sorts_by(
    quiet: "Page", link: str, address: str, label: str, shown: str
) -> None:
    resize(quiet, NARROW)
    quiet.goto(f"{link}/{address}")
    cell = quiet.locator("tbody tr").first.locator(f"[data-label='{label}']")
    assert cell.is_visible()
    assert re.fullmatch(shown, cell.inner_text())
    # The name of a cell is drawn by its style.
    before = "(each) => getComputedStyle(each, '::before').content"
    assert label in cell.evaluate(before)


def test_cards_leave_no_hole_beside_the_last(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/games?state=not+yet")
    cards = quiet.locator(".games > li")
    for width in (WIDE, (800, 800), NARROW):
        resize(quiet, width)
        for count in range(9, 0, -1):
            # So many copies of the first card.
            right = cards.first.evaluate(
                """(card, count) => {
                  const list = card.parentElement;
                  list.replaceChildren(...Array.from({length: count}, () => card.cloneNode(true)));
                  const edge = (each) => Math.round(each.getBoundingClientRect().right);
                  return [edge(list), edge(list.lastElementChild)];
                }""",
                count,
            )
            assert right[0] == right[1], (width, count)


def test_a_phone_shows_names_of_twenty_letters_beside_small_boards(
    quiet: "Page", link: str
) -> None:
    resize(quiet, NARROW)
    quiet.goto(link)
    name = quiet.locator(".results .seat a").first
    name.evaluate("(each) => { each.textContent = 'W'.repeat(20); }")
    shown = "(each) => [each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight]"
    assert max(name.evaluate(shown)) <= 0
    assert name.evaluate("(each) => each.getBoundingClientRect().width") > 0


def test_the_first_page_stays_fresh(quiet: "Page", link: str) -> None:
    quiet.goto(link)
    quiet.evaluate("document.querySelector('#featured').replaceChildren('old')")
    quiet.wait_for_selector("#featured:has-text('Replay match')")


def test_the_columns_of_models_fit_beside_those_of_others(quiet: "Page", tmp_path: Path) -> None:
    call = ModelCall(
        ply=1,
        seat=0,
        attempt=0,
        version=1,
        digest="",
        prompt="",
        answer="b2",
        tokens_in=1210,
        tokens_out=9,
        cost=0.1,
    )
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "claude-of-a-long-name", "other")
        number = add_tournament(store, one, two)
        store.calls.note(number, MatchKey(0, 0), replace(call, version=one))
        save_encounter(store, number, 0, (one, two), "WW")
    resize(quiet, (1200, 900))
    with served(tmp_path) as address:
        quiet.goto(f"{address.rstrip('/')}/tournaments/{number}")
        table = quiet.locator(".scroll:has(table.standings)")
        assert "Tokens/move" in table.inner_text()
        assert table.evaluate("(each) => each.scrollWidth - each.clientWidth") <= 0
