"""The extra that a host needs."""

import pytest

from league.hosting.model import extra
from league.model.errors import SetupError


def test_what_a_host_lacks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    extra.check_extra()
    monkeypatch.setattr(extra, "PACKAGES", ("argon2", "no_such_package"))
    with pytest.raises(
        SetupError, match=r"needs the extra 'host': pip install 'botleague\[host\]'"
    ):
        extra.check_extra()
