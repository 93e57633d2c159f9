"""The mailer of a host: sends notices by mail, beside the league's work."""

import smtplib
import threading
from collections import Counter
from typing import Self

from league.hosting.api.people import url_of
from league.hosting.model.people import Person
from league.hosting.model.season import Notice
from league.hosting.season.mail import MailServer, connected, mail_server, message_of
from league.hosting.store.host_store import HostStore
from league.hosting.supervisor.events import Tell
from league.model.errors import LeagueError, SetupError

REACHED_KEY = "mail-reached"
"""The setting with the notice that is being mailed and the last person it was sent to."""

LOOK_S = 5.0
FIRST_WAIT_S, LONGEST_WAIT_S = 60.0, 3600.0
"""The pauses after a failure; each is twice as long as the one before."""

TRIES = 8
"""A message that the server puts off so often is given up, so that the others are sent."""

FINISH_S = 2.0
"""The host waits so long for a message in hand when it ends."""


class Mailer:
    """Mails each notice to the people it concerns who have an address, in a thread of its own.

    Each person gets a message of their own. The database knows of it before the server has it, so
    that a host that dies sends none twice; a message that fails is taken back and sent later.
    """

    def __init__(self, store: HostStore, tell: Tell) -> None:
        self._store = store
        self._tell = tell
        self._ending = threading.Event()
        self._failures = 0
        self._tries: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._run, name="mail", daemon=True)
        self.trouble = ""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(FINISH_S)

    def _run(self) -> None:
        while not self._ending.wait(self.deliver()):
            pass

    def deliver(self) -> float:
        """Send what waits; return the seconds until the next look."""
        try:
            self._send_all()
        except LeagueError as error:
            if str(error) != self.trouble:
                self._tell("warning", f"mail waits: {error}")
            self.trouble = str(error)
            self._failures += 1
            return min(FIRST_WAIT_S * 2.0 ** (self._failures - 1), LONGEST_WAIT_S)
        self.trouble, self._failures = "", 0
        return LOOK_S

    def _send_all(self) -> None:
        server = mail_server(self._store)
        while server is not None and not self._ending.is_set():
            number, reached = self._reached()
            notice = self._store.notices.next_unmailed(number)
            if notice is None:
                return
            self._send(server, notice, reached if notice.id == number else 0)

    def _send(self, server: MailServer, notice: Notice, reached: int) -> None:
        """Send a notice to the people after number `reached`."""
        people = [
            each
            for each in sorted(self._store.people.all(), key=lambda each: each.id)
            if each.is_active and each.email and each.id > reached
            if notice.team is None or each.team == notice.team
        ]
        if people:
            try:
                with connected(server) as connection:
                    for person in people:
                        if self._ending.is_set():
                            return
                        self._hand_over(server, connection, notice, person)
            except (OSError, smtplib.SMTPException) as error:
                # Not the server's words alone: they may repeat an address.
                told = _reason(error)
                text = f"mail can't be sent through {server.host}:{server.port}: {told}"
                raise SetupError(text) from None
        self._store.notices.mark_mailed(notice.id)

    def _hand_over(
        self, server: MailServer, connection: smtplib.SMTP, notice: Notice, person: Person
    ) -> None:
        before, now = self._store.settings.get(REACHED_KEY, "0 0"), f"{notice.id} {person.id}"
        season, url = self._store.seasons.get(), url_of(self._store)
        league = season.settings.name if season else "botleague"
        self._store.settings.set(REACHED_KEY, now)
        try:
            connection.send_message(message_of(server, league, url, notice, person))
        except (OSError, smtplib.SMTPException, ValueError) as error:
            self._tries[now] += 1
            if not _is_final(error) and self._tries[now] < TRIES:
                self._store.settings.set(REACHED_KEY, before)
                raise
            told = f"notice {notice.id} is not mailed to person {person.id}: {_reason(error)}"
            self._tell("warning", told)

    def _reached(self) -> tuple[int, int]:
        notice, _, person = self._store.settings.get(REACHED_KEY, "0 0").partition(" ")
        return int(notice), int(person)


def _code(error: Exception) -> int:
    """Return the code of a server's answer, 0 for none."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return max(code for code, _ in error.recipients.values())
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else 0


def _is_final(error: Exception) -> bool:
    """Whether the server will never take this message, while it may take others."""
    if isinstance(error, smtplib.SMTPSenderRefused):
        return False
    return _code(error) >= 500 or isinstance(error, ValueError | smtplib.SMTPNotSupportedError)


def _reason(error: Exception) -> str:
    code = _code(error)
    if code:
        return f"the server answered {code}"
    is_ours = isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException)
    return str(error) if is_ours else type(error).__name__
