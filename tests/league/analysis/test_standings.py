"""Standings: ranked by fitted ratings, apart by pools, and said in words."""

import csv
import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from games.support.errors import InputError
from league.analysis.crosstable import crosstable
from league.analysis.rating_history import history
from league.analysis.standings import Anchor, Standings, standings
from league.cli.main import cli
from league.interchange.documents.tournaments import standings_document
from league.model.errors import DatabaseError
from league.model.records import MatchKey, MatchRecord, Termination
from league.store.store import Store, open_store
from tests.league.command import league
from tests.league.matches import add_bots, add_tournament, save_encounter, won_match

GAME = "connectfour"
NAMES = ("weak", "strong", "middle", "alone", "apart", "idle")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a league of two pools, in one tournament by ratings with an entrant that waits."""
    path = tmp_path / "league.db"
    with open_store(str(path), create=True) as store:
        weak, strong, middle, alone, apart, idle = add_bots(store, *NAMES)
        bots = (weak, strong, middle, alone, apart, idle)
        tournament = add_tournament(store, *bots, format="adaptive")
        crash = MatchRecord(
            game=GAME,
            versions=(weak, middle),
            seed=1,
            opening=(),
            moves=(),
            scores=(0.0, 1.0),
            termination=Termination.CRASH,
            fault_seat=0,
        )
        batch = [won_match(strong, middle), won_match(middle, strong)] * 4
        batch += [
            *[won_match(strong, middle)] * 5,
            crash,
            *[won_match(middle, weak), won_match(weak, middle, (0.0, 1.0))] * 12,
        ]
        batch += [won_match(alone, apart), won_match(apart, alone, (0.5, 0.5))]
        matches = [(MatchKey(number, 0), match) for number, match in enumerate(batch)]
        store.matches.save(tournament, matches)
    return path


@pytest.fixture
def found(path: Path) -> Standings:
    with open_store(str(path)) as store:
        return standings(store, GAME, 1)


def test_ranks_are_within_pools(found: Standings) -> None:
    assert [(row.pool, row.rank, row.bot) for row in found.rows] == [
        (1, 1, "strong"),
        (1, 2, "middle"),
        (1, 3, "weak"),
        (2, 1, "alone"),
        (2, 2, "apart"),
        (0, 0, "idle"),
    ]
    # By the ratings: the one in the middle has the better score.
    assert found.rows[1].score > found.rows[0].score
    assert found.rows[2].forfeits == {Termination.CRASH: 1}
    assert sum(row.points for row in found.rows) == 40
    assert found.overlaps == [(1, (1, 2)), (2, (1, 2))]
    assert found.rows[0].los is not None
    assert 0.5 < found.rows[0].los < 0.975
    assert found.rows[2].los is None
    assert math.isnan(found.los[0, 3])
    assert found.los[0, 2] > 0.975


def test_bots_with_one_rating_and_interval_are_shown_with_one_rank(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        first, *equals, last = add_bots(store, "first", "one", "two", "three", "last")
        tournament = add_tournament(store, first, *equals, last, format="adaptive")
        pairs = [(first, each) for each in equals] + [(each, last) for each in equals]
        batch = [won_match(*pair) for pair in pairs for _ in range(9)]
        store.matches.save(
            tournament, [(MatchKey(number, 0), match) for number, match in enumerate(batch)]
        )
        found = standings(store, GAME)
    assert [row.shown_rank for row in found.rows] == [1, 2, 2, 2, 5]
    # The ranks below stay distinct, because the runs of close bots are counted with them.
    assert [row.rank for row in found.rows] == [1, 2, 3, 4, 5]
    assert found.overlaps == [(1, (1, 2, 3, 4, 5))]
    assert found.close_ranks() == ["ranks 1 to 5 are not statistically separated"]


def test_the_mean_of_a_pool_is_the_leagues_initial_rating(path: Path) -> None:
    with open_store(str(path)) as store:
        store.settings.set("initial", "1000")
        rows = standings(store, GAME).rows
        for pool in (1, 2):
            of_pool = [row.rating for row in rows if row.pool == pool]
            assert sum(of_pool) / len(of_pool) == pytest.approx(1000)
        rows = standings(store, GAME, anchor=Anchor("", 1500)).rows
        assert sum(row.rating for row in rows[:3]) == pytest.approx(4500)


def test_an_anchor_is_held(path: Path) -> None:
    with open_store(str(path)) as store:
        free = standings(store, GAME).rows
        rows = standings(store, GAME, anchor=Anchor.read("weak=800")).rows
        assert rows[2].rating == pytest.approx(800)
        assert rows[2].error == pytest.approx(0, abs=1e-6)
        assert rows[0].rating - 800 == pytest.approx(free[0].rating - free[2].rating)
        with pytest.raises(InputError, match="no bot 'week' to anchor by"):
            standings(store, GAME, anchor=Anchor("week", 1))
        with pytest.raises(InputError, match="'elo' takes no anchor"):
            standings(store, GAME, spec="elo", anchor=Anchor("weak", 1))
    for wrong in ("weak", "weak=", "weak=nan", ""):
        with pytest.raises(InputError, match="no anchor"):
            Anchor.read(wrong)


def test_without_a_prior_there_may_be_no_ratings(path: Path) -> None:
    with open_store(str(path)) as store, pytest.raises(InputError, match="took every point"):
        standings(store, GAME, spec="fitted:prior=0")


def test_a_live_system_has_no_bars(path: Path) -> None:
    with open_store(str(path)) as store:
        league_wide, alone = standings(store, GAME, spec="elo"), standings(store, GAME, 1, "elo")
    assert [row.error for row in league_wide.rows] == [None] * 5
    assert league_wide.overlaps == []
    # There is but one tournament.
    assert [row.rating for row in alone.rows[:5]] == [row.rating for row in league_wide.rows]


def test_words_say_what_the_table_does_not(found: Standings) -> None:
    assert found.sentences() == [
        "in pool 1, ranks 1 and 2 are not statistically separated",
        "in pool 2, ranks 1 and 2 are not statistically separated",
        "2 pools never met one another: their ratings can't be compared",
        "no match yet, and so no rating and no bar: idle",
    ]


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    """Make a league of a ring of three and a bot that loses to all."""
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        rock, scissors, paper, sand = add_bots(store, "rock", "scissors", "paper", "sand")
        tournament = add_tournament(store, rock, scissors, paper, sand)
        beaten = [(rock, scissors), (scissors, paper), (paper, rock)]
        beaten += [(rock, sand), (scissors, sand), (paper, sand)]
        for number, (winner, loser) in enumerate(beaten * 4):
            save_encounter(store, tournament, number, (winner, loser), "WW")
    return tmp_path


RING = "rock beats scissors beats paper beats rock: one number can't order them"


@pytest.mark.slow
def test_a_ring_is_named_below_the_table(ring: Path) -> None:
    for how in ([], ["--tournament", "1"], ["--system", "elo"]):
        assert f"{RING}; see --system nash" in league(ring, "standings", *how)
    for told in json.loads(league(ring, "standings", "--json")):
        (cycle,) = told["cycles"]
        assert cycle == {
            "bots": ["rock", "scissors", "paper"],
            "won": [8, 8, 8],
            "lost": [0, 0, 0],
        }


@pytest.mark.slow
def test_csv_has_the_tie_breaks_of_the_table(ring: Path) -> None:
    lines = list(
        csv.DictReader(league(ring, "standings", "--tournament", "1", "--csv").splitlines())
    )
    (table,) = json.loads(league(ring, "standings", "--tournament", "1", "--json"))
    assert len(table["tiebreaks"]) > 1
    assert list(lines[0])[-len(table["tiebreaks"]) :] == table["tiebreaks"]
    for line, row in zip(lines, table["standings"], strict=True):
        assert float(line["total"]) == row["total"]
        told = [line[each] for each in table["tiebreaks"]]
        assert told == ["" if each is None else str(each) for each in row["tiebreaks"]]
    whole = league(ring, "standings", "--csv", "--system", "nash").splitlines()
    assert whole[0].endswith(",share,total")
    assert whole[1].endswith(",0.3333,")


@pytest.mark.slow
def test_a_ring_of_hidden_bots_is_not_named(ring: Path) -> None:
    with open_store(str(ring / "league.db")) as store:
        store.bots.retire("paper")
    assert "beats" not in league(ring, "standings")
    assert RING in league(ring, "standings", "--include-retired")


@pytest.mark.slow
def test_the_mix_has_a_column(ring: Path) -> None:
    out = league(ring, "standings", "--system", "nash")
    assert "connectfour, Nash averaging" in out
    assert RING in out
    assert "see --system nash" not in out
    assert max(map(len, out.splitlines())) <= 80
    rows = [line.split() for line in out.splitlines() if "+" in line and "=" in line]
    assert [(row[1], row[2], row[3]) for row in rows[1:4]] == [
        (bot, "1200", "33.3%") for bot in ("rock", "scissors", "paper")
    ]
    assert rows[4][3] == "–"
    (told,) = json.loads(league(ring, "standings", "--system", "nash", "--json"))
    assert [row["share"] for row in told["standings"]] == [0.3333, 0.3333, 0.3333, 0]


def test_the_crosstable_has_those_who_played(path: Path) -> None:
    with open_store(str(path)) as store:
        rows, cells = crosstable(store, GAME, 1)
        assert [row.bot for row in rows] == ["strong", "middle", "weak", "alone", "apart"]
        assert cells[rows[0].version, rows[1].version].points == 9


@pytest.mark.slow
def test_the_table_fits_eighty_columns(path: Path) -> None:
    out = league(path.parent, "standings", "--tournament", "1", "--anchor", "weak=1000")
    assert max(map(len, out.splitlines())) <= 80
    assert "+9 =0 −4" in out
    assert "1 crash" in out
    assert "connectfour, tournament 1, pool 2" in out
    assert "weak is held at 1000" in out
    assert "forfeits" not in league(path.parent, "standings", "--system", "nothing", code=1)


@pytest.mark.slow
def test_a_matrix_in_all_forms(path: Path) -> None:
    folder = path.parent
    text = league(folder, "standings", "--matrix")
    assert "likelihood of superiority" in text
    (table,) = json.loads(league(folder, "standings", "--matrix", "--json"))
    assert table["los"][0][0] is table["los"][0][3] is None
    assert table["los"][0][2] + table["los"][2][0] == pytest.approx(1)
    lines = league(folder, "standings", "--matrix", "--csv").splitlines()
    assert lines[0] == "game,bot,against,los"
    assert len(lines) == 1 + 3 * 2 + 2


@pytest.mark.slow
def test_history_is_kept_computed_and_listed(path: Path) -> None:
    folder = path.parent
    assert "nothing kept yet" in league(folder, "ratings", "history", "weak")
    done = json.loads(league(folder, "ratings", "recompute", "--json"))
    assert [(row["system"], row["snapshots"]) for row in done] == [("fitted", 1), ("elo", 40)]
    (point,) = json.loads(league(folder, "ratings", "history", "weak", "--json"))
    assert (point["matches"], point["tournament"]) == (25, 1)
    csv = league(folder, "ratings", "history", "weak", "--system", "elo", "--csv").splitlines()
    assert len(csv) == 1 + 25
    assert "fitted" in league(folder, "ratings", "recompute", "--game", GAME)
    assert "1 " in league(folder, "ratings", "history", "weak")


@pytest.mark.parametrize("may_write", [True, False])
def test_what_took_long_is_kept_where_that_may_be(
    path: Path, monkeypatch: pytest.MonkeyPatch, may_write: bool
) -> None:
    def opened(target: str, **how: bool) -> Store:
        if not how.get("read_only") and not may_write:
            raise DatabaseError("read-only", target)
        return open_store(target, **how)

    monkeypatch.setattr("league.store.store.open_store", opened)
    monkeypatch.setattr("league.analysis.rating_history.FAR", 36)
    asked = ["standings", "--system", "elo", "--db", str(path)]
    for _ in range(2):
        shown = CliRunner().invoke(cli, asked)
        assert (shown.exit_code, "strong" in shown.output) == (0, True)
    with open_store(str(path)) as store:
        assert len(history(store, GAME, "elo", "weak")) == (25 if may_write else 0)


def test_nothing_has_no_standings(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        assert standings(store, GAME).rows == []
        assert isinstance(store, Store)


@pytest.mark.slow
def test_a_store_that_remembers_has_the_standings_of_now(path: Path) -> None:
    with open_store(str(path), read_only=True, remembers=True) as reader:
        before = standings(reader, GAME, 1)
        assert standings(reader, GAME, 1) is before
        assert standings(reader, GAME, 1, anchor=Anchor("", 900)) is not before
        cells = crosstable(reader, GAME, 1)[1]
        with open_store(str(path)) as store:
            weak, strong = (store.bots.get(name).versions[-1].id for name in ("weak", "strong"))
            store.matches.save(1, [(MatchKey(99, 0), won_match(weak, strong))])
            expected = standings_document(standings(store, GAME, 1), has_matrix=True)
            store.settings.set("initial", "1000")
            moved = standings_document(standings(store, GAME, 1), has_matrix=True)
            assert crosstable(store, GAME, 1)[1] == crosstable(reader, GAME, 1)[1] != cells
            assert (
                standings_document(standings(reader, GAME, 1), has_matrix=True) == moved != expected
            )


@pytest.mark.parametrize(
    ("format", "encounters", "bots"),
    [
        ("knockout", 2, "the winner and of those who left early"),
        ("gauntlet", 2, "the best and the worst challengers"),
        ("roundrobin", 2, ""),
        ("gauntlet", 20, ""),
    ],
)
def test_bars_of_few_matches_are_doubted_where_they_hold_less_often(
    tmp_path: Path, format: str, encounters: int, bots: str
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        tournament = add_tournament(store, one, two, format=format)
        for number in range(encounters):
            save_encounter(store, tournament, number, (one, two), "WL")
        sentences = standings(store, GAME, tournament).sentences()
    doubts = [f"few matches: the bars of {bots} can be too narrow"] if bots else []
    assert [each for each in sentences if "few matches" in each] == doubts
