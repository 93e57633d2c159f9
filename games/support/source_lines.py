"""The line of a user's file that a member of a class is written in."""

import ast
import sys
from pathlib import Path


def place_of_member(kind: type, member: str) -> str:
    """Name the file and the line where a class has `member`: `nim.py line 17`; '' if unknown.

    That is its definition, or the first line of the class that sets the attribute on `self`. For a
    member that only the base classes of this package define, it is the line of the class itself.
    """
    own = [each for each in kind.__mro__ if not each.__module__.startswith("games.support")]
    holder = next((each for each in own if member in vars(each)), kind)
    path = getattr(sys.modules.get(holder.__module__), "__file__", None)
    if not path:
        return ""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == holder.__name__:
            return f"{Path(path).name} line {_line_in(node, member)}"
    return ""


def _line_in(node: ast.ClassDef, member: str) -> int:
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == member:
            return each.lineno
        targets = each.targets if isinstance(each, ast.Assign) else [getattr(each, "target", None)]
        if any(isinstance(one, ast.Name) and one.id == member for one in targets):
            return each.lineno
    for found in ast.walk(node):
        if isinstance(found, ast.Attribute) and (type(found.ctx), found.attr) == (
            ast.Store,
            member,
        ):
            return found.lineno
    return node.lineno
