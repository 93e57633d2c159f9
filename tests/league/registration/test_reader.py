"""What strangers wrote is read in a process of its own, which hands out names and bytes alone."""

import resource
import shutil
import tarfile
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.model.bot_files import FILES_BYTES, FILES_MAX, PATH_MAX
from league.model.errors import SpecError
from league.model.records import Isolation
from league.registration import reader
from league.registration.file_lines import FileList, FileListError, fault_line, lines_of
from league.registration.reader import ReadKind, SandboxReader
from league.registration.source_snapshot import Intake, take_snapshot
from league.seats.process.isolation import why_no_sandbox

LEVEL = Isolation.LIMITS if why_no_sandbox() else Isolation.SANDBOX


def listed(lines: bytes) -> dict[str, bytes]:
    """Read a whole list of files."""
    found = FileList()
    assert [found.take(line) for line in lines.splitlines()][-1]
    return found.files


@given(st.dictionaries(st.from_regex(r"\A[a-zé]{1,9}\.py\Z"), st.binary(max_size=99), max_size=9))
def test_a_list_of_files_comes_out_as_it_went_in(files: dict[str, bytes]) -> None:
    assert listed(b"".join(lines_of(files))) == files


def test_a_large_file_comes_in_several_lines() -> None:
    files = {"a": bytes(1_000_000), "empty": b""}
    lines = list(lines_of(files))
    assert max(map(len, lines)) < 500_000
    assert listed(b"".join(lines)) == files


@given(
    st.lists(
        st.binary(max_size=40)
        | st.tuples(st.sampled_from([b"n", b"d", b"f", b"e", b"x"]), st.binary(max_size=40)).map(
            lambda pair: pair[0] + b64encode(pair[1])
        )
    )
)
def test_any_lines_are_a_list_of_files_or_refused(lines: list[bytes]) -> None:
    found = FileList()
    try:
        for line in lines:
            found.take(line)
    except (FileListError, ValueError):
        pass
    assert all(name and not name.startswith("/") for name in found.files)


def name_line(name: str) -> bytes:
    """Return the line that begins a file."""
    return b"n" + b64encode(name.encode())


