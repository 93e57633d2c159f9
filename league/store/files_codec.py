"""The files of a version in the database: compressed JSON, path to content, in their order."""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping


def pack_files(files: Mapping[str, bytes]) -> bytes:
    """Return files as compressed JSON: a UTF-8 file as its text, another in a list as Base64."""
    return zlib.compress(json.dumps({name: _plain(data) for name, data in files.items()}).encode())


def unpack_files(packed: bytes) -> dict[str, bytes]:
    """Return the files that `pack_files` packed; raise `ValueError` or `zlib.error` for damage."""
    return {
        name: told.encode() if isinstance(told, str) else b64decode("".join(told))
        for name, told in json.loads(zlib.decompress(packed)).items()
    }


def _plain(data: bytes) -> str | list[str]:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return [b64encode(data).decode()]
