"""Addresses of web servers."""

from urllib.parse import urlsplit


def web_address_fault(url: str) -> str:
    """Return why a text is not the address of a server of http or https; '' if it is one.

    A user's name and password are refused, because addresses are stored and shown.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "its host or its port is wrong"
    if parts.scheme not in ("http", "https"):
        return "it does not begin with http:// or https://"
    if parts.username is not None:
        return "it has a user's name, and addresses are stored and shown"
    if not parts.hostname:
        return "it names no host"
    if " " in url or not (url.isascii() and url.isprintable()):
        return "it has a space or another character that no address has"
    return ""


def server_address_fault(url: str) -> str:
    """Return why a text is not a web address that paths can follow; '' if it is one."""
    has_end = "?" in url or "#" in url
    return web_address_fault(url) or ("it has a query or a fragment" if has_end else "")


def is_web_address(url: str) -> bool:
    """Whether a text is the address of a server of http or https, without a user's name."""
    return not web_address_fault(url)


def is_server_address(url: str) -> bool:
    """Whether a text is a web address that paths can follow: without a query and a fragment."""
    return not server_address_fault(url)
