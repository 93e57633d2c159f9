"""The story of a hosted league as its people see it: an organiser, two authors and a visitor."""

import csv
import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import WIDE, Heard, fits, resize
from tests.league.hosting.supervisor.browsing import accept, follow, invite, submit
from tests.league.hosting.supervisor.story import GOOD, Story
from tests.promises import on_linux
from tests.waiting import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Browser, Page

SECRET, SAID = "a-secret-of-the-knights", "the-knights-say-this"
FAULTY = f"""\
import sys

PLAN = "{SECRET}"


class Bot:
    def __init__(self):
        self.matches = 0

    def new_match(self, game, seat, seed):
        self.matches += 1
        print("{SAID}", file=sys.stderr)

    def choose(self, state, clock):
        if self.matches % 30 == 0:
            raise RuntimeError("{SAID}")
        return state.legal_moves()[-1]
"""
"""It plays soundly for longer than a check lasts, and then loses a match by a crash."""

BROKEN = "def choose(state, clock):\n    return 99\n"

SETTINGS = {
    "final-rounds": "1",
    "publish-at-once": "no",
    "marks": "plays: 1 point\nfirst: 3 points",
}

SHOWN = {
    "everything": {"/": 200, "/season": 200, "/bots": 200, "/api/bots": 200},
    "standings": {"/": 200, "/season": 200, "/bots": 303, "/api/bots": 401},
    "nothing": {"/": 303, "/season": 303, "/bots": 303, "/api/standings": 401},
}
"""The status of pages for visitors, by the setting of the season."""


