"""The API: the documents of the commands, held against what it says of them itself."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from league.web.api_resources import RESOURCES
from tests.league.command import league
from tests.league.web.conftest import ODD_NAMES
from tests.league.web.test_dashboard import got
from tests.paths import DOCS

PAGE = DOCS / "reference" / "http-api.md"

COMMANDS = {
    "/api/tournaments": ("tournaments",),
    "/api/tournaments/2": ("tournaments", "2"),
    "/api/tournaments/5": ("tournaments", "5"),
    "/api/tournaments/1/standings?matrix=true": ("standings", "--tournament", "1", "--matrix"),
    "/api/tournaments/2/crosstable": ("crosstable", "--tournament", "2"),
    "/api/tournaments/1/matches?faults=true": ("matches", "--tournament", "1", "--faults"),
    "/api/matches?limit=500": ("matches", "--limit", "500"),
    "/api/matches?bot=mini&game=tictactoe": ("matches", "--bot", "mini", "--game", "tictactoe"),
    "/api/matches?bot=mini&opponent=rnd&result=won&since=1": (
        *("matches", "--bot", "mini", "--opponent", "rnd"),
        *("--result", "won", "--since", "2020-01-01", "--until", "2999-12-31"),
    ),
    "/api/matches?search=MIN&until=1": ("matches", "--search", "MIN", "--until", "2000-01-01"),
    "/api/matches?termination=crash": ("matches", "--termination", "crash"),
    "/api/matches/1": ("replay", "1"),
    "/api/matches/1/reason": ("why", "1"),
    "/api/bots": ("bots",),
    "/api/bots?retired=true": ("bots", "--retired"),
    "/api/bots/mini": ("bots", "mini"),
    "/api/bots/mini/health?versions=all": ("stats", "health", "mini", "--versions", "all"),
    "/api/bots/mini/ratings?system=elo": ("ratings", "history", "mini", "--system", "elo"),
    "/api/bots/rnd/matches?tournament=2": ("matches", "--bot", "rnd", "--tournament", "2"),
    "/api/standings": ("standings",),
    "/api/standings?time=40%2F60%2B0.5%3A20%2F30": (
        *("standings", "--time"),
        "40/60+0.5:20/30",
    ),
    "/api/standings?game=tictactoe&system=glicko2": (
        *("standings", "--game", "tictactoe"),
        *("--system", "glicko2"),
    ),
    "/api/crosstable?game=connectfour": ("crosstable", "--game", "connectfour"),
    "/api/games": ("games",),
    "/api/games/othello": ("games", "othello"),
    "/api/versus?bot=rnd&against=escapes&game=connectfour": (
        *("stats", "versus", "rnd", "escapes"),
        *("--game", "connectfour"),
    ),
    "/api/stats": ("stats",),
    "/api/health?tournament=3": (
        "stats",
        "health",
        "--tournament",
        "3",
        "--matches",
        "0",
    ),
    "/api/health?tournament=3&matches=2": (
        "stats",
        "health",
        "--tournament",
        "3",
        "--matches",
        "2",
    ),
    "/api/calibration": ("stats", "calibration"),
}
"""Every address with the command whose document it is."""


def value(link: str) -> Any:
    """Ask for a document that is there."""
    status, text, headers = got(link)
    assert (status, headers["content-type"]) == (200, "application/json"), text
    return json.loads(text)


@pytest.mark.slow
@pytest.mark.parametrize("path", COMMANDS)
def test_a_document_is_what_its_command_prints(odd_link: str, odd_folder: Path, path: str) -> None:
    command = COMMANDS[path]
    most = () if command[0] != "matches" or "--limit" in command else ("--limit", "50")
    assert value(odd_link + path) == json.loads(league(odd_folder, *command, *most, "--json"))


def filled(odd_link: str) -> Iterator[tuple[str, str]]:
    """Yield addresses with the paths that they are of: of every bot, tournament, match and game."""
    bots = [bot["bot"] for bot in value(f"{odd_link}/api/bots?retired=true")]
    values: dict[str, list[Any]] = {
        "bot": bots,
        "tournament": [row["tournament"] for row in value(f"{odd_link}/api/tournaments")],
        "match": [row["match"] for row in value(f"{odd_link}/api/matches?limit=500")][::7],
        "game": ["connectfour", "pacman", "mnk?columns=4&rows=4", "chess"],
    }
    for resource in RESOURCES:
        if not resource.within:
            required = {each.name for each in resource.parameters if each.is_required}
            asked = {name: values[name][0] for name in required & {"game"}}
            asked |= {"bot": "rnd", "against": "mini"} if "against" in required else {}
            yield resource.path, f"{resource.path}?{urlencode(asked)}".rstrip("?")
        for parameter in resource.within:
            for each in values[parameter.name]:
                name = quote(str(each), safe="")
                yield resource.path, resource.path.replace(f"{{{parameter.name}}}", name)


@pytest.mark.slow
@pytest.mark.extra
def test_every_answer_fits_its_schema(odd_link: str) -> None:
    validators = pytest.importorskip("jsonschema_rs", reason="needs the extra 'dev'")
    described = value(f"{odd_link}/api/openapi.json")
    seen = set()
    for path, address in filled(odd_link):
        content = described["paths"][path]["get"]["responses"]["200"]["content"]
        shape = {**content["application/json"]["schema"], "components": described["components"]}
        found = validators.Draft202012Validator(shape)
        failures = [
            f"{each.instance_path}: {each.message}"
            for each in found.iter_errors(value(odd_link + address))
        ]
        assert failures == [], address
        seen.add(path)
    assert seen == set(described["paths"])


@pytest.mark.parametrize("path", ["/api/matches", "/api/tournaments", "/api/bots"])
def test_the_pages_of_a_list_are_the_whole_of_it(odd_link: str, path: str) -> None:
    whole = value(f"{odd_link}{path}?limit=500")
    rows: list[Any] = []
    address = f"{path}?limit=2"
    while address:
        status, text, headers = got(odd_link + address)
        page = json.loads(text)
        assert (status, 0 < len(page) <= 2) == (200, True)
        rows += page
        assert len(rows) <= len(whole)
        link = headers.get("link", "")
        assert link == "" or link.endswith('>; rel="next"')
        address = link.partition("<")[2].partition(">")[0]
    assert rows == whole


def test_the_next_page_keeps_what_was_asked_for(odd_link: str) -> None:
    name = quote(ODD_NAMES[2], safe="")
    for path in (f"/api/bots/{name}/matches?limit=1", f"/api/matches?limit=1&bot={name}"):
        first = value(odd_link + path)
        address = got(odd_link + path)[2]["link"].partition("<")[2].partition(">")[0]
        second = value(odd_link + address)
        assert [ODD_NAMES[2] in row["bots"] for row in (*first, *second)] == [True, True]
        assert first[0]["match"] > second[0]["match"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/api/matches?limit=0", "limit='0': expected a whole number from 1 to 500"),
        ("/api/matches?limit=501", "limit='501': expected a whole number from 1 to 500"),
        ("/api/matches?limit=²", "limit='²': expected a whole number from 1 to 500"),
        ("/api/matches?limit=1&limit=2", "parameter 'limit' comes twice"),
        ("/api/matches?bots=mini", "unknown parameter 'bots' (did you mean 'bot'?)"),
        ("/api/matches?faults=yes", "faults='yes': expected true or false"),
        ("/api/matches?bot=", "bot='': expected 1 to 500 characters"),
        ("/api/matches?termination=boredom", "termination='boredom': expected one of rules, "),
        ("/api/matches/x", "match='x': expected a whole number from 1 to "),
        ("/api/matches/" + "9" * 5000, "match='999"),
        ("/api/bots?offset=-1", "offset='-1': expected a whole number from 0 to "),
        ("/api/standings?time=60:5/1", "time='60:5/1': expected text like"),
        ("/api/crosstable", "parameter 'game' is missing: expected a game "),
        ("/api/versus?bot=mini&against=mini", "'mini' against itself: name two bots"),
        ("/api/stats?x=" + "é" * 9000, "unknown parameter 'x'"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(odd_link: str, path: str, text: str) -> None:
    status, answer, headers = got(odd_link + quote(path, safe="/?=&"))
    assert (status, headers["content-type"]) == (422, "application/json")
    (said,) = json.loads(answer).values()
    assert said.startswith(text)
    assert len(said) < 300


@pytest.mark.parametrize(
    "path",
    [
        *("/api", "/api/", "/api/nothing", "/api/matches/9999", "/api/matches/9007199254740991"),
        *("/api/tournaments/99", "/api/tournaments/99/matches", "/api/bots/nobody/health"),
        *("/api/versus?bot=mini&against=nobody", "/api/games/nothing", "/api/games/chess%3Fx=1"),
    ],
)
def test_what_is_not_there_is_said_in_json(odd_link: str, path: str) -> None:
    status, text, headers = got(odd_link + path)
    assert (status, list(json.loads(text))) == (404, ["error"])
    assert (headers["content-type"], headers["cache-control"]) == ("application/json", "no-store")


def test_no_game_is_loaded_from_a_file_that_an_address_names(odd_link: str, tmp_path: Path) -> None:
    file = tmp_path / "game.py"
    file.write_text(f"open({str(tmp_path / 'run')!r}, 'w')\nclass Game: pass\n")
    name = quote(f"{file}:Game", safe="")
    addresses = ("matches?game=", "games/", "standings?game=", "crosstable?game=", "stats?game=")
    for address in addresses:
        assert got(f"{odd_link}/api/{address}{name}")[0] == 404
    assert not (tmp_path / "run").exists()


def test_it_is_read_only_and_says_so(odd_link: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"):
        status, text, headers = got(f"{odd_link}/api/bots/mini", method=method)
        assert (status, list(json.loads(text))) == (405, ["error"])
        assert set(headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_the_head_of_a_document_can_be_asked_for(odd_link: str) -> None:
    for path in ("/api/matches/1", "/api/openapi.json", "/api/matches/9999"):
        status, _text, headers = got(odd_link + path)
        of_head = got(odd_link + path, method="HEAD")
        assert of_head[:2] == (status, "")
        for name in ("content-length", "content-type", "etag", "cache-control"):
            assert of_head[2].get(name) == headers.get(name)


def test_a_document_that_has_not_changed_is_not_sent_again(odd_link: str) -> None:
    link = f"{odd_link}/api/matches?limit=1"
    _, _, headers = got(link)
    for known in (headers["etag"], f'"other", {headers["etag"]}', f"W/{headers['etag']}"):
        status, text, again = got(link, **{"If-None-Match": known})
        assert (status, text, again["etag"]) == (304, "", headers["etag"])
        assert again["link"] == headers["link"]
    assert got(link, **{"If-None-Match": '"other"'})[0] == 200


def test_who_asks_by_another_name_is_told_in_json(odd_link: str) -> None:
    status, text, _ = got(f"{odd_link}/api/bots", Host="evil.example")
    assert (status, list(json.loads(text))) == (421, ["error"])


@pytest.mark.slow
def test_words_that_no_text_can_hold_are_shown_as_escapes(odd_link: str) -> None:
    found = value(f"{odd_link}/api/matches?bot=escapes&limit=1")[0]["match"]
    assert value(f"{odd_link}/api/matches/{found}")["detail"].count("\udcff") == 1
    status, text, _ = got(f"{odd_link}/matches/{found}")
    assert (status, r"\udcff" in text) == (200, True)


def test_a_number_that_no_row_has_is_not_there(odd_link: str, odd_folder: Path) -> None:
    number = "9" * 30
    assert got(f"{odd_link}/matches/{number}")[0] == 404
    assert league(odd_folder, "replay", number, code=1).count("\n") == 1


@pytest.mark.extra
def test_exported_matches_fit_the_schema_that_is_printed(odd_folder: Path) -> None:
    validators = pytest.importorskip("jsonschema_rs", reason="needs the extra 'dev'")
    schema = json.loads(league(odd_folder, "export", "--schema"))
    found = validators.Draft202012Validator(schema)
    for tournament in ("1", "3", "5"):
        lines = league(odd_folder, "export", tournament, "--as", "json").splitlines()
        assert lines
        for line in lines:
            match = json.loads(line)
            assert [each.message for each in found.iter_errors(match)] == []
            assert not found.is_valid({**match, "more": 1})
            assert not found.is_valid({**match, "plies": [{**match["plies"][0], "board": ""}]})


def test_the_manual_names_every_address_and_no_other() -> None:
    text = PAGE.read_text()
    named = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `/api")}
    assert named == {resource.path for resource in RESOURCES} | {"/api/openapi.json"}


@pytest.mark.slow
def test_the_health_of_all_bots_is_told_by_counts(odd_link: str) -> None:
    found = value(f"{odd_link}/api/health")
    assert {each["newest"] for each in found} == {0}
    assert {bot["moves"] for each in found for bot in each["bots"]} == {0}
    looked_at = value(f"{odd_link}/api/health?matches=1000")
    assert any(bot["moves"] for each in looked_at for bot in each["bots"])
    for all_of, each in zip(found, looked_at, strict=True):
        for key in ("bot", "matches", "forfeits", "replayed"):
            assert [bot[key] for bot in all_of["bots"]] == [bot[key] for bot in each["bots"]]
    assert {each["newest"] for each in value(f"{odd_link}/api/bots/rnd/health")} == {200}
