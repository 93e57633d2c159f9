"""Zstandard, imported when it is needed."""

import sys
from typing import Any


def zstd_module() -> Any:
    """Return the standard library's Zstandard, or its backport before Python 3.14."""
    if sys.version_info >= (3, 14):
        from compression import zstd  # noqa: PLC0415 (many commands read no record)
    else:
        from backports import zstd  # noqa: PLC0415 (many commands read no record)
    return zstd
