"""The options of `league host`, as its processes get them."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

from league.model.records import Isolation
from league.tournament.run_options import LOCAL

PORT = 8000
GRACE_S = 10.0
BACKUP_EVERY_S = 86_400.0
BACKUPS_KEPT = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOptions:
    """The resources and addresses of a host.

    `target` is the database, `logs` the folder of the logs. `public_url` is '' where browsers reach
    it directly. `backups` is the folder of backups, '' for none. `isolation` is that of all bots.
    `trusted_header` names the person if it comes from one of `trusted_from`, '' for no such header.
    The fields `oidc_…` are those of a provider of OpenID Connect, '' for none.
    """

    target: str
    logs: str
    host: str = "127.0.0.1"
    port: int = PORT
    public_url: str = ""
    allowed: tuple[str, ...] = ()
    trusted_header: str = ""
    trusted_from: tuple[str, ...] = ()
    oidc_issuer: str = ""
    oidc_client: str = ""
    oidc_secret: str = ""
    oidc_name: str = "OpenID Connect"
    metrics_token: str = ""
    workers: int | None = None
    checkers: int = 1
    executor: str = LOCAL
    isolation: Isolation = Isolation.SANDBOX
    backups: str = ""
    backup_every_s: float = BACKUP_EVERY_S
    keep: int = BACKUPS_KEPT
    grace_s: float = GRACE_S
    is_json_log: bool = False
    play: str = ""
    """The socket between the web and the process that plays against people; the host makes it."""

    def to_json(self) -> str:
        """Return the text that `from_json` reads."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the options in a text of `to_json`."""
        told: dict[str, Any] = json.loads(text)
        for name in ("allowed", "trusted_from"):
            told[name] = tuple(told[name])
        return cls(**{**told, "isolation": Isolation(told["isolation"])})
