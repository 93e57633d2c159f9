"""The reference of the database, from the tables that the league uses."""

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

from sqlalchemy import Column, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from league.hosting.store import tables as host_tables
from league.store import tables

DIALECT = sqlite.dialect()


def database() -> str:
    """Return Markdown with each table: its meaning, its columns and the SQL that creates it."""
    parts = []
    for heading, module in (("Tables", tables), ("Tables of hosted leagues", host_tables)):
        parts.append(f"## {heading}")
        for table, text in _tables(module):
            parts += _described(table, text)
    return "\n\n".join(parts)


def _tables(module: ModuleType) -> Iterator[tuple[Table, str]]:
    """Yield the tables of a module, each with the text below it."""
    body = ast.parse(inspect.getsource(module)).body
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        table = getattr(module, node.targets[0].id)
        if isinstance(table, Table):
            told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            yield table, inspect.cleandoc(after.value.value) if told else ""  # type: ignore[attr-defined]


def _described(table: Table, text: str) -> Iterator[str]:
    yield f"### `{table.name}`"
    yield text
    rows = [
        f"| `{each.name}` | {each.type.compile(DIALECT)} | {_notes(each)} |"
        for each in table.columns
    ]
    yield "\n".join(["| column | type | notes |", "| --- | --- | --- |", *rows])
    statements = [str(CreateTable(table).compile(dialect=DIALECT)).strip()]
    statements += [
        str(CreateIndex(each).compile(dialect=DIALECT))
        for each in sorted(table.indexes, key=lambda index: str(index.name))
    ]
    sql = ";\n".join(statements).replace("\t", "  ") + ";"
    quoted = "\n".join(f"    {line}".rstrip() for line in f"```sql\n{sql}\n```".splitlines())
    yield f'??? note "SQL for SQLite"\n\n{quoted}'


def _notes(column: Column[object]) -> str:
    notes = ["primary key"] if column.primary_key else []
    notes += [f"refers to `{key.target_fullname}`" for key in column.foreign_keys]
    notes += ["unique"] if column.unique else []
    notes += ["may be NULL"] if column.nullable else []
    return ", ".join(notes)
