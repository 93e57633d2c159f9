"""The modules beside a Python file that it imports, found without running it."""

import ast
import importlib.util
from collections.abc import Sequence
from pathlib import Path

NAME_MAX = 200
"""The most letters of a module's dotted name."""


def local_modules(path: Path) -> list[Path]:
    """List a Python file and the files beside it that importing it runs.

    As `import_file` has it, the folder is the last place that is searched: a module that is
    installed comes before one of that name beside the file.
    """
    found = [path]
    for each in found:
        try:
            tree = ast.parse(each.read_bytes(), each.name)
        except (OSError, ValueError, SyntaxError):
            # Nothing can import it, so it imports nothing.
            continue
        package = each.relative_to(path.parent).parts[:-1]
        for dotted in sorted(imported_names(tree, package)):
            if not _is_elsewhere(dotted.partition(".")[0], path.parent):
                new = files_of_import(path.parent, dotted)
                found += [one for one in new if one not in found]
    return found


def imported_names(tree: ast.AST, package: Sequence[str] = ()) -> set[str]:
    """Return the dotted names of what a file in `package` imports, or may import."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # The first dot is the package itself, each further one the package around it.
            above = package[: max(0, len(package) + 1 - node.level)] if node.level else ()
            base = [*above, *([node.module] if node.module else [])]
            names.update(".".join([*base, alias.name]) for alias in node.names)
    return names


def files_of_import(root: Path, dotted: str) -> list[Path]:
    """List the files under `root` that importing `dotted` would run; none if it is no name."""
    found: list[Path] = []
    folder = root
    parts = dotted.split(".")
    # The text may be a stranger's, and must lead to no other file of the disk.
    if len(dotted) > NAME_MAX or not all(map(str.isidentifier, parts)):
        return []
    for part in parts:
        for candidate in (folder / part / "__init__.py", folder / f"{part}.py"):
            if candidate.is_file():
                found.append(candidate)
        folder = folder / part
    return found


def _is_elsewhere(name: str, folder: Path) -> bool:
    """Whether the module `name` is not the one in `folder`."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    if spec is None:
        return False
    places = [spec.origin, *(spec.submodule_search_locations or ())]
    known = [Path(place).resolve() for place in places if place]
    return not any(place.is_relative_to(folder.resolve()) for place in known)
