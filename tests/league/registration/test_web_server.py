"""Bots that are web servers: how they are named, checked and registered, and a tournament."""

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from games.support.errors import InputError
from games.support.specs import find_game
from league.api.league import League
from league.model.errors import CheckError, SetupError, SpecError
from league.model.records import BotVersion, Limits
from league.registration.check import examine
from league.registration.source_snapshot import command_changed, take_snapshot
from league.registration.trial import TALK_CHARS, TrialSetup
from league.seats.bot_seat import BotKind
from league.seats.bot_specs import kind_of, make_seat, refusal_of
from league.seats.seat import SeatFault
from tests.league.examining import be_patient
from tests.league.seats.web_server import Reply, at_move, in_json_lines, serving
from tests.paths import EXAMPLES
from tests.waiting import ENDLESS_S

GAME = find_game("snakes?snakes=2")
LIMITS = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)


def test_a_spec_is_an_address() -> None:
    for spec in ("http://localhost:8000", "https://example.org/snake", "http:https://example.org"):
        assert kind_of(spec) is BotKind.SERVER
    version = take_snapshot("bot", "http:https://example.org", {})
    assert (version.spec, version.files, version.folder) == ("https://example.org", {}, "")
    assert version.is_same_as(take_snapshot("bot", "https://example.org", {}))
    assert command_changed(version) == ""


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("http://", "it names no host"),
        ("http:localhost", "it does not begin with http:// or https://"),
        ("http:ftp://x", "it does not begin with http:// or https://"),
        ("htp://localhost:8000", "it does not begin with http:// or https://"),
        ("http://a b", "it has a space"),
        ("http://me:pw@x", "it has a user's name"),
        ("http://x/?a=1", "it has a query or a fragment"),
        ("http://x:99999", "its host or its port is wrong"),
        ("https://x/#a", "it has a query or a fragment"),
    ],
)
def test_a_bad_address_is_refused(spec: str, fault: str) -> None:
    with pytest.raises(SpecError) as caught:
        take_snapshot("bot", spec, {})
    told = str(caught.value)
    assert told.startswith(f"{spec.replace('me:pw', '***')!r}: {fault}")
    assert told.endswith("; expected the address of a server, as in http://localhost:8000")


def test_folders_and_files_are_for_other_bots(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="is not a command"):
        take_snapshot("bot", "http://localhost", {}, tmp_path)


