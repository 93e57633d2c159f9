"""The programming languages of a bot, told by its files."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from league.registration.build import RUN
from league.seats.bot_specs import protocol_of

PYTHON = "python"

LANGUAGES = {
    ".c": "c",
    ".cc": "c++",
    ".cpp": "c++",
    ".cs": "c#",
    ".cxx": "c++",
    ".go": "go",
    ".hs": "haskell",
    ".java": "java",
    ".jl": "julia",
    ".js": "javascript",
    ".kt": "kotlin",
    ".lua": "lua",
    ".mjs": "javascript",
    ".ml": "ocaml",
    ".pl": "perl",
    ".php": "php",
    ".py": PYTHON,
    ".rb": "ruby",
    ".rs": "rust",
    ".swift": "swift",
    ".ts": "typescript",
    ".zig": "zig",
}
"""The language of source files, by the end of their names."""

SHELL = "shell"


def languages_of(spec: str, files: Mapping[str, bytes]) -> frozenset[str]:
    """Return the languages of a bot with this spec whose files, before a build, are these.

    A Python bot is in Python alone, whatever else lies beside it. A program is in all languages
    that it has source files of; a script `run` counts if there are no others.
    """
    if not protocol_of(spec):
        return frozenset({PYTHON})
    suffixes = (PurePosixPath(name).suffix.casefold() for name in files)
    found = frozenset(LANGUAGES[each] for each in suffixes if each in LANGUAGES)
    return found or frozenset({SHELL} if files.get(RUN, b"").startswith(b"#!") else ())


def language_fault(found: frozenset[str], allowed: tuple[str, ...]) -> str:
    """Return why a bot in these languages can't play where some are `allowed`, () for any."""
    known = {each.casefold() for each in allowed}
    if not known or (found and found <= known):
        return ""
    told = ", ".join(sorted(found - known)) or "a language that no source file tells"
    return f"your bot is in {told}: this season takes {', '.join(sorted(known))}"
