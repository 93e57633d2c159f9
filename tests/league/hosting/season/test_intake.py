"""The intake: what is received, how it is checked, and what becomes of it."""

import stat
from dataclasses import replace
from pathlib import Path
from zipfile import ZipInfo

import pytest
from sqlalchemy import update

from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.people import Person, TeamStanding
from league.hosting.model.season import (
    SeasonSettings,
    SeasonState,
    Submission,
    SubmissionState,
    UploadRefusal,
)
from league.hosting.season import intake
from league.hosting.season.intake import receive, work_once
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.store.submissions import SubmissionTable
from league.hosting.store.tables import TEAM
from league.model.bot_files import FILES_BYTES, FILES_MAX
from league.model.errors import UnavailableError
from league.model.records import BotVersion, Isolation
from league.registration.reader import SandboxReader
from league.seats.process.isolation import why_no_sandbox
from league.seats.source_folder import cache_folder
from tests.league.hosting.season.hosting import GOOD, SETTINGS, add_author, season_of, zipped
from tests.league.postgres import emptied

LEVEL = Isolation.LIMITS if why_no_sandbox() else Isolation.SANDBOX

PLAYING, REFUSED = SubmissionState.PLAYING, SubmissionState.REFUSED


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HostStore:
    """Make a league, whose bots have a cache of their own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return open_host_store(str(tmp_path / "league.db"), create=True)


@pytest.fixture
def ann(store: HostStore) -> Person:
    """Add an author."""
    return add_author(store, "ann")


def send(
    store: HostStore,
    person: Person | None,
    data: bytes | str = GOOD.format(0),
    name: str = "mine.py",
    settings: SeasonSettings = SETTINGS,
    **how: str,
) -> Submission:
    """Let somebody submit a file at the time 0."""
    content = data.encode() if isinstance(data, str) else data
    told = {key.replace("option_", "option.").removesuffix("_"): text for key, text in how.items()}
    return receive(store, season_of(settings), person, name, content, told, 0)


def tried(
    store: HostStore,
    person: Person,
    data: bytes | str = GOOD.format(0),
    name: str = "mine.py",
    settings: SeasonSettings = SETTINGS,
    **how: str,
) -> Submission:
    """Let somebody submit a file, and check it."""
    made = send(store, person, data, name, settings, **how)
    done = work_once(store, season_of(settings), isolation=LEVEL)
    assert done is not None
    assert done.id == made.id
    return done


def refusal(store: HostStore, person: Person | None, **how: object) -> RefusedUploadError:
    """Return why an upload is not received; nothing of it is stored."""
    with pytest.raises(RefusedUploadError) as caught:
        send(store, person, **how)  # type: ignore[arg-type]
    assert store.submissions.page() == []
    return caught.value


@pytest.mark.slow
def test_a_good_bot_plays(store: HostStore, ann: Person) -> None:
    done = tried(store, ann)
    assert (done.state, done.label, done.message) == (PLAYING, "ann@1", "")
    assert "ok   plays in seat 1" in store.submissions.log(done.id)
    (bot,) = store.bots.all()
    assert (bot.name, bot.games) == ("ann", ("tictactoe",))
    assert work_once(store, season_of(), isolation=LEVEL) is None


def test_a_league_on_a_server_checks_alike(postgres: str) -> None:
    with open_host_store(emptied(postgres), create=True) as store:
        done = tried(store, add_author(store, "ann"))
        assert (done.state, done.label) == (PLAYING, "ann@1")


@pytest.mark.slow
def test_a_new_upload_is_a_new_version_in_whatever_form(store: HostStore, ann: Person) -> None:
    first = tried(store, ann)
    files: list[tuple[str | ZipInfo, bytes]] = [("mine/bot.py", GOOD.format(-1).encode())]
    second = tried(store, ann, zipped(*files), "mine.zip")
    same = tried(store, ann, zipped(*files), "mine.zip")
    assert [each.label for each in (first, second, same)] == ["ann@1", "ann@2", "ann@2"]
    assert same.message == "unchanged: it is version 2, which plays already"
    with store.writing() as connection:
        connection.execute(update(TEAM).values(standing=TeamStanding.SUSPENDED))
    told = tried(store, ann, zipped(*files), "mine.zip").message
    assert "your team stays suspended; submit a changed bot" in told


@pytest.mark.slow
def test_class_file_and_options_are_those_of_register(store: HostStore, ann: Person) -> None:
    text = """
