"""`league people`: the people of a hosted league, from a terminal."""

import csv
import json
from pathlib import Path

import pytest

from league.hosting.accounts import invitations, sign_ins
from league.hosting.store.host_store import HostStore, open_host_store
from tests.league.command import both, league

PASSWORD = "rooks on open files"  # noqa: S105 (a test's own)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make an empty league."""
    with open_host_store(str(tmp_path / "league.db"), create=True) as store:
        store.settings.set("host-url", "https://games.example.org/league/")
    return tmp_path


def _open(folder: Path) -> HostStore:
    return open_host_store(str(folder / "league.db"))


def _token(link: str) -> str:
    before, _, token = link.strip().rpartition("/")
    assert before == "https://games.example.org/league/invitation"
    return token


def test_links_lead_to_where_the_host_listens_if_no_address_is_set(tmp_path: Path) -> None:
    with open_host_store(str(tmp_path / "league.db"), create=True) as store:
        store.settings.set("host-own-url", "http://127.0.0.1:8200/")
    link, _ = both(tmp_path, "people", "add", "ada")
    assert link.startswith("http://127.0.0.1:8200/invitation/")


@pytest.mark.slow
def test_a_person_is_added_and_sets_a_password_by_the_link(folder: Path) -> None:
    link, told = both(folder, "people", "add", "ada", "--team", "rooks", "--name", "Ada King")
    assert "works once, for 14 days" in told
    with _open(folder) as store:
        invitations.accept(store, _token(link), PASSWORD)
        sign_ins.sign_in(store, "ada", PASSWORD)
    listed = league(folder, "people", "list")
    assert all(word in listed for word in ("ada", "author", "rooks", "Ada King", "active"))
    assert "Ada King" in league(folder, "people", "show", "ADA")
    refused = league(folder, "people", "add", "Ada", code=1)
    assert refused == "league: login 'Ada' is in use by 'ada'\n"


@pytest.mark.slow
def test_a_roster_is_imported_twice_with_the_same_end(folder: Path) -> None:
    rows = ["login,name,email,team,role"]
    rows += [f"s{n},Student {n},s{n}@example.org,team{n // 2},author" for n in range(60)]
    (folder / "roster.csv").write_text("\n".join(rows))
    told = both(folder, "people", "import", "roster.csv", "--links", "links.csv")[1]
    assert told == "60 added, 0 were there already; their links are in links.csv\n"
    assert (folder / "links.csv").stat().st_mode & 0o077 == 0
    links = list(csv.DictReader((folder / "links.csv").read_text("utf-8").splitlines()))
    assert len({_token(each["link"]) for each in links}) == 60
    before = league(folder, "people", "list", "--json")
    assert len({each["team"] for each in json.loads(before)}) == 30
    told = both(folder, "people", "import", "roster.csv")[1]
    assert told.startswith("0 added, 60 were there already\n")
    assert "'league people link --pending --links FILE' makes new links" in told
    assert league(folder, "people", "list", "--json") == before
    # The links of before still work; the file of links is never overwritten.
    with _open(folder) as store:
        assert invitations.invited(store, _token(links[0]["link"])) is not None
    refused = league(folder, "people", "import", "roster.csv", "--links", "links.csv", code=1)
    assert "'links.csv' exists" in refused


def test_of_a_faulty_roster_nobody_is_added(folder: Path) -> None:
    (folder / "roster.csv").write_text("login,role\nada,author\nb en,author\neve,boss\n")
    told = league(folder, "people", "import", "roster.csv", "--links", "links.csv", code=1)
    assert "line 3: login 'b en'" in told
    assert "line 4: role 'boss': expected organiser or author" in told
    assert not (folder / "links.csv").exists()
    assert json.loads(league(folder, "people", "list", "--json")) == []
    (folder / "roster.csv").write_bytes("login,name\nada,J\u00fcrg\n".encode("latin-1"))
    assert "is not UTF-8" in league(folder, "people", "import", "roster.csv", code=1)
    assert "can't read" in league(folder, "people", "import", "none.csv", code=1)


def test_cells_of_links_are_no_formulas(folder: Path) -> None:
    (folder / "roster.csv").write_text('login,name\nada,"=1+1"\n')
    league(folder, "people", "import", "roster.csv", "--links", "links.csv")
    assert ",'=1+1," in (folder / "links.csv").read_text()