def _home(folder: Path) -> dict[str, Path]:
    """Write the bots of the authors; a folder has files that stay at home."""
    files = {
        "rooks.py": GOOD.format(0),
        "broken.py": BROKEN,
        "knights/bot.py": FAULTY,
        "knights/book.txt": SECRET,
        "knights/.git/config": SECRET,
        "knights/__pycache__/bot.pyc": SECRET,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return {name: folder / name for name in ("rooks.py", "broken.py", "knights")}


def _set_up(organiser: "Page", story: Story, link: str) -> dict[str, str]:
    """Take the league over by the one-time link; return those of two authors."""
    accept(organiser, link)
    organiser.goto(link)
    assert "This link is over" in organiser.inner_text("h1")
    _set(organiser, story, SETTINGS)
    return {login: invite(organiser, login, team) for login, team in TEAMS.items()}


TEAMS = {"ann": "rooks", "bob": "knights"}


def _set(organiser: "Page", story: Story, settings: Mapping[str, str]) -> None:
    organiser.goto(f"{story.url}/organise/settings")
    for key, value in settings.items():
        organiser.fill(f"[name={key}]", value)
    organiser.click("text=Save")
    organiser.wait_for_url("**done=saved")


def _submit_all(ann: "Page", bob: "Page", bots: Mapping[str, Path]) -> None:
    submit(ann, bots["broken.py"])
    follow(ann, "refused")
    told = ann.inner_text("#state")
    assert "illegal move 99" in told
    assert "league check broken.py --game tictactoe" in told
    submit(ann, bots["rooks.py"])
    submit(bob, bots["knights"])
    follow(ann, "playing")
    follow(bob, "playing")
    bob.reload()
    with bob.expect_download() as download:
        bob.click("text=Source")
    with zipfile.ZipFile(download.value.path()) as packed:
        assert packed.read("bot.py").decode() == FAULTY
        assert sorted(packed.namelist()) == ["book.txt", "bot.py"]


def _links_of(page: "Page", addresses: list[str]) -> set[str]:
    """Return the addresses to which pages lead, below that of the league."""
    found = set(addresses)
    for address in addresses:
        page.goto(address)
        found |= set(page.eval_on_selector_all("a[href]", "all => all.map((each) => each.href)"))
    return {each.partition("#")[0] for each in found}


def _text_of(answer: "APIResponse") -> str:
    """Return an answer as text, with the files of a zip in it."""
    body = answer.body()
    if not body.startswith(b"PK"):
        return body.decode("latin-1")
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        return "".join(packed.read(name).decode("latin-1") for name in packed.namelist())


def _check_secrets(story: Story, own: "Page", others: "list[Page]") -> None:
    """Ask for all that leads to a bot's secrets: its author sees them, and nobody else."""
    wait_until(lambda: _faults(story), 0.3)
    match = _faults(story)[0]
    with story.store() as store:
        version = store.bots.get("knights").versions[-1].id
        (sent,) = [each.id for each in store.submissions.page() if each.team_name == "knights"]
    ends = ("", "/json", "/html", "/pgn", "/repro")
    pages = [f"/matches/{match}{end}" for end in ends]
    pages += [f"/submissions/{sent}", f"/team/source/{version}", "/bots/knights"]
    pages += [f"/api/{each}" for each in (f"submissions/{sent}", f"submissions/{sent}/log")]
    pages += [f"/api/matches/{match}{end}" for end in ("", "/reason")]
    start = [f"{story.url}{each}" for each in ("/team", "/submissions", f"/matches/{match}")]
    about = re.compile(rf"/(submissions|team|bots/knights|matches/{match}\b)")
    links = {each for each in _links_of(own, start) if about.search(each)}
    links |= {f"{story.url}{each}" for each in pages}
    hidden = {f"/submissions/{sent}", f"/team/source/{version}"}
    seen: dict[str, int] = {SECRET: 0, SAID: 0}
    for link in sorted(links):
        text = _text_of(own.request.get(link))
        for secret in seen:
            seen[secret] += secret in text
        for other in others:
            answer = other.request.get(link, max_redirects=0)
            told = _text_of(answer)
            assert SECRET not in told, link
            assert SAID not in told, link
            assert answer.status < 500, link
            assert answer.status != 200 or link.removeprefix(story.url) not in hidden, link
    # The source, its package, and what it printed are among the links of its author.
    assert seen[SECRET] >= 2
    assert seen[SAID] >= 3


def _faults(story: Story) -> list[int]:
    with story.store() as store:
        return [each.id for each in store.matches.page(fault_of="knights", limit=1)]


def _check_visitor(organiser: "Page", visitor: "Page", story: Story) -> None:
    for visibility in ("standings", "nothing", "everything"):
        _set(organiser, story, {"visibility": visibility})
        asked = SHOWN[visibility]
        found = {
            path: visitor.request.get(f"{story.url}{path}", max_redirects=0).status
            for path in asked
        }
        assert found == asked, visibility
    visitor.goto(f"{story.url}/season")
    assert visitor.locator("tbody tr").count() == 2


def _end(organiser: "Page", visitor: "Page", story: Story) -> None:
    organiser.goto(f"{story.url}/organise")
    organiser.click("summary >> text=Close submissions")
    organiser.check("[name=sure]")
    organiser.click("button >> text=Close submissions now")
    organiser.wait_for_url("**done=closed")
    story.wait_for("finished")
    visitor.goto(f"{story.url}/season")
    assert "The standings are frozen" in visitor.inner_text("main")
    assert visitor.locator(".page-head >> text=The final").count() == 0
    organiser.goto(f"{story.url}/organise")
    organiser.click("text=Publish the results")
    organiser.wait_for_url("**done=published")
    visitor.reload()
    visitor.click(".page-head >> text=The final")
    visitor.wait_for_url("**/tournaments/*")
    organiser.click("nav >> text=Marks")
    with organiser.expect_download() as download:
        organiser.click("text=Download as CSV")
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert {each["team"] for each in rows} == set(TEAMS.values())
    assert {each["login"] for each in rows} == set(TEAMS)
    assert {float(each["total"]) for each in rows} <= {1.0, 4.0}


@pytest.mark.slow
@on_linux("the host ends what bots leave behind")
def test_a_season_in_four_browsers(browser: "Browser", tmp_path: Path) -> None:
    story = Story(tmp_path, str(tmp_path / "league.db"))
    words = ("--game", "tictactoe", "--name", "AI 2026", "--move-time", "200ms")
    told = story.command("host", "init", "--organiser", "olga", *words)
    token = re.search(r"/invitation/\S+", told)
    assert token is not None
    bots = _home(tmp_path / "home")
    heard = Heard()
    with story.hosted():
        pages = {who: browser.new_context().new_page() for who in ("olga", *TEAMS, "visitor")}
        for each in pages.values():
            each.set_default_timeout(1e3 * PATIENCE_S)
            resize(each, WIDE)
            heard.listen(each)
        olga, ann, bob, visitor = pages.values()
        visitor.goto(story.url)
        assert "The season plays as soon as two bots are there" in visitor.inner_text("main")
        for login, link in _set_up(olga, story, story.url + token[0]).items():
            accept(pages[login], link)
        _submit_all(ann, bob, bots)
        _check_secrets(story, bob, [ann, visitor])
        _check_visitor(olga, visitor, story)
        _end(olga, visitor, story)
        assert all(map(fits, pages.values()))
        for each in pages.values():
            each.context.close()
    # The browser tells of the one page that is not there any more.
    (over,) = heard.complaints
    assert "404" in over
    assert token[0] in over
    story.check_sound()
