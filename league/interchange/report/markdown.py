"""A report as the Markdown of GitHub: what a page can say without drawings."""

from collections.abc import Iterator
from datetime import UTC, datetime

from league.analysis.standing_columns import columns_of
from league.analysis.tuning_table import TUNING_HEAD, tuning_rows
from league.interchange.crosstable import markdown as crosstable_markdown
from league.interchange.markdown_text import marked, table
from league.interchange.report.contents import Contents


def markdown(contents: Contents) -> str:
    """Write the report; names and texts of bots are text in it."""
    return "\n".join(_parts(contents))


def _parts(contents: Contents) -> Iterator[str]:
    yield f"# {marked(contents.title)}\n"
    yield f"{marked(contents.summary)}\n"
    tuning = contents.standings.outlook.tuning
    if tuning:
        yield "## Parameters\n"
        yield table(TUNING_HEAD, [[*map(marked, row)] for row in tuning_rows(tuning)])
    without = ("interval", "los_next", "forfeits")
    columns = columns_of(contents.ranked, without, contents.standings.outlook)
    if contents.ranked:
        yield "## Standings\n"
        yield table(
            [each.head for each in columns],
            [
                [(marked if each.is_text else str)(str(each.text(row, 0))) for each in columns]
                for row in contents.ranked
            ],
        )
    for sentence in contents.sentences:
        yield f"{marked(sentence)}\n"
    if contents.ranked:
        yield "## Crosstable\n"
        yield crosstable_markdown(contents.row.config.game, contents.ranked, contents.cells)
    yield "## Endings\n"
    yield table(("end", "matches"), [(str(end), str(count)) for end, count in contents.ends])
    yield "## Notable matches\n"
    for each in contents.notable:
        names = marked(" – ".join(each.replay.names))
        yield f"- {each.title}: {names}, {marked(each.told)} (`{each.command}`)"
    yield "\n## Bots\n"
    yield table(
        ("bot", "spec", "options", "digest"),
        [
            (
                marked(str(ref)),
                marked(each.spec),
                marked(" ".join(f"{name}={value}" for name, value in each.options.items())) or "–",
                each.digest[:12],
            )
            for ref, each in contents.entrants
        ],
    )
    if contents.config:
        yield "## Run it again\n"
        yield f"`league run FILE`, with this as the file:\n\n{_fenced(contents.config)}\n"
    made = datetime.fromtimestamp(contents.made_at, UTC)
    yield f"{made:%Y-%m-%d %H:%M} UTC, botleague {contents.botleague}\n"


def _fenced(text: str) -> str:
    """Return lines as they are: indented, for a fence could be closed by what is in them."""
    return "".join(f"    {line}\n" for line in text.splitlines())
