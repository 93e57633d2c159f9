"""The rules for the names of bots."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePath

from games.support.errors import brief
from league.model.errors import NameInUseError

NAME_MAX = 80
"""The most characters of a name, as many as the database has room for."""

RESERVED = frozenset({"all", "any", "none", "bye", "draw", "mean", "newest", "you"})
"""Words that mean something else where the name of a bot is expected."""

FILES = frozenset(
    {".py", ".zip", ".csv", ".toml", ".db", ".c", ".cpp", ".rs", ".js", ".ts", ".java"}
)
"""A name with one of these endings is a file that a shell has written in place of a name."""

_NUMBER = re.compile("([0-9]+)")

_SIGNS = frozenset(" ._+-',():&")

_INSIDE = frozenset("-._ ")
_SIGNS_OF_NEW = _INSIDE | {"+"}
"""The signs of a new name; those `_INSIDE` neither begin nor end it."""

_INVISIBLE = ("COMBINING", "VARIATION", "MONGOLIAN FREE", "KHMER VOWEL INHERENT")

_MIXED = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
"""Scripts that are written together (highly restrictive: Unicode Technical Standard 39)."""

_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХѴаеіјорсухѕԁһӏԛԝѵкΑΒΕΖΗΙΚΜΝΟΡΤΥΧαιοκνρυγօսհոıɑɡ01I|ǀ",
    "ABESlJKMHOPCTYXVaeijopcyxsdhlqwvkABEZHlKMNOPTYXaiokvpuyouhniagollll",
)
"""Letters that look like a Latin one, by that (confusables.txt of the same standard, in part)."""


def natural_order(name: str) -> tuple[str | int, ...]:
    """Return what to sort names by, so that their numbers are in order.

    >>> sorted(["bot-10", "bot-9", "bot"], key=natural_order)
    ['bot', 'bot-9', 'bot-10']
    """
    parts = _NUMBER.split(name.casefold())
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts))


def name_fault(name: str) -> str:
    """Return what is wrong with the name of an imported bot; '' for nothing.

    A name has letters and digits of any script, and some signs, with single spaces inside. The rest
    could be markup, a path, an order to the terminal, or look like another name.
    """
    if fault := _length_fault(name):
        return fault
    is_fit = all(each in _SIGNS or unicodedata.category(each)[0] in "LMN" for each in name)
    if is_fit and any(map(str.isalnum, name)) and name == " ".join(name.split()):
        return ""
    return (
        f"bad name {brief(name)}: letters, digits, {''.join(sorted(_SIGNS)).strip()} and single "
        "inner spaces are allowed"
    )


def check_name(name: str) -> None:
    """Raise `NameInUseError` unless a new bot can have this name, which must be in NFC.

    It has letters and digits of any script, '+', and between them '-', '.', '_' and single spaces,
    and is neither a reserved word nor the name of a file. Imported names have a wider rule,
    `name_fault`.
    """
    if fault := _length_fault(name):
        raise NameInUseError(fault, name)
    if "/" in name or PurePath(name).suffix.casefold() in FILES:
        raise NameInUseError(
            f"bad name {brief(name)}: that looks like a file: the name comes before it; "
            "'league register FOLDER' registers each bot of a folder",
            name,
        )
    is_closed = name[:1].isalnum() and name[-1:] not in _INSIDE and "  " not in name
    if not is_closed or not all(each in _SIGNS_OF_NEW or _is_letter(each) for each in name):
        raise NameInUseError(
            f"bad name {brief(name)}: letters, digits and '+' are allowed, and '-', '.', '_' and "
            "single spaces between them",
            name,
        )
    if look_of(name) in map(look_of, RESERVED):
        raise NameInUseError(f"bad name {name!r}: that is a reserved word", name)
    scripts = _scripts(name)
    if len(scripts) > 1 and not scripts <= _MIXED:
        told = " and ".join(sorted(script.title() for script in scripts))
        raise NameInUseError(f"bad name {name!r}: it mixes letters of {told}", name)


def check_unlike(name: str, taken: Iterable[str]) -> None:
    """Raise `NameInUseError` if a new name looks like another one; equal names do not count."""
    look = look_of(name)
    for other in taken:
        if other != name and look_of(other) == look:
            raise NameInUseError(f"name {name!r} looks like {other!r}: choose another", name)


def normal_name(name: str) -> str:
    """Return a name in normal form C: systems differ in how they write 'ü'."""
    return unicodedata.normalize("NFC", name)


def look_of(name: str) -> str:
    """Return a text that is the same for names that look alike (a skeleton in the standard)."""
    folded = unicodedata.normalize("NFKC", name).translate(_LOOK_ALIKES).casefold()
    return folded.translate(_LOOK_ALIKES).replace("m", "rn")


def _length_fault(name: str) -> str:
    if max(len(name), len(name.casefold())) <= NAME_MAX:
        return ""
    return f"bad name {brief(name)}: {len(name)} characters, at most {NAME_MAX} fit"


def _is_letter(each: str) -> bool:
    """Whether a character is a letter, a digit or a mark that belongs to a letter."""
    kind, called = unicodedata.category(each), unicodedata.name(each, "")
    if kind == "Nd" or kind[0] == "L":
        return "FILLER" not in called
    # NFC has a letter of its own for most accents; whatever else is stacked could hide.
    return kind in ("Mn", "Mc") and not called.startswith(_INVISIBLE)


def _scripts(name: str) -> set[str]:
    """Return the scripts of the letters, by the first word of their Unicode names."""
    plain = unicodedata.normalize("NFKC", name)
    return {unicodedata.name(each, "").split(" ")[0] for each in plain if each.isalpha()}
