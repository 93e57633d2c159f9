"""Packages of which only those modules are loaded that somebody uses."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.seats.python.lazy_package import load_lazily

FILES = {
    "__init__.py": (
        "from lazypack.near import near\n"
        "from .inner import *\n"
        "from .near import near as close\n"
        "ALL = [near, far]\n"
    ),
    "near.py": "near = 1\n",
    "unused.py": "raise AssertionError\n",
    "inner/__init__.py": "from ._list import *\n",
    "inner/_list.py": "from .distant import far\nfrom lazypack.unused import unused\n",
    "inner/distant.py": "from lazypack import near\nfar = near + 1\n",
}


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write a package, and forget it afterwards."""
    for name, text in FILES.items():
        path = tmp_path / "lazypack" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in loaded():
        del sys.modules[name]


def loaded() -> list[str]:
    """Return the modules of the package that are loaded."""
    return sorted(name for name in sys.modules if name.split(".")[0] == "lazypack")


def test_a_name_loads_its_module_alone() -> None:
    load_lazily("lazypack", "inner")
    assert loaded() == ["lazypack", "lazypack.inner"]
    package = importlib.import_module("lazypack")
    assert package.near == 1
    assert loaded() == ["lazypack", "lazypack.inner", "lazypack.near"]
    assert package.far == package.inner.far == 2
    assert "lazypack.unused" not in sys.modules


def test_a_name_that_is_assigned_loads_the_package_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "lazypack/unused.py").write_text("unused = 0\n")
    load_lazily("lazypack", "inner")
    package = importlib.import_module("lazypack")
    assert package.ALL == [1, 2]
    assert (package.close, package.far) == (1, 2)
    with pytest.raises(AttributeError, match="'lazypack' has no attribute 'nothing'"):
        _ = package.nothing


def test_all_names_load_the_package_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "lazypack/unused.py").write_text("unused = 0\n")
    load_lazily("lazypack")
    names: dict[str, object] = {}
    exec("from lazypack import *", names)  # noqa: S102 (a star can't stand in a function)
    assert (names["near"], names["far"], names["ALL"]) == (1, 2, [1, 2])


def test_an_unknown_name_loads_nothing() -> None:
    load_lazily("lazypack", "inner")
    assert not hasattr(importlib.import_module("lazypack"), "nothing")
    assert loaded() == ["lazypack", "lazypack.inner"]


def test_a_package_that_is_loaded_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "lazypack/unused.py").write_text("unused = 0\n")
    package = importlib.import_module("lazypack")
    load_lazily("lazypack", "inner")
    assert sys.modules["lazypack"] is package


def test_a_package_that_is_not_installed_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="No module named 'lazynothing'"):
        load_lazily("lazynothing")
