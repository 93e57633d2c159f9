"""Addresses of web servers."""

from urllib.parse import urlsplit


def is_web_address(url: str) -> bool:
    """Whether a text is the address of a server of http or https, without a user's name."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    is_named = bool(parts.hostname) and parts.username is None
    is_plain = url.isascii() and url.isprintable() and " " not in url
    return parts.scheme in ("http", "https") and is_named and is_plain


def is_server_address(url: str) -> bool:
    """Whether a text is a web address that paths can follow: without a query and a fragment."""
    return is_web_address(url) and "?" not in url and "#" not in url
