"""The runner of examples: it reads blocks, runs them in order, and finds outputs that differ."""

from pathlib import Path

import pytest

from tests.docs.blocks import PageError, read_page
from tests.docs.output import difference
from tests.docs.page_run import ExampleError, PageRun

FENCE = "```"


def run(tmp_path: Path, *parts: str) -> None:
    """Run a page of these parts; a part like `sh: echo a` is a block."""
    texts = []
    for part in parts:
        language, colon, text = part.partition(": ")
        texts.append(
            f"{FENCE}{language}\n{text}\n{FENCE}" if colon and " " not in language else part
        )
    folder, scratch = tmp_path / "folder", tmp_path / "scratch"
    folder.mkdir()
    scratch.mkdir()
    with PageRun(folder, scratch) as page:
        page.run(read_page("\n\n".join(texts)))


def test_blocks_of_a_page_share_a_folder(tmp_path: Path) -> None:
    run(
        tmp_path,
        "sh: echo 1 > a",
        "python: print(open('a').read())",
        "text: 1",
        "sh: cat a",
        "text: 1",
    )


@pytest.mark.parametrize(
    "parts",
    [
        ["sh: echo b", "text: a"],
        ["sh: echo a; echo b", "text: a"],
        ["sh: false"],
        ["sh: false; true"],
        ["sh: cat typed", "<!-- file: typed -->", "python: 1"],
        ["python: print(1)", "text: 2"],
        ["python: raise SystemExit(1)"],
        ["python: >>> 1 + 1\n3"],
        ["console: $ echo a\nb"],
        ["<!-- exit code: 1 -->", "sh: true"],
        ["<!-- background -->", "sh: false"],
        ["sh: true", "sh: sudo true"],
        ["sh: true && pip install x"],
        ["<!-- setup\nfalse\n-->", "sh: true"],
    ],
)
def test_a_page_that_is_wrong_fails(tmp_path: Path, parts: list[str]) -> None:
    with pytest.raises(ExampleError, match=r"^line \d"):
        run(tmp_path, *parts)


def test_marks_say_how_a_block_runs(tmp_path: Path) -> None:
    run(
        tmp_path,
        "<!-- not run: part of a class -->",
        "sh: false",
        "<!-- exit code: 3 -->",
        "sh: echo wrong >&2; exit 3",
        "text: wrong",
        "<!-- typed: a; b -->",
        "console: $ read one; read two; echo $two\nb",
        "<!-- setup\necho 1 > made\n-->",
        "sh: cat made",
        "<!-- not output: a drawing -->",
        "text: 2",
        "<!-- background -->",
        "sh: python -c 'import time; print(7, flush=True); time.sleep(600)'",
        "text: 7",
    )


def test_sessions_share_their_names(tmp_path: Path) -> None:
    run(tmp_path, "python: >>> a = 1", "and then", "pycon: >>> a\n1")


@pytest.mark.parametrize(
    ("shown", "printed", "is_equal"),
    [
        ("a\nb", "a\nb\n", True),
        ("a", "a\nb\n", False),
        ("a ... c", "a  12.5 ms   c", True),
        ("a ... c", "a  12.5 ms   d", False),
        ("a\n...\nd", "a\nb\nc\nd", True),
        ("a\n...", "a", True),
        ("a\n...\nd", "a\nb", False),
        (" 1  ....  2", " 1  ....  2", True),
        (" 1  ....  2", " 1  x  2", False),
        ("a  time  c\n1 ...  2", "a    time  c\n1  125 ms  2", True),
        ("a  time\n1 ...\n\n1  2", "a    time\n1  125 ms\n\n1   2", False),
        ("a  time  c\n1  3  2", "a    time  c\n1  3  2", False),
        ("a  time  c\n1 ...  2", "a time  c\n1 125 ms  2", False),
    ],
)
def test_three_dots_stand_for_anything(shown: str, printed: str, is_equal: bool) -> None:
    assert (difference(shown, printed) == "") is is_equal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- not ran: too long -->\n```sh\nfalse\n```\n", "line 1: unknown mark 'not ran'"),
        ("<!-- not run: x -->\n\nText.\n\n```sh\nfalse\n```\n", "no code block follows the mark"),
        ("<!-- file: a -->\n", "no code block follows the mark 'file'"),
    ],
)
def test_a_mark_that_means_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(PageError, match=message):
        read_page(text)
