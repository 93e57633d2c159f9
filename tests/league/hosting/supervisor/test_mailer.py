"""Notices by mail, sent to a real server on this machine."""

import socket
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from league.hosting.api.host import Host
from league.hosting.model.people import Person
from league.hosting.model.season import NoticeKind, SubmissionState
from league.hosting.season.intake import receive
from league.hosting.season.mail import MailServer
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.store.submissions import Verdict
from league.hosting.supervisor.mailer import (
    FIRST_WAIT_S,
    LONGEST_WAIT_S,
    LOOK_S,
    REACHED_KEY,
    TRIES,
    Mailer,
)
from league.model.errors import SettingError, SetupError

controller = pytest.importorskip("aiosmtpd.controller", reason="needs the extra 'test'")

BOT = b"def choose(state, clock):\n    return 0\n"


class Inbox:
    """What a server received, and what it answers about an address; `during` is called first."""

    def __init__(self) -> None:
        self.received: list[Any] = []
        self.answers: dict[str, str] = {"nobody@example.org": "550 no such person"}
        self.during: Callable[[], None] = lambda: None

    async def handle_RCPT(self, *given: Any) -> str:
        """Take a recipient, or answer as told."""
        envelope, address = given[2], given[3]
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, *given: Any) -> str:
        """Keep a message."""
        self.during()
        self.received.append(given[2])
        return "250 OK"

    @property
    def addresses(self) -> list[str]:
        """Who got messages, in that order."""
        return [each for message in self.received for each in message.rcpt_tos]

    def message(self, number: int) -> Any:
        """Return a message."""
        return message_from_bytes(self.received[number].content, policy=default)


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, str]]:
    """Run a server; return it with its address."""
    found = Inbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running = controller.Controller(found, hostname="127.0.0.1", port=port)
    running.start()
    try:
        yield found, f"smtp://127.0.0.1:{port}?from=league@example.org"
    finally:
        running.stop()


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Begin a season with two teams, of two authors and of one."""
    found = Host(open_host_store(str(tmp_path / "league.db"), create=True))
    found.begin({"name": "AI 2026", "game": "tictactoe"}, url="https://games.example.org")
    for login, team in (("ada", "rooks"), ("alan", "rooks"), ("grace", "knights")):
        found.people.add(login, team=team, email=f"{login}@example.org")
    found.people.add("olga", role="organiser")
    return found


def person(host: Host, login: str) -> Person:
    found = host.store.people.by_login(login)
    assert found is not None
    return found


def mailer(store: HostStore, told: list[str] | None = None) -> Mailer:
    return Mailer(store, lambda kind, text, part="host": (told or []).append(text))


def refuse(host: Host, login: str) -> None:
    """Submit for a person, and refuse it."""
    store = host.store
    made = receive(store, store.seasons.get(), person(host, login), "mine.py", BOT, {}, 1)
    assert store.submissions.claim_next("intake") is not None
    assert store.submissions.decide(
        made.id, Verdict(state=SubmissionState.REFUSED, message="FAIL plays in seat 0 ♟")
    )


@pytest.mark.slow
def test_each_author_hears_what_concerns_the_own_team(host: Host, inbox: tuple[Inbox, str]) -> None:
    found, url = inbox
    host.announce("Before mail was set")
    host.change_settings({"smtp": url})
    refuse(host, "ada")
    host.disqualify("knights", "two bots of one author")
    host.store.notices.add(NoticeKind.SEASON, "The results are out\r\nBcc: spy@example.org")
    assert mailer(host.store).deliver() == LOOK_S
    rooks, knights = ["ada@example.org", "alan@example.org"], ["grace@example.org"]
    assert found.addresses == [*rooks, *knights, *rooks, *knights]
    assert found.message(0)["Subject"] == "AI 2026: Submission 1 (mine.py) is refused."
    assert "FAIL plays in seat 0 ♟" in found.message(0).get_content()
    assert "https://games.example.org" in found.message(0).get_content()
    assert "two bots of one author" in found.message(2).get_content()
    assert found.message(3)["Subject"] == "AI 2026: The results are out"
    assert found.message(3)["Bcc"] is None
    # The list of submissions shows a refusal; it takes no notice's place on pages.
    rook = person(host, "ada").team
    shown = host.store.notices.page([rook or 0], at=host.store.notices.page()[0].at)
    assert [each.kind for each in shown] == [NoticeKind.SEASON, NoticeKind.ANNOUNCEMENT]


@pytest.mark.slow
def test_nobody_is_mailed_twice_after_a_kill(host: Host, inbox: tuple[Inbox, str]) -> None:
    found, url = inbox
    host.change_settings({"smtp": url})
    host.announce("The final is on Friday")
    first, noted = mailer(host.store), []

    def during() -> None:
        noted.append(host.store.settings.get(REACHED_KEY, ""))
        if len(noted) == 2:
            first.__exit__()

    found.during = during
    first.deliver()
    assert found.addresses == ["ada@example.org", "alan@example.org"]
    (notice,) = host.store.notices.page()
    assert notice.mailed_at is None
    # The database knew of each message before the server had it.
    wanted = [f"{notice.id} {person(host, login).id}" for login in ("ada", "alan")]
    assert noted == wanted
    mailer(host.store).deliver()
    mailer(host.store).deliver()
    assert found.addresses == ["ada@example.org", "alan@example.org", "grace@example.org"]
    (notice,) = host.store.notices.page()
    assert notice.mailed_at is not None


@pytest.mark.slow
def test_a_server_that_is_away_is_told_once_and_tried_less_and_less(
    host: Host, inbox: tuple[Inbox, str]
) -> None:
    found, url = inbox
    host.change_settings({"smtp": "smtp://127.0.0.1:1?from=league@example.org"})
    host.announce("The final is on Friday")
    told: list[str] = [""]
    tried = mailer(host.store, told)
    waits = [tried.deliver() for _ in range(9)]
    assert waits[:3] == [FIRST_WAIT_S, 2 * FIRST_WAIT_S, 4 * FIRST_WAIT_S]
    assert max(waits) == waits[-1] == LONGEST_WAIT_S
    (line,) = told[1:]
    assert "mail can't be sent through 127.0.0.1:1" in line
    host.change_settings({"smtp": url})
    assert tried.deliver() == LOOK_S
    assert len(found.received) == 3
    assert tried.trouble == ""


@pytest.mark.slow
def test_an_address_that_is_refused_keeps_nobody_waiting(
    host: Host, inbox: tuple[Inbox, str]
) -> None:
    found, url = inbox
    found.answers |= {"ada@example.org": "550 no", "alan@example.org": "451 later"}
    host.change_settings({"smtp": url})
    host.announce("The final is on Friday")
    told: list[str] = [""]
    tried = mailer(host.store, told)
    for _ in range(TRIES - 1):
        tried.deliver()
    # A server that puts a message off gets it again.
    assert found.addresses == []
    tried.deliver()
    assert found.addresses == ["grace@example.org"]
    assert len([each for each in told if "is not mailed to person" in each]) == 2
    assert "example.org" not in "".join(told)


def test_a_password_is_sent_encrypted_and_never_shown(host: Host, inbox: tuple[Inbox, str]) -> None:
    found, url = inbox
    host.change_settings({"smtp": url.replace("//", "//me:secret@")})
    host.announce("The final is on Friday")
    told: list[str] = [""]
    mailer(host.store, told).deliver()
    assert not found.received
    assert "offers no encryption" in told[-1]
    shown = host.settings().value["smtp"]
    assert shown == url.replace("//", "//me:***@")
    host.change_settings({"smtp": shown})
    assert "secret" in host.store.settings.get("smtp-url", "")
    assert "secret" not in str(host.store.sign_ins.audit(9)) + str(host.settings())
    with pytest.raises(SettingError, match="smtp: expected the password"):
        host.change_settings({"smtp": shown.replace("127.0.0.1", "spy.example.org")})
    host.change_settings({"smtp": ""})
    assert host.settings().value["smtp"] == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mail.example.org",
        "http://a?from=a@b",
        "smtp://host",
        "smtp://host?from=nobody",
        "smtp://:x",
    ],
)
def test_an_address_that_does_not_fit_is_refused_without_its_password(text: str) -> None:
    with pytest.raises(SetupError, match="expected an address"):
        MailServer.read(text)
