"""Mail: the organiser's SMTP server, and the message that tells a person of a notice."""

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Self
from urllib.parse import unquote, urlsplit, urlunsplit

from games.support.printable import printable
from league.hosting.model.people import Person
from league.hosting.model.season import Notice
from league.hosting.store.host_store import HostStore
from league.model.errors import SettingError, SetupError

URL_KEY = "smtp-url"
"""The setting of the league with the address of the server; no mail is sent without it."""

HIDDEN = "***"
"""Stands for the password where the address is shown."""

TIMEOUT_S = 20.0
SUBJECT_MAX = 80

PORTS = {"smtp": 25, "smtps": 465}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """A server, and who sends: `smtps://login:password@mail.example.org?from=league@example.org`.

    With `smtp` the connection is encrypted too if the server offers it; a password is sent over
    an encrypted one alone.
    """

    host: str
    port: int
    is_tls: bool
    sender: str
    login: str = ""
    password: str = ""

    @classmethod
    def read(cls, text: str) -> Self:
        """Read an address; raise `SetupError`, which does not repeat the password."""
        try:
            parts = urlsplit(text.strip())
            port = parts.port or PORTS.get(parts.scheme, 0)
            host = parts.hostname or ""
        except ValueError:
            parts, host, port = urlsplit(""), "", 0
        word, _, sender = unquote(parts.query).partition("=")
        is_sender = word == "from" and "@" in sender and sender.isprintable() and " " not in sender
        if parts.scheme not in PORTS or not host or not is_sender or parts.path not in ("", "/"):
            raise SetupError(
                "expected an address as in smtps://login:password@mail.example.org?from=league@example.org"
            )
        return cls(
            host=host,
            port=port,
            is_tls=parts.scheme == "smtps",
            sender=sender,
            login=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
        )


def mail_server(store: HostStore) -> MailServer | None:
    """Return the server of a league, None without one; raise `SetupError`."""
    text = store.settings.get(URL_KEY, "")
    return MailServer.read(text) if text else None


def shown_server(store: HostStore) -> str:
    """Return the address of the server with `HIDDEN` for its password, '' without a server."""
    text = store.settings.get(URL_KEY, "")
    parts = urlsplit(text)
    if not parts.password:
        return text
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{parts.username}:{HIDDEN}@{host}"))


def check_server(store: HostStore, text: str) -> None:
    """Raise `SettingError` for what `set_server` does not take."""
    try:
        is_hidden = bool(text) and MailServer.read(text).password == HIDDEN
    except SetupError as error:
        raise SettingError(str(error), "smtp") from None
    if is_hidden and text != shown_server(store):
        raise SettingError(f"expected the password too, not {HIDDEN!r}", "smtp")


def set_server(store: HostStore, text: str) -> None:
    """Change the server, '' for none; what `shown_server` returns changes nothing.

    Notices from before the first server are not mailed.
    """
    if text == shown_server(store):
        return
    if not store.settings.get(URL_KEY, ""):
        store.notices.mark_mailed()
    store.settings.set(URL_KEY, text)


def connected(server: MailServer) -> smtplib.SMTP:
    """Connect and sign in; raise `SetupError`, `OSError` or `smtplib.SMTPException`."""
    context = ssl.create_default_context()
    if server.is_tls:
        found: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=TIMEOUT_S, context=context
        )
    else:
        found = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)
        found.ehlo()
        if found.has_extn("starttls"):
            found.starttls(context=context)
        elif server.login:
            found.close()
            raise SetupError(f"{server.host}:{server.port} offers no encryption for the password")
    if server.login:
        found.login(server.login, server.password)
    return found


def message_of(
    server: MailServer, league: str, url: str, notice: Notice, person: Person
) -> EmailMessage:
    """Return the message that tells a person of a notice of a league at that address."""
    first, *_ = notice.text.splitlines() or [""]
    subject = printable(f"{league}: {first}", "")
    found = EmailMessage()
    found["From"], found["To"] = server.sender, person.email
    found["Subject"] = subject[:SUBJECT_MAX]
    found["Date"] = formatdate()
    found["Message-ID"] = make_msgid(domain="botleague.invalid")
    found["Auto-Submitted"] = "auto-generated"
    found.set_content(f"{notice.text}\n\n-- \n{league}, {url}\n")
    return found
