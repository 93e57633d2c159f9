"""Signing in by OpenID Connect: the authorization code with PKCE.

Sources: OpenID Connect Core 1.0 (2014), section 3.1; RFC 7636; RFC 9700, section 2.1.
Authlib builds the requests and checks the ID token; the extra `oidc` has it.
"""

import json
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from league.hosting.model.errors import SignInError
from league.model.clock import now
from league.model.errors import LeagueError, SetupError

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
"""Signatures that nobody can make with what the provider publishes."""

FRESH_S = 3600.0
"""Time after which a provider's description of itself is read again."""

TIMEOUT_S = 10.0

BEGUN_S = 600
"""A person has so long to sign in at the provider."""

ANSWER_MAX = 1 << 20

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in that has begun: the browser keeps it until the provider sends it back."""

    state: str
    nonce: str
    verifier: str
    next: str
    at: int

    @classmethod
    def read(cls, values: object) -> Self | None:
        """Return the value that `values` gave; None for what never was one, or is too old."""
        try:
            found = cls(**values)  # type: ignore[arg-type]
            is_fresh = 0 <= time.time() - found.at <= BEGUN_S
            texts = (found.state, found.nonce, found.verifier, found.next)
            is_whole = all(isinstance(each, str) and each for each in texts)
        except TypeError:
            return None
        return found if is_fresh and is_whole else None

    def values(self) -> dict[str, Any]:
        """Return what `read` takes."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Identity:
    """A person that a provider vouches for: `email` is '' unless the provider has verified it."""

    subject: str
    email: str


class Provider:
    """A provider of OpenID Connect at which this league is a client."""

    def __init__(
        self, issuer: str, client_id: str, client_secret: str, name: str = "OpenID Connect"
    ) -> None:
        """Keep the settings; raise `SetupError` for those that can't be right."""
        if not _is_safe(issuer):
            raise SetupError(f"issuer {issuer!r}: expected an address that begins with https://")
        if not client_id or not client_secret:
            raise SetupError("OpenID Connect needs the id and the secret of this client")
        self.issuer, self.name = issuer, name
        self._client = client_id, client_secret
        self._lock = threading.Lock()
        self._known: tuple[float, dict[str, Any]] | None = None

    def begin(self, callback: str, next: str) -> tuple[str, Begun]:
        """Return the address to which the person goes, and what the browser keeps."""
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri  # noqa: PLC0415
        from authlib.oauth2.rfc7636 import create_s256_code_challenge  # noqa: PLC0415

        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        address: str = prepare_grant_uri(
            self._metadata()["authorization_endpoint"],
            self._client[0],
            "code",
            redirect_uri=callback,
            scope="openid email",
            state=state,
            nonce=nonce,
            code_challenge=create_s256_code_challenge(verifier),
            code_challenge_method="S256",
        )
        return address, Begun(state, nonce, verifier, next, now())

    def finish(self, address: str, callback: str, begun: Begun) -> Identity:
        """Return whom the provider vouches for at the address to which it sent the browser.

        Raises `SignInError` if it refused, or if anything of the answer does not fit.
        """
        from authlib.common.errors import AuthlibBaseError  # noqa: PLC0415
        from authlib.oauth2.rfc6749.parameters import (  # noqa: PLC0415
            parse_authorization_code_response,
            prepare_token_request,
        )

        try:
            code = parse_authorization_code_response(address, state=begun.state)["code"]
            body = prepare_token_request(
                "authorization_code",
                code=code,
                redirect_uri=callback,
                code_verifier=begun.verifier,
            )
            metadata = self._metadata()
            token = self._asked("POST", metadata["token_endpoint"], body)
            if not isinstance(token.get("id_token"), str):
                raise SignInError(_REFUSED)
            claims = self._reader(metadata).parse_id_token(token, nonce=begun.nonce)
        except (AuthlibBaseError, _jose_error(), KeyError, ValueError, RecursionError):
            raise SignInError(_REFUSED) from None
        email = claims.get("email") if claims.get("email_verified") is True else ""
        return Identity(f"{self.issuer} {claims['sub']}", email if isinstance(email, str) else "")

    def _reader(self, metadata: dict[str, Any]) -> Any:
        from authlib.integrations.base_client.sync_openid import (  # noqa: PLC0415
            OpenIDMixin,
        )

        provider = self
        offered = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        known = [each for each in offered if each in ALGORITHMS]

        class Reader(OpenIDMixin):  # type: ignore[misc]
            client_id = provider._client[0]

            def load_server_metadata(self) -> dict[str, Any]:
                return {**metadata, "id_token_signing_alg_values_supported": known}

            def fetch_jwk_set(self, force: bool = False) -> Any:
                return provider._asked("GET", metadata["jwks_uri"])

        return Reader()

    def _metadata(self) -> dict[str, Any]:
        with self._lock:
            if self._known is not None and time.monotonic() - self._known[0] < FRESH_S:
                return self._known[1]
            path = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
            found = self._asked("GET", path)
            places = ("authorization_endpoint", "token_endpoint", "jwks_uri")
            if found.get("issuer") != self.issuer or not all(
                isinstance(found.get(each), str) and _is_safe(found[each]) for each in places
            ):
                raise ProviderError(f"{self.issuer} sent an invalid description of itself")
            self._known = time.monotonic(), found
            return found

    def _asked(self, method: str, address: str, body: str = "") -> dict[str, Any]:
        """Return the JSON object at an address; a request with a body says who we are."""
        import httpx  # noqa: PLC0415 (an extra)

        # Packed, a short answer could be a long one.
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            with (
                httpx.Client(timeout=TIMEOUT_S, follow_redirects=False) as client,
                client.stream(
                    method,
                    address,
                    content=body or None,
                    headers=headers,
                    auth=httpx.BasicAuth(*self._client) if body else None,
                ) as answer,
            ):
                found = json.loads(_bounded(answer.iter_raw()))
        except (httpx.HTTPError, ValueError, RecursionError):
            raise ProviderError(f"{self.issuer} does not answer as expected: try later") from None
        if answer.status_code != 200 or not isinstance(found, dict):
            if body and answer.status_code in (400, 401, 403):
                raise SignInError(_REFUSED)
            raise ProviderError(f"{self.issuer} does not answer as expected: try later")
        return found


class ProviderError(LeagueError):
    """The provider of OpenID Connect can't be reached, or answers what it should not."""


_REFUSED = "the provider did not confirm who you are: try again"


def _jose_error() -> type[Exception]:
    from joserfc.errors import JoseError  # noqa: PLC0415 (Authlib brings it)

    found: type[Exception] = JoseError
    return found


def _bounded(parts: Iterator[bytes]) -> bytes:
    """Return an answer; raise `ValueError` for one that is too long, or takes too long."""
    end_s = time.monotonic() + TIMEOUT_S
    whole = bytearray()
    for part in parts:
        whole += part
        if len(whole) > ANSWER_MAX or time.monotonic() > end_s:
            raise ValueError("too long")
    return bytes(whole)


def _is_safe(address: str) -> bool:
    """Whether nobody on the way can change what an address answers."""
    parts = urlsplit(address)
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    )