def test_the_last_organiser_stays(folder: Path) -> None:
    league(folder, "people", "add", "ada", "--role", "organiser")
    for words in (("disable", "ada"), ("remove", "ada", "--yes")):
        assert "the last organiser" in league(folder, "people", *words, code=1)
    (folder / "roster.csv").write_text("login,role\nada,author\n")
    assert "the last organiser" in league(folder, "people", "import", "roster.csv", code=1)
    (folder / "roster.csv").write_text("login,role\nada,author\ngrace,organiser\n")
    league(folder, "people", "import", "roster.csv")
    league(folder, "people", "disable", "ada")


@pytest.mark.slow
def test_links_are_made_anew_for_whoever_never_came(folder: Path) -> None:
    first = league(folder, "people", "add", "ada")
    league(folder, "people", "add", "eve")
    with _open(folder) as store:
        invitations.accept(store, _token(first), PASSWORD)
    pending = json.loads(league(folder, "people", "link", "--pending", "--json"))
    assert [each["login"] for each in pending] == ["eve"]
    assert _token(league(folder, "people", "link", "ada"))
    assert "did you mean 'ada'" in league(folder, "people", "link", "adda", code=1)
    assert "LOGIN or --pending" in league(folder, "people", "link", code=2)
    league(folder, "people", "disable", "eve")
    assert "is disabled" in league(folder, "people", "link", "eve", code=1)
    league(folder, "people", "enable", "eve")
    league(folder, "people", "link", "eve")


@pytest.mark.slow
def test_a_removed_person_leaves_the_team_and_no_trace(folder: Path) -> None:
    for login in ("ada.lovelace", "grace"):
        league(folder, "people", "add", login, "--team", "rooks", "--email", f"{login}@b.org")
    assert "give --yes" in league(folder, "people", "remove", "ada.lovelace", code=2)
    league(folder, "people", "remove", "ada.lovelace", "--yes")
    league(folder, "people", "rename-team", "rooks", "bishops")
    assert "reserved" in league(folder, "people", "rename-team", "bishops", "all", code=1)
    log = league(folder, "people", "audit", "--json")
    assert "lovelace" not in log
    actions = [(each["action"], each["subject"]) for each in json.loads(log)]
    assert actions[:2] == [("renamed team", "team bishops"), ("deleted", "person 1")]
    assert "lovelace" not in league(folder, "people", "list", "--json")
    assert "grace" in league(folder, "people", "audit", "grace")
    with _open(folder) as store:
        assert [each.name for each in store.people.teams()] == ["bishops"]


def test_names_that_look_alike_are_refused(folder: Path) -> None:
    league(folder, "people", "add", "ada", "--team", "rooks")
    (folder / "roster.csv").write_text("login,team\nben,r00ks\n")
    assert "looks like 'rooks'" in league(folder, "people", "import", "roster.csv", code=1)


def test_links_that_work_on_this_machine_alone_are_pointed_out(tmp_path: Path) -> None:
    league(tmp_path, "host", "init", "--game", "tictactoe")
    (tmp_path / "roster.csv").write_text("login,team\nann,rooks\n", encoding="utf-8")
    told = both(tmp_path, "people", "import", "roster.csv", "--links", "links.csv")[1]
    assert "these links begin with http://localhost:8000/ and work on this machine alone" in told
    assert "'league host settings url=https://…'" in told
    # Nobody is new: no file is left that has no link.
    told = both(tmp_path, "people", "import", "roster.csv", "--links", "again.csv")[1]
    assert not (tmp_path / "again.csv").exists()
    assert "1 of those who were there" in told
    league(tmp_path, "host", "settings", "url=https://games.example.org/ai")
    told = both(tmp_path, "people", "link", "--pending", "--links", "pending.csv")[1]
    assert "work on this machine alone" not in told
    rows = list(csv.DictReader((tmp_path / "pending.csv").read_text("utf-8").splitlines()))
    assert {each["login"] for each in rows} >= {"ann"}
    assert all(each["link"].startswith("https://games.example.org/ai/invitation/") for each in rows)
    said = league(tmp_path, "people", "link", "ann", "--links", "one.csv", code=2)
    assert "--links goes with --pending" in said
