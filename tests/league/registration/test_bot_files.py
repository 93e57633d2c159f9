"""The files of a bot: taken along from folders and zips, and what strangers put into those."""

import os
import stat
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from games.support.specs import find_game
from league.model.bot_files import FILES_BYTES, FILES_MAX, PATH_MAX, path_fault
from league.model.errors import SpecError
from league.model.records import BotVersion, Isolation
from league.registration.bot_files import read_folder
from league.registration.check import check
from league.registration.source_snapshot import Intake, take_snapshot
from league.registration.trial import TrialSetup
from league.seats.process.isolation import why_no_sandbox
from league.seats.source_folder import lay_out
from league.store.files_codec import pack_files, unpack_files

WEIGHTS = bytes(range(256)) * 4
LEARNED = f"""\
from pathlib import Path

WEIGHTS = (Path(__file__).parent / "weights.npz").read_bytes()
assert len(WEIGHTS) == {len(WEIGHTS)}


def choose(state, clock):
    return state.legal_moves()[0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make the folder of a bot with weights."""
    made = tmp_path / "mine"
    made.mkdir()
    (made / "bot.py").write_text(LEARNED)
    (made / "weights.npz").write_bytes(WEIGHTS)
    return made


def zipped(path: Path, *files: tuple[str | ZipInfo, bytes]) -> Path:
    """Write a zip of files."""
    with ZipFile(path, "w", ZIP_DEFLATED) as out:
        for name, data in files:
            out.writestr(name, data)
    return path


def snapshots(folder: Path) -> list[BotVersion]:
    """Register the bot in the three forms it can have."""
    parts = [(each.name, each.read_bytes()) for each in sorted(folder.iterdir())]
    inside = [(f"mine/{name}", data) for name, data in parts]
    data = Intake(data=(folder / "weights.npz",))
    return [
        take_snapshot("x", str(folder), {}),
        take_snapshot("x", str(zipped(folder.parent / "flat.zip", *parts)), {}),
        take_snapshot("x", str(zipped(folder.parent / "inside.zip", *inside)), {}),
        take_snapshot("x", str(folder / "bot.py"), {}, None, data),
    ]


def test_a_folder_a_zip_and_added_files_are_the_same_bot(folder: Path) -> None:
    found = snapshots(folder)
    assert {(each.spec, each.digest) for each in found} == {("bot.py", found[0].digest)}
    assert dict(found[0].files) == {"bot.py": LEARNED.encode(), "weights.npz": WEIGHTS}


@pytest.mark.slow
@pytest.mark.parametrize("level", [Isolation.NONE, Isolation.LIMITS, Isolation.SANDBOX])
def test_data_files_stand_beside_the_bot_at_every_level(folder: Path, level: Isolation) -> None:
    if level is Isolation.SANDBOX and why_no_sandbox():
        pytest.skip(why_no_sandbox())
    (found,) = check(
        take_snapshot("x", str(folder), {}), [find_game("tictactoe")], TrialSetup(isolation=level)
    )
    assert found.times.moves


def test_files_survive_the_database() -> None:
    files = {"bot.py": b"x = 1\r\n", "weights.npz": WEIGHTS, "empty": b"", "ä/ö": "ü".encode()}
    assert unpack_files(pack_files(files)) == files
    assert list(unpack_files(pack_files(files))) == list(files)


def test_written_files_are_read_only_and_scripts_can_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    files = {"run": b"#!/bin/sh\n", "deep/data": b"1"}
    found = lay_out(BotVersion("x", "exec:./run", files=files, digest="0" * 64)).path
    modes = [stat.S_IMODE((found / name).stat().st_mode) for name in files]
    assert [mode & 0o222 for mode in modes] == [0, 0]
    assert [bool(mode & 0o100) for mode in modes] == [True, False]


def test_a_database_cannot_write_outside_of_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(OSError, match="outside of the bot's folder"):
        lay_out(BotVersion("x", "bot.py", files={"../../../harm": b""}, digest="0" * 64))
    assert not list(tmp_path.rglob("harm"))
    bot = BotVersion("x", "bot.py", files={"bot.py": b""}, digest="../../../harm")
    assert lay_out(bot).path.is_relative_to(tmp_path / "cache")
    assert not list(tmp_path.rglob("harm"))


@pytest.mark.parametrize("path", ["a", "ä.txt", "deep/er.py", "<b>&", "-rf", "a b"])
def test_paths_that_fit(path: str) -> None:
    assert path_fault(path) == ""


@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a\\b", "a\x1b[2J", "a\nb", "a\u202e"],
)
def test_paths_that_do_not(path: str) -> None:
    assert path_fault(path)
    assert path_fault("x" * (PATH_MAX + 1))


def link(name: str) -> ZipInfo:
    """Return an entry that is a link."""
    found = ZipInfo(name)
    found.external_attr = (stat.S_IFLNK | 0o777) << 16
    return found


