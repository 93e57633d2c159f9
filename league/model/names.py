"""The rule for the names of bots."""

import unicodedata

from games.support.errors import brief
from league.model.errors import NameInUseError

NAME_MAX = 80
"""The most characters of a name, as many as the database has room for."""

_SIGNS = frozenset(" ._+-',():&")


def name_fault(name: str) -> str:
    """Return what is wrong with a bot's name; '' for nothing.

    A name has letters and digits of any script, and some signs, with single spaces inside. The rest
    could be markup, a path, an order to the terminal, or look like another name.
    """
    if max(len(name), len(name.casefold())) > NAME_MAX:
        return f"bad name {brief(name)}: {len(name)} characters, at most {NAME_MAX} fit"
    is_fit = all(each in _SIGNS or unicodedata.category(each)[0] in "LMN" for each in name)
    if is_fit and any(map(str.isalnum, name)) and name == " ".join(name.split()):
        return ""
    return (
        f"bad name {brief(name)}: letters, digits, {''.join(sorted(_SIGNS)).strip()} and single "
        "inner spaces are allowed"
    )


def check_name(name: str) -> None:
    """Raise `NameInUseError` unless a bot that plays can have this name.

    Commas are for imported names ("Carlsen, Magnus"): in lists of bots they separate the names.
    """
    if fault := name_fault(name):
        raise NameInUseError(fault, name)
    if "," in name:
        raise NameInUseError(f"bad name {name!r}: a comma separates names in lists of bots", name)
