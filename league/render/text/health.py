"""The health of bots as programs, as text."""

from collections.abc import Mapping, Sequence

from league.analysis.bot_health import Health
from league.analysis.sentences import faults_told
from league.model.number_format import measured, short_count
from league.model.records import Conduct
from league.render.text.score_parts import where
from league.render.text.standings import NO_MATCHES
from league.render.text.table import Block, Table

HEAD = ("bot", "forfeits", "time", "p99", "slack", "least", "CPU", "nodes/s")


def health_blocks(
    found: Mapping[str, Sequence[Health]],
    tournament: int | None,
    matches: int,
    bot: str | None,
) -> list[Block]:
    """Return a table for each game, and more about each of its rows if they are of one `bot`."""
    blocks: list[Block] = []
    for game, rows in found.items():
        place = where(game, tournament)
        if rows:
            newest = f"each bot's newest {matches:,} matches at most" if matches else "all matches"
            title = f"{place}, {newest}"
            blocks.append(_table(rows, title))
            blocks += [
                f"{row.bot} is suspended: {row.conduct.suspended}"
                for row in rows
                if row.conduct.suspended
            ]
            blocks += [
                f"principal variations of {row.bot}: {row.lines}" for row in rows if str(row.lines)
            ]
        for row in rows if bot is not None else ():
            blocks += _detailed(row)
    who = "" if bot is None else f" of {bot!r}"
    if not found:
        return [NO_MATCHES]
    return blocks or [f"no matches{who} in {where(' and '.join(found), tournament)} yet"]


def _table(rows: Sequence[Health], title: str) -> Table:
    return Table(
        HEAD,
        [
            (
                row.bot,
                f"{row.forfeits.total()} of {row.matches}",
                measured(row.wall_s),
                measured(row.wall_p99_s),
                measured(row.slack_s),
                measured(row.slack_least_s),
                "–" if row.cpu_share is None else f"{row.cpu_share:.0%}",
                "–" if row.nodes_a_second is None else short_count(round(row.nodes_a_second)),
            )
            for row in rows
        ],
        right=HEAD[1:],
        title=title,
    )


def _detailed(row: Health) -> list[Block]:
    forfeits = faults_told(row.forfeits)
    by_ply = Table(
        ("plies", "moves", "time", "depth"),
        [
            (
                f"{each.first}–{each.last}",
                each.moves,
                measured(each.wall_s),
                "–" if each.depth is None else f"{each.depth:g}",
            )
            for each in row.depths()
        ],
        right=("plies", "moves", "time", "depth"),
    )
    return [
        str(row.bot),
        f"  forfeits    {forfeits or 'none'}",
        f"  moves       {len(row.moves):,}, {row.silent:,} of them without a report",
        f"  late        {row.late:,} within the grace; starved {row.starved:,}",
        f"  conduct     {_conduct(row.conduct)}\n",
        by_ply,
    ]


def _conduct(conduct: Conduct) -> str:
    parts = [
        (conduct.kills, "matches played again because its process was killed"),
        (conduct.failed_starts, "failed starts"),
        (conduct.hangs, "workers hung while it was to move"),
    ]
    told = [f"{what}: {count:,}" for count, what in parts if count]
    return "; ".join(told) or "nothing notable"