class Other:
    def choose(self, state, clock):
        return None

class Mine:
    OPTIONS = ()
    def choose(self, state, clock):
        from helper import pick
        return pick(state)
"""
    helper = b"def pick(state):\n    return state.legal_moves()[0]\n"
    data = zipped(("mine.py", text.encode()), ("helper.py", helper))
    done = tried(store, ann, data, "mine.zip", class_="Mine", file="mine.py")
    assert (done.state, done.message) == (PLAYING, "")
    assert done.version is not None
    assert store.bots.version(done.version).spec == "mine.py:Mine"
    wrong = tried(store, ann, data, "mine.zip", class_="Other", file="mine.py", option_width="3")
    assert wrong.state is REFUSED
    told = "league check mine/mine.py:Other --option width=3 --game tictactoe"
    assert told in wrong.message


@pytest.mark.slow
def test_a_folder_in_another_language_is_built(store: HostStore, ann: Person) -> None:
    program = """\
#!/bin/sh
while read -r line; do :; done
"""
    settings = replace(SETTINGS, languages=("c", "rust"))
    done = tried(store, ann, zipped(("run", program.encode())), "mine.zip", settings)
    assert done.message == "your bot is in shell: this season takes c, rust"
    broken = zipped(("Makefile", b"bot:\n\techo error: no >&2; false\n"), ("bot.c", b""))
    done = tried(store, ann, broken, "mine.zip", settings)
    assert done.state is REFUSED
    assert "the build 'make' exited with status 2\n  | echo error: no" in done.message
    assert done.message.endswith(
        "league check mine.zip --game tictactoe --move-time 100ms --memory 512M"
    )


BAD_BOTS = {
    "a slip": ("def choose(state, clock)\n", "mine.py line 1: expected ':'"),
    "nothing": ("x = 1\n", "FAIL starts within 10 s"),
    "a crash": ("def choose(state, clock):\n    return 1 // 0\n", "ZeroDivisionError"),
    "an illegal move": ("def choose(state, clock):\n    return 99\n", "illegal move at ply "),
    "no text": ("\udcff", "mine.py is not UTF-8 text (byte 0)"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", BAD_BOTS)
def test_a_bad_bot_is_refused_with_the_text_of_the_check(
    what: str, store: HostStore, ann: Person
) -> None:
    text, told = BAD_BOTS[what]
    done = tried(store, ann, text.encode("utf-8", "surrogateescape"))
    assert done.state is REFUSED
    assert told in done.message
    assert "league check mine.py --game tictactoe --move-time 100ms" in done.message
    assert store.bots.all() == ()
    assert str(cache_folder()) not in done.message


def link(name: str) -> ZipInfo:
    """Return an entry of a zip that is a link."""
    found = ZipInfo(name)
    found.external_attr = (stat.S_IFLNK | 0o777) << 16
    return found


def renamed(old: bytes, new: bytes, content: bytes = b"") -> bytes:
    """Return a zip in which a name has other bytes."""
    assert len(old) == len(new)
    return zipped((old.decode(), content)).replace(old, new)


HOSTILE: dict[str, tuple[bytes, str]] = {
    "a bomb": (zipped(("bot.py", b"\0" * (FILES_BYTES + 1))), "more than 32 MB of files"),
    "a link": (zipped((link("bot.py"), b"/etc/passwd")), "'bot.py' is a link"),
    "a way to the root": (zipped(("/etc/cron.d/x", b"")), "is outside of the bot's folder"),
    "a way out": (zipped(("../../bot.py", b"")), "is outside of the bot's folder"),
    "many files": (
        zipped(*((f"{number}.txt", b"") for number in range(FILES_MAX + 1))),
        "more than 500 files",
    ),
    "wrappers in wrappers": (
        zipped(("a/b/c/bot.py", GOOD.format(0).encode())),
        "is a folder without",
    ),
    "a name of other bytes": (renamed(b"bot_1.py", b"bot_\xff.py"), "is not UTF-8"),
    "a claimed name of other bytes": (
        zipped(("böt.py", b"")).replace("böt.py".encode(), b"b\xff\xfft.py"),
        "is not a readable zip",
    ),
    "a file and a folder": (zipped(("a", b""), ("a/b", b"")), "'a' is a file and a folder"),
    "one name twice": (zipped(("bot_1.py", b""), ("bot_2.py", b"")).replace(b"_1", b"_2"), "two"),
    "no zip": (b"PK\x03\x04 no zip", "is not a readable zip"),
    "half a zip": (zipped(("bot.py", b"x" * 5000))[:60], "is not a readable zip"),
    "nothing in it": (zipped(), "is a folder without"),
    "deep brackets": (zipped(("bot.py", b"(" * 200_000)), "too many nested parentheses"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_zip_is_refused_with_a_plain_text(
    what: str, store: HostStore, ann: Person
) -> None:
    data, told = HOSTILE[what]
    done = tried(store, ann, data, "mine.zip")
    assert done.state is REFUSED
    assert told in done.message
    assert "league check mine.zip --game tictactoe" in done.message


@pytest.mark.slow
def test_a_hundred_thousand_files_are_refused(store: HostStore, ann: Person) -> None:
    # All entries of its table are one file, under 100,000 names.
    whole = zipped(("000000", b""))
    at = whole.index(b"PK\x01\x02")
    entry, end = whole[at : at + 52], bytearray(whole[at + 52 :])
    table = b"".join(entry.replace(b"000000", b"%06d" % number) for number in range(100_000))
    end[12:16] = len(table).to_bytes(4, "little")
    data = whole[:at] + table + bytes(end)
    done = tried(store, ann, data, "mine.zip", replace(SETTINGS, upload_bytes=1 << 30))
    assert done.state is REFUSED
    assert "more than 500 files" in done.message


@pytest.mark.slow
def test_a_source_that_needs_all_memory_is_refused(store: HostStore, ann: Person) -> None:
    text = b"x = [" + b"0," * 6_000_000 + b"]\n"
    done = tried(store, ann, text, settings=replace(SETTINGS, upload_bytes=1 << 30))
    assert done.state is REFUSED
    assert "'mine.py' can't be a bot" in done.message


def test_uploads_that_are_not_received(store: HostStore, ann: Person) -> None:
    assert refusal(store, None).reason is UploadRefusal.NOT_ALLOWED
    assert "no team" in str(refusal(store, replace(ann, team=None)))
    assert "sign in" in str(refusal(store, replace(ann, is_active=False)))
    assert "empty" in str(refusal(store, ann, data=b""))
    small = refusal(store, ann, settings=replace(SETTINGS, upload_bytes=10))
    assert (str(small), small.reason) == (
        "the upload has more than 10 bytes",
        UploadRefusal.TOO_LARGE,
    )
    assert "'mine.tar' is not a Python file or zip" in str(refusal(store, ann, name="mine.tar"))
    for name in ("", "a/", ".py", "a\nb.py", "x" * 300 + ".py"):
        assert "is not a file name" in str(refusal(store, ann, name=name))
    rust = replace(SETTINGS, languages=("Rust",))
    assert (
        str(refusal(store, ann, settings=rust)) == "your bot is in python: this season takes rust"
    )
    assert "unknown setting 'clas' (did you mean 'class'?)" in str(refusal(store, ann, clas="X"))
    assert "is not the name of a class" in str(refusal(store, ann, class_="a b"))
    assert "at the top of the folder" in str(refusal(store, ann, file="../x.py"))
    assert "is no text of 200 letters" in str(refusal(store, ann, option_x="a\nb"))


def test_uploads_after_the_deadline_are_not_received(store: HostStore, ann: Person) -> None:
    closing = season_of(replace(SETTINGS, closes_at=10))
    receive(store, closing, ann, "mine.py", b"x", {}, 9_999)
    with pytest.raises(RefusedUploadError, match="closed at 1970-01-01 00:00 UTC") as caught:
        receive(store, closing, ann, "mine.py", b"x", {}, 10_000)
    assert caught.value.reason is UploadRefusal.CLOSED
    for state in SeasonState:
        season = season_of(state=state)
        if state in (SeasonState.OPEN, SeasonState.PAUSED):
            receive(store, season, ann, "mine.py", b"x", {}, 0)
            continue
        with pytest.raises(RefusedUploadError, match="submissions are closed"):
            receive(store, season, ann, "mine.py", b"x", {}, 0)
    with pytest.raises(RefusedUploadError, match="no season is open"):
        receive(store, None, ann, "mine.py", b"x", {}, 0)


def test_a_season_that_closes_meanwhile_receives_no_more(store: HostStore, ann: Person) -> None:
    before = store.seasons.create(SETTINGS)
    assert store.seasons.advance(before, SeasonState.CLOSED, closed_at=1)
    with pytest.raises(RefusedUploadError, match="submissions are closed"):
        receive(store, before, ann, "mine.py", b"x", {}, 0)
    assert store.submissions.page() == []


@pytest.mark.parametrize("standing", TeamStanding)
def test_withdrawn_and_disqualified_teams_submit_nothing(
    standing: TeamStanding, store: HostStore, ann: Person
) -> None:
    with store.writing() as connection:
        connection.execute(update(TEAM).values(standing=standing, standing_reason="copied"))
    if standing in (TeamStanding.ACTIVE, TeamStanding.SUSPENDED):
        assert send(store, ann).state is SubmissionState.RECEIVED
    else:
        told = f"team 'ann' is {standing} (copied): only the organiser can reinstate it"
        assert str(refusal(store, ann)) == told


@pytest.mark.slow
def test_a_team_does_not_get_the_bot_of_somebody_else(store: HostStore) -> None:
    store.bots.register(BotVersion("greedy", "greedy", digest="1"))
    done = tried(store, add_author(store, "greedy"))
    assert done.state is REFUSED
    assert "another bot of this league is called 'greedy'" in done.message
    assert len(store.bots.get("greedy").versions) == 1


@pytest.mark.slow
def test_a_kill_between_registration_and_decision_changes_nothing(
    store: HostStore, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = send(store, ann)
    with monkeypatch.context() as patch:
        patch.setattr(SubmissionTable, "decide", lambda *_, **__: 1 // 0)
        done = work_once(store, season_of(), isolation=LEVEL)
    assert done is not None
    assert done.state is SubmissionState.RECEIVED
    assert len(store.bots.get("ann").versions) == 1
    done = work_once(store, season_of(), isolation=LEVEL)
    assert done is not None
    assert (done.id, done.state, done.label) == (made.id, PLAYING, "ann@1")


def test_a_check_that_fails_twice_by_our_fault_is_not_tried_again(
    store: HostStore, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(store, ann)
    monkeypatch.setattr(SandboxReader, "read", lambda *_: 1 // 0)
    states = []
    for _ in range(2):
        done = work_once(store, season_of(), isolation=LEVEL)
        assert done is not None
        states.append(done.state)
    assert states == [SubmissionState.RECEIVED, REFUSED]
    assert store.submissions.page()[0].message == intake.CRASHED


def test_a_check_that_takes_all_memory_refuses_its_submission(
    store: HostStore, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhaust(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(SandboxReader, "read", exhaust)
    done = tried(store, ann)
    assert (done.state, done.message, done.attempts) == (REFUSED, intake.TOO_MUCH, 1)


@pytest.mark.slow
def test_the_files_of_a_refused_bot_are_removed(store: HostStore, ann: Person) -> None:
    assert tried(store, ann, "def choose(state, clock):\n    return 99\n").state is REFUSED
    assert list(cache_folder().iterdir()) == []
    done = tried(store, ann)
    assert done.state is PLAYING
    (kept,) = cache_folder().iterdir()
    assert done.version is not None
    assert kept.name == store.bots.version(done.version).digest


@pytest.mark.slow
def test_a_bot_that_dies_by_a_kill_is_tried_once_more(store: HostStore, ann: Person) -> None:
    text = "import os\ndef choose(state, clock):\n    os.kill(os.getpid(), 9)\n"
    assert tried(store, ann, text).state is SubmissionState.RECEIVED
    done = work_once(store, season_of(), isolation=LEVEL)
    assert done is not None
    assert done.state is REFUSED
    assert "SIGKILL" in done.message


def test_a_database_that_is_away_costs_no_attempt(
    store: HostStore, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = send(store, ann)

    def away(*_: object) -> None:
        raise UnavailableError("locked", "league.db")

    with monkeypatch.context() as patch:
        patch.setattr(SandboxReader, "read", away)
        with pytest.raises(UnavailableError):
            work_once(store, season_of(), isolation=LEVEL)
    found = store.submissions.get(made.id)
    assert (found.state, found.attempts) == (SubmissionState.RECEIVED, 0)
