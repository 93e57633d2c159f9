"""The modules beside a file that it imports."""

import ast
from pathlib import Path

import pytest

from games.support.local_modules import imported_names, local_modules


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_modules_are_found_through_one_another(tmp_path: Path) -> None:
    files = {
        "own.py": "import one\nfrom lib.deep import two\ndef late():\n    import three",
        "one.py": "import own, four",
        "lib/deep/two.py": "from ..wide import five",
        "lib/wide/__init__.py": "from . import five",
        "lib/wide/five.py": "",
        "three.py": "a mistake (",
        "four.py": "",
        "other.py": "a secret",
        "lib/other.py": "a secret",
    }
    _write(tmp_path, files)
    found = {str(path.relative_to(tmp_path)) for path in local_modules(tmp_path / "own.py")}
    assert found == {name for name in files if "other" not in name}


def test_a_module_that_is_installed_comes_before_one_beside_the_file(tmp_path: Path) -> None:
    _write(tmp_path, {"own.py": "import json, pytest, games, local_one", "local_one.py": ""})
    _write(tmp_path, dict.fromkeys(("json.py", "pytest.py", "games.py"), "a bot"))
    assert local_modules(tmp_path / "own.py") == [tmp_path / "own.py", tmp_path / "local_one.py"]


def test_the_same_file_is_found_by_a_link_to_its_folder(tmp_path: Path) -> None:
    _write(tmp_path / "new", {"own.py": "import local_two", "local_two.py": ""})
    (tmp_path / "old").symlink_to(tmp_path / "new")
    path = tmp_path / "old" / "own.py"
    assert local_modules(path) == [path, tmp_path / "old" / "local_two.py"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a.b as c, d", {"a.b", "d"}),
        ("from a.b import c", {"a.b.c"}),
        ("from . import c", {"pack.age.c"}),
        ("from .a import c", {"pack.age.a.c"}),
        ("from ..a import c", {"pack.a.c"}),
        ("from ...a import c", {"a.c"}),
        ("from ....a import c", {"a.c"}),
    ],
)
def test_names_are_those_from_the_file_s_own_folder(text: str, names: set[str]) -> None:
    assert imported_names(ast.parse(text), ("pack", "age")) == names
