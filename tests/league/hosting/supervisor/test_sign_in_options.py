"""The options of `league host` about who vouches for people: a proxy, or a provider."""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from league.hosting.supervisor.options import HostOptions
from league.hosting.supervisor.web import provider_of, proxies_of
from league.model.errors import SetupError
from tests.league.command import league

ISSUER = "https://sso.example.org"


def _options(**given: Any) -> HostOptions:
    return HostOptions(target="league.db", logs="logs", **given)


def test_a_proxy_is_believed_who_has_signed_in_only_where_it_is_named() -> None:
    named = _options(trusted_header="X-Remote-User", trusted_from=("10.0.0.0/8",))
    trusted = proxies_of(named)
    assert (trusted.header, trusted.has("10.1.2.3"), trusted.has("127.0.0.1")) == (
        "x-remote-user",
        True,
        False,
    )
    near = proxies_of(_options(public_url="https://example.org"))
    assert (near.header, near.has("127.0.0.1"), near.has("::1")) == ("", True, True)
    assert not proxies_of(_options()).has("127.0.0.1")
    with pytest.raises(SetupError, match="--trust-from"):
        proxies_of(_options(public_url="https://example.org", trusted_header="X-Remote-User"))


@pytest.mark.slow
def test_a_provider_has_an_address_an_id_and_a_secret(tmp_path: Path) -> None:
    pytest.importorskip("authlib", reason="needs the extra 'oidc'")
    known = _options(oidc_issuer=ISSUER, oidc_secret=secrets.token_hex(8))
    found = provider_of(replace(known, oidc_client="league", oidc_name="University"))
    assert found is not None
    assert (found.issuer, found.name) == (ISSUER, "University")
    assert provider_of(_options()) is None
    for options, reason in (
        (_options(oidc_client="league"), "--oidc-issuer"),
        (_options(oidc_issuer=ISSUER), "--oidc-secret-file"),
        (known, "the id and the secret"),
    ):
        with pytest.raises(SetupError, match=reason):
            provider_of(options)
    league(tmp_path, "register", "r", "random", "--no-check")
    told = league(tmp_path, "host", "--oidc-secret-file", "none", "--oidc-issuer", ISSUER, code=1)
    assert "can't read 'none'" in told
