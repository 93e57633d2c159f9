"""Answers of the league: typed values that print as their commands print them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from league.model.errors import LeagueError
from league.render.text.table import Block, html_of, text_of

if TYPE_CHECKING:
    import pandas

    from league.store.rows import BotRef

T = TypeVar("T")


class Shown:
    """An answer that prints as tables and lines, also in a notebook."""

    def blocks(self) -> Sequence[Block]:
        """Return the tables and lines that the command of the same name prints."""
        raise NotImplementedError

    def to_dict(self) -> Any:
        """Return the document that the command prints with `--json`: a dictionary or a list."""
        raise NotImplementedError

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the rows as a table of pandas; times are times of UTC.

        Raises `LeagueError` if pandas is not installed.
        """
        return table_of(self.to_rows())

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the rows of `to_pandas` as dictionaries."""
        return rows_of(self.to_dict())

    def __str__(self) -> str:
        return text_of(self.blocks())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html_of(self.blocks())


class Answer(Shown, Generic[T]):
    """An answer of the league; `value` holds the numbers.

    As text it is what the command of the same name prints, and a notebook shows its tables.

    >>> from league import League
    >>> answer = League.power(5, draws=0.4)
    >>> answer.value.fixed
    52255
    >>> answer.to_dict()["elo"]
    5
    """

    def __init__(
        self,
        value: T,
        blocks: Callable[[], Sequence[Block]],
        document: Callable[[], object] | None = None,
        rows: str | Callable[[], list[dict[str, Any]]] = "",
    ) -> None:
        self.value = value
        self._blocks = blocks
        self._document = document
        self._rows = rows

    def blocks(self) -> Sequence[Block]:
        """Return the tables and lines that the command of the same name prints."""
        return self._blocks()

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the `value`, where there are several in it."""
        found: Any = self.value
        yield from found

    def to_dict(self) -> Any:
        """Return the document that the command prints with `--json`: a dictionary or a list."""
        return plain(self.value if self._document is None else self._document())

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the rows of `to_pandas` as dictionaries."""
        if callable(self._rows):
            return self._rows()
        return rows_of(self.to_dict(), self._rows)


def plain(value: object) -> Any:
    """Return the document of a value, or of each in a list, as plain values of JSON."""
    from league.interchange.documents.catalogue import plain_document

    return plain_document(value)


def rows_of(document: Any, key: str = "") -> list[dict[str, Any]]:
    """Return the rows of a document, or of each of a list of documents.

    `key` is that of the rows; '' means that the documents are the rows.
    """
    documents = document if isinstance(document, list) else [document]
    if not key:
        return documents
    shared = [{"game": each["game"]} if "game" in each else {} for each in documents]
    return [
        {**more, **row} for each, more in zip(documents, shared, strict=True) for row in each[key]
    ]


def with_version(row: Mapping[str, Any], label: "BotRef") -> dict[str, Any]:
    """Return a row with the name of a bot, and the number of its version as in `name@2`."""
    return {**row, "bot": label.bot, "version": label.number}


def table_of(rows: Sequence[Mapping[str, Any]]) -> "pandas.DataFrame":
    """Return rows as a table of pandas.

    A column `at`, or one that ends so, holds seconds since 1970, and becomes times of UTC.
    """
    try:
        import pandas
    except ImportError:
        raise LeagueError("a table of pandas needs pandas: pip install pandas") from None

    table = pandas.DataFrame(rows)
    for name in table.columns:
        if name == "at" or name.endswith("_at"):
            table[name] = pandas.to_datetime(table[name], unit="s", utc=True)
    return table