def squeezed(name: str) -> ZipInfo:
    """Return an entry compressed by bzip2."""
    found = ZipInfo(name)
    found.compress_type = ZIP_BZIP2
    return found


ZIPS: dict[str, tuple[list[tuple[str | ZipInfo, bytes]], str]] = {
    "a bomb": ([("bot.py", b"\0" * (FILES_BYTES + 1))], "more than 32 MB of files"),
    "a bomb of two": ([(n, b"\0" * (FILES_BYTES // 2 + 1)) for n in "ab"], "more than 32 MB"),
    "a way out": ([("../../x.py", b"")], "outside of the bot's folder"),
    "a way to the root": ([("/etc/cron.d/x", b"")], "outside of the bot's folder"),
    "a link": ([(link("weights"), b"/etc/passwd")], "'weights' is a link"),
    "escapes": ([("a\x1b[31m.py", b"")], "has a control character"),
    "many files": ([(f"{n}.txt", b"") for n in range(FILES_MAX + 1)], "more than 500 files"),
    "crowds": ([(f"{n}.txt", b"") for n in range(10 * FILES_MAX + 1)], "more than 500 files"),
    "bzip2": ([(squeezed("a"), b"a")], "a method other than deflate"),
    "nothing": ([], "is a folder without Cargo.toml, Makefile, bot.py"),
}


@pytest.mark.parametrize("what", ZIPS)
def test_what_is_wrong_with_a_zip_is_said(what: str, tmp_path: Path) -> None:
    files, expected = ZIPS[what]
    path = zipped(tmp_path / "mine.zip", *files)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SpecError) as caught:
        take_snapshot("x", str(path), {})
    assert expected in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert sorted(tmp_path.rglob("*")) == before


def damaged(data: bytes) -> bytes:
    """Return a zip of which a byte of a file has changed."""
    at = data.index(b"choose")
    return data[:at] + b"x" + data[at + 1 :]


@pytest.mark.parametrize(
    "change", [damaged, lambda data: data[:-30], lambda data: b"no zip", lambda data: b""]
)
def test_a_damaged_zip_is_said(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    made = BytesIO()
    with ZipFile(made, "w") as out:
        out.writestr("bot.py", LEARNED)
    path = tmp_path / "mine.zip"
    path.write_bytes(change(made.getvalue()))
    with pytest.raises(SpecError, match=r"mine\.zip is not a readable zip"):
        take_snapshot("x", str(path), {})


def test_links_and_pipes_in_a_folder_are_refused(folder: Path) -> None:
    (folder / "weights.npz").unlink()
    (folder / "weights.npz").symlink_to("/etc/passwd")
    with pytest.raises(SpecError, match=r"'mine' can't be a bot: 'weights\.npz' is a link"):
        read_folder(folder, "mine")
    (folder / "weights.npz").unlink()
    os.mkfifo(folder / "weights.npz")
    with pytest.raises(SpecError, match=r"weights\.npz is not a regular file"):
        read_folder(folder, "mine")


def test_a_huge_file_is_refused_unread(folder: Path) -> None:
    with (folder / "huge").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(SpecError, match="more than 32 MB of files"):
        read_folder(folder, "mine")


def test_hidden_files_and_caches_are_left_out(folder: Path) -> None:
    for name in (".git", "__pycache__", "target"):
        (folder / name).mkdir()
        (folder / name / "file").write_text("")
    (folder / ".secret").write_text("")
    assert list(read_folder(folder, "mine")) == ["bot.py", "weights.npz"]


def test_added_files_are_for_python_files(folder: Path) -> None:
    data = Intake(data=(folder,))
    found = take_snapshot("x", str(folder / "bot.py"), {}, None, data)
    assert "mine/weights.npz" in found.files
    with pytest.raises(SpecError, match="is not a Python file"):
        take_snapshot("x", "random", {}, None, data)
    (folder / "sub").mkdir()
    (folder / "sub" / "bot.py").write_text("another")
    with pytest.raises(SpecError, match=r"the bot has another 'bot\.py'"):
        take_snapshot(
            "x", str(folder / "bot.py"), {}, None, Intake(data=(folder / "sub" / "bot.py",))
        )


def test_a_folder_without_a_bottom_is_refused(tmp_path: Path) -> None:
    deep = tmp_path / "mine"
    for _ in range(15):
        # Made from inside, since the whole path is longer than a call may name.
        deep = deep.joinpath(*["a"] * 60)
        deep.mkdir(parents=True)
    with pytest.raises(SpecError, match="a name of more than 200 bytes"):
        read_folder(tmp_path / "mine", "mine")


def test_a_path_cannot_be_a_file_and_a_folder(tmp_path: Path) -> None:
    path = zipped(tmp_path / "mine.zip", ("bot.py", b""), ("a", b""), ("a/b/c", b""))
    with pytest.raises(SpecError, match=r"'mine\.zip' can't be a bot: 'a' is a file and a folder"):
        take_snapshot("x", str(path), {})
