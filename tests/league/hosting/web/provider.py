"""A provider of OpenID Connect for tests; it prints its address.

    python -m tests.league.hosting.web.provider

It signs in whoever asks as "ada@example.org", without a page. `/become?fault=NAME` makes it lie.
"""

import base64
import hmac
import http.server
import json
import secrets
import sys
import time
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "league", "a secret of the client"

FAULTS = (
    "nonce",
    "audience",
    "expired",
    "issuer",
    "signature",
    "none",
    "public key as secret",
    "no token",
    "denied",
)
"""The lies that a league must see through."""

VERIFIED: dict[str, dict[str, object]] = {
    "yes": {"email_verified": True},
    "no": {"email_verified": False},
    "word": {"email_verified": "true"},
    "number": {"email_verified": 1},
    "missing": {},
}
"""The claims about the address; only the first of them confirms it."""


class Provider(http.server.BaseHTTPRequestHandler):
    """Answers as OpenID Connect Core 1.0, section 3.1, says."""

    key = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
    other = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
    codes: dict[str, dict[str, str]] = {}  # noqa: RUF012 (one for all requests)
    fault = ""
    verified = "yes"

    def do_GET(self) -> None:
        """Describe the provider, publish its key, or sign in."""
        parts = urlsplit(self.path)
        asked = {name: each[0] for name, each in parse_qs(parts.query).items()}
        if parts.path == "/become":
            type(self).fault = asked.get("fault", "")
            type(self).verified = asked.get("verified", "yes")
            self._answer({})
        elif parts.path == "/.well-known/openid-configuration":
            places = {"authorization": "authorize", "token": "token"}
            found = {f"{name}_endpoint": f"{self._issuer}/{at}" for name, at in places.items()}
            found |= {"issuer": self._issuer, "jwks_uri": f"{self._issuer}/keys"}
            self._answer({**found, "id_token_signing_alg_values_supported": ["RS256", "none"]})
        elif parts.path == "/keys":
            self._answer({"keys": [self.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            self._authorize(asked)
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """Give an ID token for a code, once, to the client that proves to be itself."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        given = {name: each[0] for name, each in parse_qs(body).items()}
        found = self.codes.pop(given.get("code", ""), None)
        known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        is_client = self.headers.get("Authorization") == f"Basic {known}"
        if (
            not is_client
            or found is None
            or given.get("redirect_uri") != found["redirect_uri"]
            or create_s256_code_challenge(given.get("code_verifier", "")) != found["code_challenge"]
        ):
            self._answer({"error": "invalid_grant"}, 400)
            return
        token = {"access_token": secrets.token_urlsafe(16), "token_type": "Bearer"}
        if self.fault != "no token":
            token["id_token"] = self._id_token(found["nonce"])
        self._answer(token)

    def _authorize(self, asked: dict[str, str]) -> None:
        answer = {"state": asked["state"]}
        if self.fault == "denied":
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_urlsafe(16)
            assert asked["response_type"] == "code"
            assert asked["code_challenge_method"] == "S256"
            self.codes[answer["code"]] = asked
        self.send_response(302)
        self.send_header("Location", f"{asked['redirect_uri']}?{urlencode(answer)}")
        self.end_headers()

    def _id_token(self, nonce: str) -> str:
        at = int(time.time())
        claims: dict[str, Any] = {
            "iss": "https://evil.example" if self.fault == "issuer" else self._issuer,
            "sub": "248289761001",
            "aud": "another" if self.fault == "audience" else CLIENT,
            "exp": at - 3600 if self.fault == "expired" else at + 300,
            "iat": at,
            "nonce": "another" if self.fault == "nonce" else nonce,
            "email": "Ada@example.org",
            **VERIFIED[self.verified],
        }
        if self.fault in ("none", "public key as secret"):
            name = "none" if self.fault == "none" else "HS256"
            parts: tuple[Any, ...] = ({"alg": name, "kid": "1"}, claims)
            signed = ".".join(_packed(json.dumps(each).encode()) for each in parts)
            secret = self.key.as_pem(private=False)
            made = hmac.digest(secret, signed.encode(), "sha256") if name == "HS256" else b""
            return f"{signed}.{_packed(made)}"
        key = self.other if self.fault == "signature" else self.key
        return jwt.encode({"alg": "RS256", "kid": "1"}, claims, key)

    @property
    def _issuer(self) -> str:
        return f"http://localhost:{self.server.server_port}"  # type: ignore[attr-defined]

    def _answer(self, value: object, status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


if __name__ == "__main__":
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider) as server:
        sys.stdout.write(f"http://localhost:{server.server_port}\n")
        sys.stdout.flush()
        server.serve_forever()
