"""The pages of bots, of two bots and of games: what they tell, and that names are text."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

from league.model.records import MatchKey, MoveRecord, ReportRecord, Termination
from league.ratings.head_to_head import HeadToHead, ScoreShare
from league.render import template
from league.store.store import Store, open_store
from tests.league.matches import add_bots, add_tournament, save_encounter, won_match
from tests.league.web.asking import ask

HOSTILE = "<img src=x onerror=alert(1)>"
SLASHED = "a/b?&#[red]x[/red]"
LOG = "\x1b[31m[red]x[/red] <script>alert(1)</script>\u202e\nlast line"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of bots whose names mean harm, one of which crashes."""
    path = tmp_path_factory.mktemp("league") / "league.db"
    with open_store(str(path), create=True) as store:
        hostile, slashed, plain = add_bots(store, HOSTILE, SLASHED, "plain")
        tournament = add_tournament(store, hostile, slashed, plain)
        for number, results in enumerate(("WW", "WL", "DL", "L")):
            save_encounter(store, tournament, number, (hostile, slashed), results)
        save_encounter(store, tournament, 4, (hostile, plain), "LL")
        told = ReportRecord(depth=7, nodes=500, score=0.5)
        crash = replace(
            won_match(plain, slashed, (1.0, 0.0)),
            moves=(MoveRecord(2, wall_ns=20_000_000, cpu_ns=10_000_000, over_ns=0, report=told),),
            termination=Termination.CRASH,
            fault_seat=1,
            detail="ValueError: <b>no</b>",
            log=LOG,
        )
        store.matches.save(tournament, [(MatchKey(5, 0), crash)])
    return path


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(str(path), read_only=True) as found:
        yield found


