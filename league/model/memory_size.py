"""Sizes of memory as text: `512M`, `2G`."""

import re
from typing import Any

from games.support.errors import OptionError, brief

_SIZE = re.compile(r"(\d{1,9})\s*(m|mb|g|gb|)")


def read_megabytes(value: Any) -> int:
    """Return a size in MB, given as a number of them or as text such as `2G`.

    Raises `OptionError` for anything else, and for nothing.
    """
    match = _SIZE.fullmatch(str(value).strip().lower())
    if match is None or int(match[1]) == 0:
        raise OptionError(f"{brief(str(value))} is not a memory size: write 512M or 2G", "memory")
    return int(match[1]) * (1024 if match[2].startswith("g") else 1)