LISTS: dict[str, tuple[list[bytes], str]] = {
    "many files": ([name_line(str(n)) for n in range(FILES_MAX + 1)], "more than 500 files"),
    "much": (
        [name_line("a"), *[b"d" + b64encode(bytes(1 << 19))] * (FILES_BYTES // (1 << 19) + 1)],
        "more than 32 MB of files",
    ),
    "a way out": ([name_line("../x")], "outside of the bot's folder"),
    "a long name": ([name_line("x" * (PATH_MAX + 1))], "a name of more than 200 bytes"),
    "one name twice": ([name_line("a"), name_line("a")], "two files are called 'a'"),
    "a file and a folder": ([name_line("a"), name_line("a/b"), b"e"], "is a file and a folder"),
    "content of no file": ([b"d" + b64encode(b"1")], "not a line of a list"),
    "lines without content": ([name_line("a"), b"d"], "not a line of a list"),
    "no base64": ([name_line("a"), b"d!!!!"], "base64"),
    "nothing": ([b""], "not a line of a list"),
    "a fault": ([fault_line("x" * 5000).rstrip()], f"^{'x' * 1000}$"),
}


@pytest.mark.parametrize("what", LISTS)
def test_what_is_wrong_with_a_list_of_files_is_said(what: str) -> None:
    lines, told = LISTS[what]
    found = FileList()
    with pytest.raises((FileListError, ValueError), match=told):  # noqa: PT012 (at any line)
        for line in lines:
            found.take(line)


def header(name: str, kind: bytes = b"0", size: bytes = b"00000000000\0") -> bytes:
    """Return the header of an entry of a tar, with any type and size."""
    made = bytearray(tarfile.TarInfo(name).tobuf(tarfile.USTAR_FORMAT))
    made[156:157], made[124:136], made[148:156] = kind, size, b" " * 8
    made[148:156] = b"%06o\0 " % sum(made)
    return bytes(made)


BACK = b"\xff" * 10 + b"\xfe\0"
"""A size of -512, which leads back to the same header."""

HUGE = b"\x80" + b"\0" * 3 + b"\x7f" + b"\xff" * 7

TARS = {
    "an entry that leads back": (header("y") + header("x", b"Z", BACK), "more than 10000 entries"),
    "a file that leads back": (header("y") + header("x", b"0", BACK), "more than 10000 entries"),
    "a file of exabytes": (header("x", b"0", HUGE), "more than 32 MB of files"),
    "a sparse file of exabytes": (header("x", b"S", HUGE), "can't be a bot: it can't be read"),
    "a long name without an end": (header("x", b"L", BACK) * 9, "."),
    "a header without an end": (header("x", b"x", HUGE) * 9, "."),
    "many entries": (header("d", b"5") * 10_001, "more than 10000 entries"),
    "a way out": (header("a/../../x"), "outside of the bot's folder"),
    "a file and a folder": (header("a") + header("a/b"), "is a file and a folder"),
}


@pytest.mark.parametrize("what", TARS)
def test_a_hostile_tar_ends_with_a_fault(what: str) -> None:
    data, told = TARS[what]
    with pytest.raises(SpecError, match=told):
        SandboxReader(LEVEL).read(ReadKind.TAR, {"files.tar": data + bytes(1024)}, "mine")


def test_a_reader_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "READ_S", 0.0)
    with pytest.raises(SpecError, match=r"'bot\.py' can't be a bot: it takes more than 0 s"):
        SandboxReader(LEVEL).read(ReadKind.PYTHON, {"bot.py": b""}, "mine")


FORGED = """\
import os, signal
from base64 import b64encode
from pathlib import Path

fields = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(") ")[2].split()
shell = int(fields[1])
os.kill(shell, signal.SIGSTOP)
tar = Path("forged").read_bytes()
lines = [b"n" + b64encode(name) for name in (b"other", b"files.tar")]
lines[1:1] = [b"d" + b64encode(b"1")]
lines += [b"d" + b64encode(tar), b"e", b""]
# There the shell keeps its output, while that of the build goes to its log.
Path(f"/proc/{shell}/fd/10").write_bytes(b"\\n".join(lines))
"""
"""A build that stops the shell that packs its files, and sends a list of its own."""

STOPS_TAR = """\
import os, signal
from pathlib import Path

for number in range(5000):
    Path(f"{number}").touch()
tar = Path("forged").read_bytes()
if os.fork() == 0:
    while True:
        for each in Path("/proc").glob("[0-9]*"):
            try:
                if (each / "comm").read_text() == "tar\\n":
                    os.kill(int(each.name), signal.SIGSTOP)
                    Path(each / "fd" / "1").write_bytes(tar)
                    os.kill(int(each.name), signal.SIGKILL)
                    os._exit(0)
            except OSError:
                pass
"""
"""A build that leaves a process which stops `tar`, and sends an archive of its own."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize("what", ["an entry that leads back", "a file of exabytes"])
@pytest.mark.parametrize(("level", "how"), [(Isolation.LIMITS, FORGED), (LEVEL, STOPS_TAR)])
def test_a_build_that_sends_its_own_archive_is_refused(
    what: str, level: Isolation, how: str, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "forge.py").write_text(how)
    (folder / "Makefile").write_text("bot:\n\t/usr/bin/python3 forge.py\n")
    (folder / "forged").write_bytes(TARS[what][0] + bytes(1024))
    # If `tar` is too quick, there are too many files.
    with pytest.raises(SpecError, match="the build 'make' leaves invalid files: more than"):
        take_snapshot("x", str(folder), {}, None, Intake(isolation=level))


def used_bytes() -> int:
    """Return the most memory that this process had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


@pytest.mark.slow
def test_a_source_takes_no_memory_outside_of_its_reader(tmp_path: Path) -> None:
    source = "# coding: ascii\n# é\nx = (".encode() + b"1," * 3_000_000 + b")\n"
    path = tmp_path / "bot.py"
    path.write_bytes(source)
    before = used_bytes()
    with pytest.raises(SpecError, match=r"bot\.py declares the coding 'ascii'"):
        take_snapshot("x", str(path), {}, None, Intake(isolation=LEVEL, is_alone=True))
    path.write_bytes(source.partition(b"\n")[2])
    with pytest.raises(SpecError, match=r"'bot\.py' can't be a bot: it "):
        take_snapshot("x", str(path), {}, None, Intake(isolation=LEVEL, is_alone=True))
    assert used_bytes() - before < 100 << 20


CODINGS = {
    "none": ("é = 1\n".encode(), ""),
    "a mark of UTF-8": (b"\xef\xbb\xbf# coding: utf-8\n", ""),
    "one that changes nothing": (b"#!/usr/bin/python3\n# -*- coding: latin-1 -*-\nx = 1\n", ""),
    "in the third line": ("\n\n# coding: ascii\né = 1\n".encode(), ""),
    "latin-1": ("# coding=latin-1\né = 1\n".encode(), "declares the coding 'latin-1'"),
    "utf-7": (b"# coding: utf-7\n#+AAo-x = 1\n", "declares the coding 'utf-7'"),
    "behind a return": (b"\r# coding: utf-7\r#+AAo-x = 1\n", "declares the coding 'utf-7'"),
    "behind a mark": ("\ufeff# coding: ascii\n# é\n".encode(), "declares the coding 'ascii'"),
    "one of bytes": (b"# coding: hex\n", "declares the coding 'hex'"),
    "an unknown one": (b"# coding: no\n", "declares the coding 'no'"),
}


@pytest.mark.parametrize("what", CODINGS)
def test_a_source_is_one_text_for_everybody(what: str) -> None:
    data, told = CODINGS[what]
    try:
        SandboxReader(LEVEL).read(ReadKind.PYTHON, {"bot.py": data}, "mine")
        fault = ""
    except SpecError as error:
        fault = str(error)
    assert told in fault
    assert bool(told) == bool(fault)


def test_the_reader_of_imports_chooses_no_file_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text("import beside\n")
    (tmp_path / "beside.py").write_text("")
    (tmp_path.parent / "secret.py").write_text("")
    assert set(take_snapshot("x", f"{tmp_path}/bot.py", {}).files) == {"bot.py", "beside.py"}
    told = f"...secret\n{tmp_path.parent}/secret\n../secret".encode()
    monkeypatch.setattr(SandboxReader, "read", lambda *_: {"bot.py": told})
    assert set(take_snapshot("x", f"{tmp_path}/bot.py", {}).files) == {"bot.py"}


def test_local_modules_are_read_level_by_level(tmp_path: Path) -> None:
    texts = {
        "bot.py": "import a",
        "a.py": "import b.c\nimport bot",
        "b/__init__.py": "",
        "b/c.py": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(take_snapshot("x", f"{tmp_path}/bot.py", {}).files) == list(texts)
