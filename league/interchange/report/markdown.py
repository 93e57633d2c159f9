"""A report as the Markdown of GitHub: what a page can say without drawings."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from league.interchange.crosstable import markdown as crosstable_markdown
from league.interchange.crosstable import marked
from league.interchange.report.contents import Contents


def markdown(contents: Contents) -> str:
    """Write the report; names and texts of bots are text in it."""
    return "\n".join(_parts(contents))


def _parts(contents: Contents) -> Iterator[str]:
    yield f"# {marked(contents.title)}\n"
    yield f"{marked(contents.summary)}\n"
    found = contents.standings
    points = ["points", *(each.short for each in found.outlook.tiebreaks)]
    points = points if found.has_points else []
    faults = ["forfeits"] if any(row.forfeits for row in contents.ranked) else []
    yield "## Standings\n"
    yield _table(
        ("rank", "bot", *points, "rating", "±95%", "score", "+W =D −L", "matches", *faults),
        [
            (
                str(row.shown_rank),
                marked(row.bot),
                *row.points_told[: len(points)],
                f"{row.rating:.0f}",
                "–" if row.error is None else f"±{row.error:.0f}",
                f"{row.score:.1%}",
                f"+{row.wins} ={row.draws} −{row.losses}",
                str(row.matches),
                *(row.forfeits_told for _ in faults),
            )
            for row in contents.ranked
        ],
    )
    for sentence in contents.sentences:
        yield f"{marked(sentence)}\n"
    yield "## Crosstable\n"
    yield crosstable_markdown(contents.row.config.game, contents.ranked, contents.cells)
    yield "## Endings\n"
    yield _table(("end", "matches"), [(str(end), str(count)) for end, count in contents.ends])
    yield "## Notable matches\n"
    for each in contents.notable:
        names = marked(" – ".join(each.replay.names))
        yield f"- {each.title}: {names}, {marked(each.told)} (`{each.command}`)"
    yield "\n## Bots\n"
    yield _table(
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


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _fenced(text: str) -> str:
    """Return lines as they are: indented, for a fence could be closed by what is in them."""
    return "".join(f"    {line}\n" for line in text.splitlines())