def words_of(text: str) -> str:
    """Return what is left of a page without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def page_of(store: Store, *parts: str) -> str:
    """Return the page at an address of names."""
    status, text, _ = ask(store, "/" + "/".join(quote(part, safe="") for part in parts))
    assert status == 200
    assert "<img src=x" not in text
    assert "<script>" not in text
    return text


@pytest.mark.slow
def test_a_bot_has_its_form_opponents_and_ratings(store: Store) -> None:
    text = page_of(store, "bots", HOSTILE)
    said = words_of(text)
    # The rating and its interval, once: no other number is called so.
    rating = re.search(r"rank 3 of 3 (\d+) ±(\d+) .* is between (\d+) and (\d+)", said)
    assert rating is not None
    middle, half, low, high = map(int, rating.groups())
    # They agree as they are shown: rounded by themselves, the upper end would be 1310.
    assert (low, high) == (middle - half, middle + half)
    assert "3 won 1 drawn 5 lost" in said
    letters = re.findall(r'class="(won|lost|drawn)" href="/matches/(\d+)"[^>]*>(\w)<', text)
    # The second match of an encounter has the bot in the other seat.
    assert [letter for _, _, letter in letters] == list("LLLLDLWWW")
    assert [int(match) for _, match, _ in letters] == list(range(9, 0, -1))
    assert {(kind, letter) for kind, _, letter in letters} == {
        ("won", "W"),
        ("lost", "L"),
        ("drawn", "D"),
    }
    assert "plain +0 =0 −2 0%" in said
    assert f"{SLASHED} +3 =1 −3 50%" in said
    assert said.index("plain +0 =0") < said.index(f"{SLASHED} +3 =1")


@pytest.mark.slow
def test_wins_losses_and_tournaments_lead_to_their_pages(store: Store) -> None:
    said = words_of(page_of(store, "bots", HOSTILE)).partition("Form, the newest first")[2]
    wins, losses = said.partition("Best wins")[2].split("Worst losses")
    assert re.search(rf"\d+ {re.escape(SLASHED)} 3 plies", wins)
    assert re.search(r"\d+ plain 3 plies", losses.partition("Tournaments")[0])
    assert re.search(
        r"Tournaments 1 /3 Connect Four, Round robin #1, \d{4}-\d\d-\d\d , unfinished", said
    )
    # A win by the crash of the other is nothing to be proud of.
    _, heading, rest = page_of(store, "bots", "plain").partition(">Best wins</h2>")
    assert heading
    assert re.search(r'href="/bots/[^"]+\?game=connectfour">.*href="/matches/\d+"', rest)
    assert 'href="/matches/10"' not in rest.partition("</details>")[0]


@pytest.mark.slow
def test_forfeits_tell_the_end_of_the_log_as_text(store: Store) -> None:
    text = page_of(store, "bots", SLASHED)
    assert "\x1b" not in text
    assert "\u202e" not in text
    said = words_of(text)
    assert "crash : ValueError: <b>no</b> Match 10 The end of its log" in said
    assert "\\x1b[31m[red]x[/red] <script>alert(1)</script>\\u202e last line" in said
    assert "Lost by its own fault" in text
    assert "Lost by its own fault" not in page_of(store, "bots", "plain")


def test_matches_lost_by_one_fault_are_told_together_and_first(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        weak, plain = add_bots(store, "weak", "plain")
        tournament = add_tournament(store, weak, plain)
        crash = replace(
            won_match(weak, plain, (0.0, 1.0)), termination=Termination.CRASH, fault_seat=0
        )
        details = ("no column", "no column", "no row", "no column")
        store.matches.save(
            tournament,
            [
                (MatchKey(number, 0), replace(crash, detail=detail))
                for number, detail in enumerate(details)
            ],
        )
        text = page_of(store, "bots", "weak")
    said = words_of(text)
    assert "crash : no column 3 matches: 4 , 2 , 1 crash : no row Match 3 " in said
    assert 'href="#forfeits">Faults</a>' in text
    assert said.index("Lost by its own fault") < said.index("Toughest opponents")


def test_faults_that_differ_in_numbers_alone_are_one(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        weak, plain = add_bots(store, "weak", "plain")
        late = replace(
            won_match(weak, plain, (0.0, 1.0)), termination=Termination.TIME_FORFEIT, fault_seat=0
        )
        details = ("moved after 0.504 s, line 3", "moved after 12 s, line 3", "moved, line 4")
        store.matches.save(
            add_tournament(store, weak, plain),
            [
                (MatchKey(number, 0), replace(late, detail=detail))
                for number, detail in enumerate(details)
            ],
        )
        said = words_of(page_of(store, "bots", "weak"))
    assert "time forfeit : moved, line 4 Match 3" in said
    assert "time forfeit : moved after 12 s, line 3 2 matches: 2 , 1" in said


def test_a_forfeit_among_the_newest_matches_is_red(store: Store) -> None:
    newest = page_of(store, "bots", "plain").partition('id="newest"')[2].partition("</section>")[0]
    assert (
        f'<span class="fault">crash of {SLASHED.partition("[")[0].replace("&", "&amp;")}' in newest
    )
    assert "Ended by" in newest


def test_a_fault_is_of_the_bot_that_failed(store: Store) -> None:
    assert [match.id for match in store.matches.page(fault_of=SLASHED)] == [10]
    assert store.matches.page(fault_of="plain") == ()


@pytest.mark.slow
def test_health_is_drawn_and_said(store: Store) -> None:
    said = words_of(page_of(store, "bots", SLASHED))
    assert "Depth, median 7 " in said
    assert "A move, median" in said
    # Three plies are too few for a chart.
    assert "Depth by ply" not in said


def test_two_bots_are_found_by_names_with_slashes(store: Store) -> None:
    said = words_of(page_of(store, "versus", HOSTILE, SLASHED))
    assert said.count(f"{HOSTILE} – {SLASHED}") >= 1
    assert f"No clear difference between {HOSTILE} and {SLASHED} yet" in said
    assert "3 won 1 drawn 3 lost" in said
    assert "0 LL 1 LD 1 WL 0 DD 0 WD 1 WW" in said
    assert "leave out 1 match of encounters that are not whole" in said
    turned = words_of(page_of(store, "versus", SLASHED, HOSTILE))
    assert "1 LL 0 LD 1 WL 0 DD 1 WD 0 WW" in turned
    text = page_of(store, "versus", HOSTILE, SLASHED)
    one, other = (quote(name, safe="") for name in (HOSTILE, SLASHED))
    assert f"/matches?bot={one}&amp;opponent={other}&amp;game=connectfour" in text
    boards = re.findall(r'/boards/matches/\d+\?at=\d+" alt="The last position', text)
    assert len(boards) == 6


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/versus/plain/plain", 400),
        ("/versus/plain", 404),
        ("/versus/plain/nobody", 404),
        ("/versus/a/b/plain", 404),
        ("/bots/nobody", 404),
        ("/games/nothing", 404),
        ("/games/pyproject.toml%3AGame", 404),
        ("/bots/plain?game=nothing", 200),
        ("/versus/plain/plain?game=%00", 200),
    ],
)
def test_what_is_not_there_is_said(store: Store, address: str, status: int) -> None:
    found, text, _ = ask(store, address)
    assert found == status
    assert "Traceback" not in text


def test_a_game_tells_of_its_rules_and_its_matches(store: Store) -> None:
    said = words_of(page_of(store, "games", "connectfour"))
    for part in (
        "Red and Yellow",
        "10 matches",
        "columns 7",
        "crash 1 10.0%",
        "Red moves first and scores 65.0%",
    ):
        assert part in said
    assert "No cycle found" in said
    assert "in a row, across, up or along a diagonal, wins" in said
    assert "No matches yet" in words_of(page_of(store, "games", "tictactoe"))


def test_a_file_is_no_game_unless_it_was_played(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert ask(store, f"/games/{quote(f'{file}:Mine', safe='')}")[0] == 404
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_crosstables_lead_to_two_bots_and_standings_to_one(store: Store) -> None:
    text = page_of(store, "tournaments", "1")
    one, other = (quote(name, safe="") for name in (HOSTILE, SLASHED))
    assert f'href="/versus/{one}/{other}?game=connectfour"' in text
    listed = text.partition(">Standings</h2>")[2].partition(">Crosstable</h2>")[0]
    assert f'href="/bots/{other}"' in listed


def test_openings_of_few_matches_are_folded() -> None:
    few, many = (
        ScoreShare(f"after {wins} wins", HeadToHead(wins=wins, losses=1)) for wins in (3, 9)
    )
    macro = "{% from '_parts.html' import opening_rows %}{{ opening_rows(rows, 5) }}"

    def drawn(*rows: ScoreShare) -> str:
        return template._environment().from_string(macro).render(rows=rows)

    assert "Too few matches of each opening to compare them: 4 at the most" in drawn(few)
    shown, found, folded = drawn(few, many).partition("<details>")
    assert found
    assert "after 9 wins" in shown
    assert "after 3 wins" not in shown
    assert "1 opening with fewer than 10 matches" in folded


def test_the_bars_of_openings_wear_the_colours_of_the_seats() -> None:
    rows = [ScoreShare("e4", HeadToHead(wins=6, draws=2, losses=2))]
    call = "opening_rows(rows, 5, ('white', 'black'), ('White', 'Black'))"
    macro = f"{{% from '_parts.html' import opening_rows %}}{{{{ {call} }}}}"
    drawn = template._environment().from_string(macro).render(rows=rows)
    assert 'aria-label="White won 6, 2 drawn, Black won 2"' in drawn
    assert 'class="wears-white" width="60.00"' in drawn
    assert 'class="wears-black" x="80.00" width="20.00"' in drawn
    assert "lost" not in drawn


def test_the_bars_of_the_leaders_have_a_scale_of_their_own(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        *others, last = add_bots(store, *(f"bot-{number}" for number in range(12)))
        tournament = add_tournament(store, *others, last)
        for number, other in enumerate(others * 3):
            save_encounter(store, tournament, number, (other, last), "WW")
        text = page_of(store, "games", "connectfour")
    scales = re.findall(r'class="scale"><span>(−?\d+)<.*?<span>(−?\d+)<', text)
    assert len(scales) == 2
    leaders, rest = ([int(end.replace("−", "-")) for end in scale] for scale in scales)
    assert rest[0] < leaders[0]


def test_a_move_limit_is_told_beside_the_rules(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, other = add_bots(store, "one", "other")
        tournament = add_tournament(store, one, other)
        save_encounter(store, tournament, 0, (one, other), "WL")
        told = "Tournaments end long matches as draws too, at their move limit."
        assert told not in words_of(page_of(store, "games", "connectfour"))
        limit = Termination.MOVE_LIMIT
        save_encounter(store, tournament, 1, (one, other), "DD", termination=limit)
        assert told in words_of(page_of(store, "games", "connectfour"))


def test_the_page_of_a_game_names_no_options_of_commands(store: Store) -> None:
    assert not re.search(r" --\w", words_of(page_of(store, "games", "connectfour")))


def test_matches_without_moves_have_no_length_and_even_openings_are_no_news(
    tmp_path: Path,
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, other = add_bots(store, "one", "other")
        tournament = add_tournament(store, one, other)
        bare = replace(won_match(one, other), opening=(), moves=())
        drawn = replace(bare, scores=(0.5, 0.5))
        rows = [(MatchKey(number, 0), drawn) for number in range(30)]
        store.matches.save(tournament, rows)
        said = words_of(page_of(store, "games", "connectfour"))
        assert "100.0% drawn" in said
        assert "Median plies" not in said
        assert "lopsided" not in said
        assert "Lengths of the matches" not in said
