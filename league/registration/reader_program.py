"""The reader's process: `reader_program KIND`, with a list of files as input and another as output.

All that strangers wrote and that needs a parser is read here, and nowhere else.
"""

import ast
import json
import re
import resource
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

from league.registration.file_lines import FileList, FileListError, fault_line, lines_of

MEMORY_BYTES = 1 << 30

_LINE_END = re.compile(rb"\r\n|\r|\n")
_CODING = re.compile(rb"coding[:=][ \t]*([-\w.]+)")
"""A declaration of a coding (PEP 263), in the first two lines."""

Files = Mapping[str, bytes]


def main() -> None:
    """Read the files and write what is in them."""
    with suppress(ValueError, OSError):
        # Not every system bounds it.
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    given = FileList(sys.maxsize)
    try:
        while not given.take(sys.stdin.buffer.readline().rstrip(b"\n")):
            continue
        lines = list(lines_of(READERS[sys.argv[1]](given.files)))
    except FileListError as error:
        lines = [fault_line(str(error))]
    except MemoryError:
        lines = [fault_line(f"{given.first!r} can't be a bot: it needs too much memory to be read")]
    except Exception as error:
        # Parsers trip over hostile bytes in more ways than they say.
        lines = [fault_line(f"{given.first!r} can't be a bot: it can't be read ({error})")]
    sys.stdout.buffer.writelines(lines)
    sys.stdout.flush()


def _of_zip(files: Files) -> Files:
    from league.registration.archives import files_of_zip

    ((name, data),) = files.items()
    return files_of_zip(data, name)


def _of_tar(files: Files) -> Files:
    from league.registration.archives import files_of_tar

    (data,) = files.values()
    return files_of_tar(data)


def _of_python(files: Files) -> Files:
    """Return for each Python file the modules that it imports, one a line."""
    from games.support.local_modules import imported_names

    told = {}
    for name, data in files.items():
        names = imported_names(_parsed(data, name), name.split("/")[:-1])
        told[name] = "\n".join(sorted(names)).encode()
    return told


def _of_cargo(files: Files) -> Files:
    """Return the name of the program that Cargo makes."""
    import tomllib

    (data,) = files.values()
    try:
        told = tomllib.loads(data.decode())
        name = told["bin"][0]["name"] if "bin" in told else told["package"]["name"]
        return {"name": name.encode()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise FileListError(f"Cargo.toml names no package: {error}") from None


def _of_package(files: Files) -> Files:
    """Return the main file of a package of npm, and `build` if it has a script of that name."""
    (data,) = files.values()
    try:
        told = json.loads(data)
        found = {"main": told.get("main", "index.js").encode()}
        return {**found, "build": b""} if "build" in told.get("scripts", {}) else found
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise FileListError(f"package.json can't be read: {error}") from None


def _parsed(data: bytes, name: str) -> ast.AST:
    try:
        return ast.parse(_text_of(data, name), name)
    except SyntaxError as error:
        raise FileListError(f"{name} line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise FileListError(f"{name}: {error}") from None


def _text_of(data: bytes, name: str) -> str:
    """Return the text of a Python file, which is the same for people, the league and Python."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileListError(f"{name} is not UTF-8 text (byte {error.start})") from None
    for coding in {each for line in _LINE_END.split(data, 2)[:2] for each in _CODING.findall(line)}:
        if not _is_text(data.removeprefix(b"\xef\xbb\xbf"), coding.decode(), text):
            raise FileListError(
                f"{name} declares the coding {coding.decode()!r}, in which it is another text: "
                "save it as UTF-8 without that declaration"
            )
    return text


def _is_text(data: bytes, coding: str, text: str) -> bool:
    try:
        return data.decode(coding) == text
    except (LookupError, ValueError):
        return False


READERS: Mapping[str, Callable[[Files], Files]] = {
    "zip": _of_zip,
    "tar": _of_tar,
    "python": _of_python,
    "cargo": _of_cargo,
    "package": _of_package,
}

if __name__ == "__main__":
    main()
