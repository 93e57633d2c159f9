"""Reads the examples of a page: its code blocks, the marks before them, and the output they show.

A mark is an HTML comment. One stands directly before the block that it is about:

- ``not run: REASON``: the block is not run;
- ``file: NAME``: the block is a file of that name in the folder of the page;
- ``typed: LINE; LINE``: lines that are typed into the block's commands;
- ``exit code: 1``: the block ends with that code;
- ``background``: the block's command runs until the end of the page;
- ``not output: REASON``: a text block is not the output of the block before it.

Three may stand anywhere: ``setup`` and shell commands below it, which are run there unseen;
``needs: NAME...`` with the programs and modules that the page needs; and ``slow page``.
"""

import re
from dataclasses import dataclass, field

SHELL = ("sh", "shell", "bash", "console")
PYTHON = ("python", "pycon")
SETUP = "setup"
OF_A_BLOCK = ("not run", "file", "typed", "exit code", "background", "not output")
OF_A_PAGE = (SETUP, "needs", "slow page")

FOREIGN = ("generated",)
"""Comments that say something to other readers."""

_PARTS = re.compile(
    r"<!--(?P<mark>.*?)-->|^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```",
    re.DOTALL | re.MULTILINE,
)


class PageError(ValueError):
    """A mark or a block of a page that can't be read."""


@dataclass(frozen=True, slots=True)
class Block:
    """A code block: where it begins, its text, its marks, and the output that the page shows."""

    line: int
    language: str
    text: str
    marks: dict[str, str] = field(default_factory=dict)
    output: str | None = None

    @property
    def is_run(self) -> bool:
        """Whether the block is an example, and no mark says otherwise."""
        is_example = self.language in (*SHELL, *PYTHON, SETUP) or "file" in self.marks
        return is_example and "not run" not in self.marks


@dataclass(frozen=True, slots=True)
class Page:
    """The blocks of a page in order, and what its own marks say."""

    blocks: tuple[Block, ...]
    needs: tuple[str, ...] = ()
    is_slow: bool = False


def read_page(text: str) -> Page:
    """Return the examples of a page; raise `PageError` for a mark that nobody knows."""
    blocks: list[Block] = []
    needs: list[str] = []
    is_slow = False
    marks: dict[str, str] = {}
    end = 0
    for part in _PARTS.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        if text[end : part.start()].strip():
            _refuse_lonely(marks, line)
        end = part.end()
        if part["mark"] is None:
            # A fence in a list is indented, and so is its text.
            text_of = re.sub(f"^{part['indent']}", "", part["text"], flags=re.MULTILINE)
            _add(blocks, Block(line, part["language"], text_of, marks))
            marks = {}
            continue
        name, _, value = part["mark"].strip().partition(":")
        if name.split("\n")[0].strip() == SETUP:
            blocks.append(Block(line, SETUP, part["mark"].strip().removeprefix(SETUP)))
        elif name == "needs":
            needs += value.split()
        elif name == "slow page":
            is_slow = True
        elif name not in FOREIGN:
            if name not in OF_A_BLOCK:
                known = ", ".join((*OF_A_BLOCK, *OF_A_PAGE))
                raise PageError(f"line {line}: unknown mark {name!r}; known are {known}")
            marks[name] = value.strip()
    _refuse_lonely(marks, text.count("\n"))
    return Page(tuple(blocks), tuple(needs), is_slow)


def _refuse_lonely(marks: dict[str, str], line: int) -> None:
    for name in marks:
        raise PageError(f"before line {line}: no code block follows the mark {name!r}")


def _add(blocks: list[Block], block: Block) -> None:
    """Add a block to those of a page; a text is the output of the block before it."""
    before = blocks[-1] if blocks else None
    is_output = block.language == "text" and not block.marks
    can_print = before is not None and before.language in (*SHELL, "python")
    if is_output and can_print and before is not None and "file" not in before.marks:
        marks, text = before.marks, before.text
        blocks[-1] = Block(before.line, before.language, text, marks, block.text)
        # A second text is no output.
        block = Block(block.line, "", block.text)
    blocks.append(block)
