"""Reads an upload inside the sandbox: `unpack_program SIZE NAME`, with the upload as input.

It writes a line of JSON for each file, and the content in lines of base64; or the fault.
"""

import ast
import json
import resource
import sys
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress

from league.model.errors import SpecError
from league.registration.bot_files import files_of_zip

MEMORY_BYTES = 1 << 30

CHUNK = 300_000


def main() -> None:
    """Read the upload and write its files."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    size, name = int(sys.argv[1]), sys.argv[2]
    try:
        _write(_read(sys.stdin.buffer.read(size), name))
    except SpecError as error:
        _tell({"fault": str(error)})
    except MemoryError:
        _tell({"fault": f"{name!r} can't be a bot: it needs too much memory to be read"})
    sys.stdout.flush()


def _read(data: bytes, name: str) -> dict[str, bytes]:
    files = files_of_zip(data, name, name) if name.endswith(".zip") else {name: data}
    for path, content in files.items():
        if path.endswith(".py") and "/" not in path:
            # The league parses it later, and reports other faults then: here it can do no harm
            # if it needs all memory.
            with suppress(SyntaxError, ValueError, RecursionError):
                ast.parse(content)
    return files


def _write(files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        _tell({"name": name, "chunks": -(-len(content) // CHUNK)})
        for at in range(0, len(content), CHUNK):
            sys.stdout.buffer.write(b64encode(content[at : at + CHUNK]) + b"\n")
    _tell({"end": True})


def _tell(told: Mapping[str, object]) -> None:
    sys.stdout.buffer.write(json.dumps(told).encode() + b"\n")


if __name__ == "__main__":
    main()
