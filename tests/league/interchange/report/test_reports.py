"""Reports: what is notable, that names are text, and that the settings hold a tournament again."""

import base64
import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from league.interchange.report import notable as finding
from league.interchange.report.contents import contents_of
from league.interchange.report.markdown import markdown
from league.interchange.report.page import page as page_of
from league.model.errors import DatabaseError
from league.model.records import MatchKey, MatchRecord, MoveRecord, ReportRecord, Termination
from league.store.store import Store, open_store
from tests.browser import NARROW, WIDE, resize
from tests.league.command import league
from tests.league.matches import add_bots, add_tournament, won_match
from tests.league.web.test_pages import FAULTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=alert(1)>"
WON, LOST, DRAWN = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)


def match(
    first: int, second: int, scores: tuple[float, float], plies: int, told: tuple[float, ...] = ()
) -> MatchRecord:
    """Return a match of so many plies after its opening; `told` are scores of the second seat."""
    columns = (2, 3, 2, 3, 4, 5, 4, 5)[:plies]
    reports = [None, *(ReportRecord(score=each) for each in told)]
    moves = [
        # The opening has a ply: the second seat has the first of these, and every other.
        MoveRecord(column, wall_ns=1_000_000, report=reports[number // 2 + 1] if is_told else None)
        for number, column in enumerate(columns)
        for is_told in [number % 2 == 0 and number // 2 < len(told)]
    ]
    return replace(won_match(first, second, scores), moves=tuple(moves))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a league in which a bot with a harmful name is the strongest by far."""
    path = tmp_path / "league.db"
    with open_store(str(path), create=True) as store:
        strong, weak = add_bots(store, HOSTILE, "weak")
        tournament = add_tournament(store, strong, weak)
        batch = [match(strong, weak, WON, 4) for _ in range(9)]
        batch += [
            match(strong, weak, DRAWN, 8),
            match(weak, strong, WON, 6, (0.5, -40.0, 2.0)),
            match(strong, weak, WON, 2, (1.0,)),
            match(weak, strong, DRAWN, 6, (1.0, 30.0, 29.0)),
            replace(
                match(strong, weak, LOST, 1),
                termination=Termination.CRASH,
                fault_seat=0,
                detail="\x1b[31mboom",
            ),
        ]
        store.matches.save(
            tournament, [(MatchKey(number, 0), each) for number, each in enumerate(batch)]
        )
    return path


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(str(path), read_only=True) as found:
        yield found


def test_the_notable_matches_are_found(store: Store) -> None:
    found = contents_of(store, store.tournaments.get(1)).notable
    assert [(each.title, each.replay.row.id) for each in found] == [
        ("The longest", 10),
        ("The shortest win", 12),
        ("The biggest upset", 11),
        ("The biggest swing of a score", 11),
    ]
    assert [each.told for each in found[:2]] == ["9 plies", "3 plies"]
    assert found[2].told.startswith(f"weak beat {HOSTILE}, rated ")
    assert found[3].told == f"{HOSTILE} went from −40 to +2 at ply 6"
    assert found[3].command == "league replay 11"


def test_of_many_matches_some_are_looked_at_and_that_is_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "LOOKED_AT", 7)
    looked: list[tuple[int, int]] = []
    found = contents_of(store, store.tournaments.get(1), lambda *each: looked.append(each)).notable
    assert looked == [(done, 7) for done in range(1, 8)]
    # Every other match is looked at: the eleventh is one of them.
    assert found[3].told.endswith(", among 7 matches looked at")


@pytest.mark.slow
def test_the_page_is_text_needs_nothing_and_runs_nothing(store: Store) -> None:
    text = page_of(contents_of(store, store.tournaments.get(1)))
    assert "<img src=x" not in text
    assert "<script" not in text
    assert "\x1b" not in text
    assert not re.search(r'(src|href)="(?!data:)', text)
    assert not re.search(r"url\(|@import", text)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert style is not None
    assert policy is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in unescape(policy[1])
    said = " ".join(unescape(re.sub(r"<[^>]*>", " ", text[text.index("</style>") :])).split())
    assert f"{HOSTILE} lost by its own fault: 1 crash" in said
    assert "rules 13 92.9% crash 1 7.1%" in said
    assert "+10 =2 −2" in said
    assert text.count('src="data:image/svg+xml') == 4


def test_markdown_has_names_as_text(store: Store) -> None:
    text = markdown(contents_of(store, store.tournaments.get(1)))
    assert r"&lt;img src=x onerror=alert(1)&gt;" in text
    # What is indented is code, in which nothing is markup.
    assert not re.search(r"^(?!    ).*<img", text, re.MULTILINE)
    assert re.search(r"^\| 1 \| .* \| \+10 =2 −2 \| 14 \| 1 crash \|$", text, re.MULTILINE)
    assert "| bot | spec | options | digest |" in text
    assert "`league replay 11`" in text
    block = "".join(line[4:] + "\n" for line in text.splitlines() if line.startswith("    "))
    assert tomllib.loads(block)["bots"] == [HOSTILE, "weak"]


def test_a_match_that_can_not_be_replayed_is_told(path: Path) -> None:
    with open_store(str(path)) as store:
        first, second = (bot.versions[0].id for bot in store.bots.all())
        broken = replace(won_match(first, second), moves=(MoveRecord(99),))
        store.matches.save(1, [(MatchKey(99, 0), broken)])
        with pytest.raises(DatabaseError, match="match 15 can't be replayed"):
            contents_of(store, store.tournaments.get(1))


@pytest.mark.slow
def test_the_command_writes_all_forms_and_the_settings_hold_it_again(tmp_path: Path) -> None:
    for name, spec in {"ab": "alphabeta:depth=2", "rnd": "random"}.items():
        league(tmp_path, "register", name, spec, "--no-check")
    run = ("--game", "tictactoe", "--bots", "all", "--rounds", "2", "--nodes", "99", "--seed", "7")
    league(tmp_path, "run", *run, "--handicap", "ab=0.5", "--quiet")
    assert league(tmp_path, "report", "1", "--html", "-o", "report.html") == ""
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert league(tmp_path, "report", "1").startswith("<!doctype html>")
    settings = re.search(r"<pre[^>]*>(.*?)</pre>", text, re.DOTALL)
    assert settings is not None
    (tmp_path / "again.toml").write_text(unescape(settings[1]), encoding="utf-8")
    league(tmp_path, "run", "again.toml", "--quiet")
    told = [json.loads(league(tmp_path, "report", str(each), "--json")) for each in (1, 2)]
    assert told[0]["settings"] == told[1]["settings"]
    assert told[0]["standings"]["standings"] == told[1]["standings"]["standings"]
    assert league(tmp_path, "report", "--markdown").startswith("# Tournament 2")
    said = league(tmp_path, "report", "--markdown", "--json", code=2)
    assert "choose one of --html, --markdown and --json" in said
    assert "no tournament 9" in league(tmp_path, "report", "9", code=1)


@pytest.mark.slow
def test_a_report_fits_and_asks_nobody(quiet: "Page", tmp_path: Path, store: Store) -> None:
    file = tmp_path / "report.html"
    file.write_text(page_of(contents_of(store, store.tournaments.get(1))), encoding="utf-8")
    quiet.goto(file.as_uri())
    for size in (WIDE, NARROW):
        resize(quiet, size)
        for scheme in ("light", "dark"):
            quiet.emulate_media(color_scheme=scheme)
            assert quiet.evaluate(FAULTS) == []
    assert quiet.evaluate("document.images.length") == 4
    assert quiet.evaluate("[...document.images].every((each) => each.naturalWidth > 0)")
