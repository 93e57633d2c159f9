"""A league of the previous version (revision 0007, records of form 3) is upgraded as it is."""

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from league.analysis.verify import verify
from league.model.records import MatchRecord
from league.store import old_records
from league.store.migration import HEAD, migrate, upgrade_database
from league.store.record_codec.record import FORM, decode_record
from league.store.store import open_store
from tests.league.command import league

HERE = Path(__file__).parent

UNKNOWN = (
    '[2,"nosuchgame",[1,2],7,[],[1.0,0.0],"rules",null,null,"","",9,null,null,[[],[],[],[],[]]]'
)
"""A record of a game that is not installed here."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a league as the previous version left it: four games, faults, luck, an import."""
    path = tmp_path / "league.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / "league_0007.sql").read_text())
    return path


def rows(path: Path) -> list[tuple[bytes, str | None]]:
    """Return the stored records and lines of moves."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT data, moves FROM record ORDER BY match_id").fetchall()


def records(path: Path) -> list[MatchRecord]:
    """Return the records without their lines of moves."""
    return [decode_record(data) for data, _ in rows(path)]


PRIOR = ("--system", "fitted:prior=0.5")
"""The ratings of that time."""


@pytest.mark.slow
def test_an_upgraded_league_is_the_same(old: Path) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    standings = json.loads((HERE / "league_0007_standings.json").read_text())
    migrate(str(old))
    before = records(old)
    told = league(old.parent, "db", "upgrade")
    assert "is up to date" in told
    assert "8 match records rewritten" in told
    assert "left" not in told
    assert records(old) == before
    assert {data[0] for data, _ in rows(old)} == {FORM}
    assert rows(old)[6][1] == "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"
    assert "0 findings" in league(old.parent, "db", "verify")
    found = json.loads(league(old.parent, "standings", "--json", *PRIOR))
    # Keys have been added since.
    for now, then in zip(found, standings, strict=True):
        for row, expected in zip(now["standings"], then["standings"], strict=True):
            assert {key: row[key] for key in expected} == expected
        now["standings"] = then["standings"]
        assert {key: now[key] for key in then} == then
    assert "rewritten" not in league(old.parent, "db", "upgrade")


@pytest.mark.slow
def test_everything_reads_records_that_are_not_rewritten(old: Path) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    upgrade_database(str(old))
    with open_store(str(old), read_only=True) as store:
        assert verify(store) == (8, [])
        assert [record.notation for *_, record in store.records(store.match_ids())] == [None] * 8
        assert store.beginnings([1])[1][0] == "connectfour"
    assert json.loads(league(old.parent, "replay", "1", "--json"))["match"] == 1
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("SELECT count(*) FROM match_moves").fetchone() == (0,)


@pytest.mark.slow
def test_records_that_cannot_be_replayed_stay_as_they_are(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection, connection:
        query = "UPDATE record SET data=? WHERE match_id=?"
        connection.execute(query, (zlib.compress(UNKNOWN.encode()), 5))
        connection.execute(query, (b"damaged", 2))
    told = league(old.parent, "db", "upgrade")
    assert f"0007 -> {HEAD}" in told
    assert "6 match records rewritten" in told
    assert "2 match records left as they are" in told
    kept = rows(old)
    assert kept[1] == (b"damaged", None)
    assert kept[4] == (zlib.compress(UNKNOWN.encode()), None)
    assert "2 match records left" in league(old.parent, "db", "upgrade")


@pytest.mark.slow
def test_an_interrupted_rewriting_goes_on(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    monkeypatch.setattr(old_records, "BATCH", 3)
    upgrade_database(str(old))

    def interrupt(done: int, total: int) -> None:
        assert total == 8
        if done == 6:
            raise KeyboardInterrupt

    with open_store(str(old)) as store:
        with pytest.raises(KeyboardInterrupt):
            store.rewrite_records(interrupt)
        assert [moves is None for _, moves in rows(old)] == [False] * 6 + [True] * 2
        done = store.rewrite_records()
    assert (done.records, done.left) == (2, 0)
