"""What only a host needs: the extra `host`."""

from importlib.util import find_spec

from league.model.errors import SetupError

PACKAGES = ("argon2", "python_multipart", "authlib", "httpx")


def check_extra() -> None:
    """Raise `SetupError` where the extra is not installed."""
    if not all(map(find_spec, PACKAGES)):
        raise SetupError("a host needs the extra 'host': pip install 'botleague[host]'")
