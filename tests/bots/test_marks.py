"""A mark holds as long as nothing changed that the compiled code was made of or for."""

import sys
from importlib import metadata
from pathlib import Path
from unittest.mock import Mock

import pytest

from bots.compiled import ready
from bots.compiled.digest import digest
from bots.compiled.kernel_loops import PLAYING
from bots.compiled.marks import CompilationMark, find_mark, has_place, leave_mark, remove_mark
from bots.compiled.native import MachineCode
from games.support.specs import find_game

pytestmark = pytest.mark.extra

pytest.importorskip("numba")

GAME = find_game("connectfour")
CODE = {name: MachineCode("loop", b"\x01\x02\x03") for name in PLAYING}


@pytest.fixture
def kernel_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Mark Connect Four as compiled from a file of a user's; return that file."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    source = tmp_path / "kernel.py"
    source.write_text("# moves")
    sources = (str(source),)
    assert find_mark(GAME) is None
    assert leave_mark(GAME, CompilationMark(digest(sources), sources, CODE))
    assert find_mark(GAME) is not None
    return source


def test_a_mark_is_for_one_game_with_its_options(kernel_file: Path) -> None:
    assert ready.is_prepared(GAME)
    assert find_mark(find_game("connectfour?columns=8")) is None
    assert find_mark(GAME.starting_at("7/7/7/7/7/3r3 y")) is not None
    remove_mark(GAME)
    assert find_mark(GAME) is None


def test_a_game_without_a_kernel_needs_no_mark(kernel_file: Path) -> None:
    assert ready.is_prepared(find_game("pacman"))
    assert not ready.is_prepared(find_game("othello"))


@pytest.mark.parametrize("text", ["# other moves", None])
def test_another_source_ends_it(kernel_file: Path, text: str | None) -> None:
    kernel_file.unlink() if text is None else kernel_file.write_text(text)
    assert find_mark(GAME) is None


@pytest.mark.parametrize("package", ["numba", "llvmlite", "numpy"])
def test_another_version_ends_it(
    kernel_file: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    def version(name: str) -> str:
        return "99" if name == package else metadata.version(name)

    monkeypatch.setattr("bots.compiled.digest.version", version)
    assert find_mark(GAME) is None


def test_another_python_ends_it(kernel_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version", "3.99")
    assert find_mark(GAME) is None


def test_another_processor_ends_it(kernel_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = kernel_file.with_name("cpuinfo")
    other.write_text("flags: sse2\n")
    monkeypatch.setattr("bots.compiled.digest.CPU_INFO", other)
    assert find_mark(GAME) is None


def test_without_numba_nothing_is_compiled(
    kernel_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("bots.compiled.digest.version", version)
    assert find_mark(GAME) is None
    assert not leave_mark(GAME, CompilationMark(1, (), CODE))


def test_a_mark_keeps_the_code(kernel_file: Path) -> None:
    found = find_mark(GAME)
    assert found is not None
    assert found.code == CODE


@pytest.mark.parametrize("kept", [0, 1, 70, -1])
def test_a_damaged_mark_is_none(kernel_file: Path, kept: int) -> None:
    """Code that is cut short or changed must never run."""
    (mark,) = kernel_file.parent.glob("*.ready")
    whole = mark.read_bytes()
    mark.write_bytes(whole[:kept])
    assert find_mark(GAME) is None
    mark.write_bytes(whole.replace(b"AQID", b"AQIE"))
    assert find_mark(GAME) is None


def test_a_mark_without_a_place_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    assert not leave_mark(GAME, CompilationMark(1, (), CODE))


def test_nothing_is_compiled_without_a_place_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "compiled"))
    asked = Mock()
    monkeypatch.setattr(ready, "_compile", asked)
    assert not ready.prepare(GAME)
    asked.assert_not_called()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    assert not find_mark(GAME)
    assert has_place(GAME)