def test_what_a_server_can_not_play_is_refused() -> None:
    url = "http://localhost:8000"
    for game in (GAME, find_game("tictactoe"), find_game("kuhn")):
        assert refusal_of(url, game, LIMITS) == ""
    with serving(at_move(Reply())) as served:
        seat = make_seat(BotVersion("bot", served.url, options={"depth": "3"}), LIMITS)
        seat.start()
        with pytest.raises(SeatFault, match="a server of Battlesnake, which plays snakes, not tic"):
            seat.new_match(find_game("tictactoe"), 0, 1, ())
        with pytest.raises(SeatFault, match="can't play: Battlesnake has no option 'depth'"):
            seat.new_match(GAME, 0, 1, ())
        seat.stop()


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"dialect": "json_line"}, "unknown dialect 'json_line' .did you mean 'json_lines'"),
        ({"secret-env": "s3cret!"}, "secret-env is not the name of an environment variable"),
        ({"addresses": "mine"}, "addresses 'mine': expected any or public"),
        ({"secret_env": "s3cret!"}, "unknown option 'secret_env' .* .did you mean 'secret-env'"),
        ({"secret": "s3cret!"}, "unknown option 'secret' .* .did you mean 'secret-env'"),
        ({"dialct": "json_lines"}, "unknown option 'dialct' .* .did you mean 'dialect'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, str], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong) as caught:
        take_snapshot("bot", "http://localhost", options)
    assert "s3cret!" not in str(caught.value)


def test_a_bot_has_options_of_its_own() -> None:
    options = {"depth": "3", "style": "wild", "seconds": "2"}
    assert take_snapshot("bot", "http://localhost", options).options == options


@contextmanager
def example() -> Iterator[str]:
    """Serve the example, and yield its address."""
    found = importlib.util.spec_from_file_location("snake_server", EXAMPLES / "snake_server.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), module.Snake) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.slow
def test_the_example_is_fit_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)
    game = find_game("snakes?snakes=2&turns=30")
    with example() as url:
        version = take_snapshot("bot", url, {})
        setup = TrialSetup(move_s=ENDLESS_S, start_s=ENDLESS_S)
        findings = list(examine(version, game, setup))
    assert [each.demand for each in findings] == [
        f"answers within {ENDLESS_S:g} s",
        "plays in seat 0",
        "plays in seat 1",
        "plays itself",
        f"keeps to {ENDLESS_S:g} s a move",
    ]
    assert all(each.is_passed for each in findings)


@pytest.mark.slow
def test_a_server_that_fails_is_not_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_patient(monkeypatch)
    with serving(at_move(Reply(status=500))) as served, League(tmp_path / "cup.db") as cup:
        with pytest.raises(CheckError) as caught:
            cup.register("bad", served.url, games=["snakes"])
        assert not list(cup.bots())
    assert "failed in a trial match of snakes" in str(caught.value)
    assert "POST /move with status 500" in str(caught.value)


@pytest.mark.slow
def test_servers_and_built_in_bots_play_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_patient(monkeypatch)
    game = "snakes?turns=15"
    with example() as one, example() as two, League(tmp_path / "cup.db") as cup:
        for name, url in (("one", one), ("two", two)):
            cup.register(name, url, games=[game])
            # The same address again is the same version.
            assert not cup.register(name, url, check=False).value.is_new
        for name in ("three", "four"):
            cup.register(name, "random", check=False)
        tournament = cup.run(
            game,
            bots=["one", "two", "three", "four"],
            rounds=1,
            seed=1,
            move_time="60s",
            progress=False,
        )
        assert len(tournament.matches) == 4
        assert {match.termination for match in tournament.matches} == {"rules"}
        records = [match.replay(show=False).value.record for match in tournament.matches]
        assert not [fault for record in records for fault in record.move_faults]


def test_a_check_shows_the_last_requests_in_short_lines() -> None:
    def answer(path: str, told: Any) -> Reply:
        return Reply(status=500) if path == "POST /move" else in_json_lines(path, told)

    with serving(answer) as served:
        findings = list(examine(take_snapshot("bot", served.url, {}), find_game("connectfour")))
    log = next(each.log for each in findings if each.log)
    told = "! answered POST /move with status 500"
    assert [line.split(" {")[0] for line in log[-2:]] == ["> POST /move", told]
    assert max(map(len, log)) == TALK_CHARS


def test_a_run_is_refused_while_a_server_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOT_SECRET", raising=False)
    answers = [Reply(status=503)]

    def answer(path: str, told: Any) -> Reply:
        return answers[0] if answers else in_json_lines(path, told)

    with serving(answer) as served, League(tmp_path / "cup.db") as cup:
        secret = {"secret-env": "BOT_SECRET"}
        cup.register("silent", served.url, check=False)
        cup.register("secret", served.url, options=secret, check=False)
        cup.register("first", "random", check=False)
        settings: dict[str, Any] = {"bots": ["silent", "secret", "first"], "rounds": 1}
        with pytest.raises(SetupError, match="some bots can't play, so no tournament was stored"):
            cup.run("tictactoe", move_time="60s", progress=False, **settings)
        assert not cup.tournaments()
        tournament = cup.create("tictactoe", move_time="60s", seed=1, **settings)
        assert not list(tournament.failing())
        with pytest.raises(SetupError) as caught:
            tournament.resume(progress=False)
        head, *told = str(caught.value).splitlines()
        assert head.startswith("tournament 1 needs all its bots; once they can play, 'league res")
        silent = f"  bot 'silent': '{served.url}' answered POST /hello with status 503"
        assert told[0] == silent
        assert "the environment variable BOT_SECRET must hold a secret" in told[1]
        assert len(told) == 2
        assert not tournament.matches
        answers.clear()
        # A bot that has withdrawn is not asked.
        tournament.withdraw("secret").resume(progress=False)
        assert {match.termination for match in tournament.matches} == {"rules"}
        assert len(tournament.matches) == 2


def test_a_server_that_ends_in_a_run_loses_and_the_list_says_why(tmp_path: Path) -> None:
    def answer(path: str, told: Any) -> Reply:
        return Reply(None) if path == "POST /move" else in_json_lines(path, told)

    with serving(answer) as served, League(tmp_path / "cup.db") as cup:
        cup.register("gone", served.url, check=False)
        cup.register("first", "random", check=False)
        cup.run("tictactoe", bots=["gone", "first"], rounds=1, move_time="60s", progress=False)
        told = str(cup.matches(faults_only=True))
    assert told.endswith("match 2: gone closed the connection instead of answering POST /move")


def test_a_server_that_may_remember_the_luck_is_refused(tmp_path: Path) -> None:
    with League(tmp_path / "cup.db") as cup:
        cup.register("one", "http://localhost", games=["snakes"], check=False)
        cup.register("two", "random", check=False)
        settings: dict[str, Any] = {"bots": ["one", "two"], "move_time": "1s"}
        with pytest.raises(SetupError, match="'one' can't play with deals=same: nobody can make"):
            cup.create("snakes?snakes=2", deals="same", **settings)
        assert cup.create("snakes?snakes=2", **settings).number == 1
