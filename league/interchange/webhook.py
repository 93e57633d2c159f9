"""Telling other programs of finished tournaments and new leaders, by signed POST requests."""

import atexit
import hashlib
import hmac
import http.client
import logging
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Annotated, Any

from league.analysis.news import NewLeader, finished_tournament, new_leaders
from league.interchange.documents.document import Document, json_text
from league.interchange.documents.tournaments import Standing, TournamentSummary
from league.model.document import BotLabel, Digits4, Id, SecondsSince, about
from league.model.webhook import Webhook
from league.store.store import StoreReader

log = logging.getLogger("league.interchange.webhook")

TIMEOUT_S = 10.0
"""Time limit to connect, and between two bytes of the answer."""

WAITS_S = (1.0, 5.0, 30.0)
"""The pauses before each further try."""

GRACE_S = 60.0
"""Longest time that an ending program waits for unsent messages."""

SIGNATURE = "X-Botleague-Signature"


class FinishedEvent(Document):
    """A tournament is finished."""

    event: Annotated[str, about("tournament.finished")]
    delivery: Annotated[str, about("the same for each try")]
    league: str
    sent_at: SecondsSince
    tournament: TournamentSummary
    says: Annotated[str, about("what its format concludes, '' for nothing")]
    standings: Annotated[list[Standing], about("the first places of its table")]


class LeaderEvent(Document):
    """A bot has the highest rating of a game since a tournament."""

    event: Annotated[str, about("leader.changed")]
    delivery: Annotated[str, about("the same for each try")]
    league: str
    sent_at: SecondsSince
    tournament: Id
    game: str
    bot: BotLabel
    before: Annotated[BotLabel | None, about("who led until then, null for nobody")]
    rating: Annotated[Digits4, about("in Elo")]
    error: Annotated[Digits4 | None, about("half the 95% interval")]


@dataclass(frozen=True, slots=True)
class Delivery:
    """A request to send: the event's name, its id, and the document as bytes."""

    event: str
    id: str
    body: bytes

    @classmethod
    def of(cls, document: FinishedEvent | LeaderEvent) -> "Delivery":
        """Write a document."""
        body = json_text(document).encode("utf-8", "backslashreplace")
        return cls(document.event, document.delivery, body)


def deliveries(store: StoreReader, tournament: int, league: str) -> list[Delivery]:
    """Return what there is to tell of a tournament that has just finished."""
    row = store.tournaments.get(tournament)
    found = finished_tournament(store, row)
    head: Any = {"league": league, "sent_at": int(time.time())}
    events: list[FinishedEvent | LeaderEvent] = [
        FinishedEvent(
            event="tournament.finished",
            delivery=str(uuid.uuid4()),
            tournament=TournamentSummary.of(row),
            says=found.says,
            standings=[Standing.of(each) for each in found.places],
            **head,
        )
    ]
    leaders = [each for each in new_leaders(store, row.config.game) if each.tournament == row.id]
    if leaders:
        events.append(_leader_event(leaders[-1], head))
    return list(map(Delivery.of, events))


def _leader_event(leader: NewLeader, head: Any) -> LeaderEvent:
    return LeaderEvent(
        event="leader.changed",
        delivery=str(uuid.uuid4()),
        tournament=leader.tournament,
        game=leader.game,
        bot=str(leader.bot),
        before=None if leader.before is None else str(leader.before),
        rating=leader.rating,
        error=leader.error,
        **head,
    )


def signature(secret: str, body: bytes) -> str:
    """Return the signature of a body: HMAC-SHA256 in hexadecimal (RFC 2104)."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def send_later(
    webhook: Webhook, found: Sequence[Delivery], tell: Callable[[str], None]
) -> threading.Thread:
    """Send in a thread that nothing waits for until the program ends; failures are reported."""

    def send_all() -> None:
        for each in found:
            if reason := send(webhook, each):
                text = f"the webhook did not take {each.event!r}: {reason}"
                log.warning("%s", text)
                tell(f"warning: {text}")

    def wait() -> None:
        with suppress(KeyboardInterrupt):
            thread.join(GRACE_S)

    thread = threading.Thread(target=send_all, name="webhook", daemon=True)
    thread.start()
    atexit.register(wait)
    return thread


def send(webhook: Webhook, delivery: Delivery, sleep: Callable[[float], None] = time.sleep) -> str:
    """Send until it is taken or has failed for good; return why it failed, '' if it did not.

    A status of 2xx takes it. After 408, 429, 5xx and what happens to a connection it is tried
    again, four times in all. A redirect is not followed: it could lead anywhere.
    """
    reason = ""
    for wait_s in (0.0, *WAITS_S):
        if wait_s:
            sleep(wait_s)
        reason, is_final = _tried(webhook, delivery)
        if is_final:
            return reason
    return f"{reason}, {len(WAITS_S) + 1} times"


def _tried(webhook: Webhook, delivery: Delivery) -> tuple[str, bool]:
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"botleague/{version('botleague')}",
        "X-Botleague-Event": delivery.event,
        "X-Botleague-Delivery": delivery.id,
    }
    if webhook.secret:
        headers[SIGNATURE] = signature(webhook.secret, delivery.body)
    # `Webhook.read` has refused addresses that are not of http or https.
    request = urllib.request.Request(  # noqa: S310
        webhook.url, delivery.body, headers, method="POST"
    )
    try:
        with _OPENER.open(request, timeout=TIMEOUT_S):
            return "", True
    except urllib.error.HTTPError as error:
        with error:
            is_final = error.code < 500 and error.code not in (408, 429)
            return f"status {error.code}", is_final
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        return str(reason) or type(error).__name__, False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Follow none: the status is then an error."""


_OPENER = urllib.request.build_opener(_NoRedirect)
