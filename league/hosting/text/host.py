"""A hosted league as text."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from games.support.counts import counted
from league.hosting.model.season import Season
from league.hosting.model.services import HOST, HostCounts, ServiceRow
from league.model.number_format import age, short_bytes
from league.render.text.table import Block, Table


def settings_blocks(settings: Mapping[str, str], helps: Mapping[str, str]) -> list[Block]:
    """Return the settings of a season with what they mean."""
    rows = [
        (key, "; ".join(value.split("\n")) or "–", helps.get(key, ""))
        for key, value in settings.items()
    ]
    return [Table(("setting", "value", "meaning"), rows)]


def season_line(season: Season | None) -> str:
    """Say in a line how far a season has come."""
    if season is None:
        return "no season yet: 'league host init --game GAME' makes one"
    closes_at = season.settings.closes_at
    closes = ""
    if closes_at is not None and season.takes_submissions:
        closes = f", submissions close {moment_text(closes_at)}"
    return f"{season.settings.name} ({season.settings.game}): {season.state}{closes}"


def playing_line(in_play: int, workers: int | None, per_s: float) -> str:
    """Say in a line what is played now.

    >>> playing_line(4, 2, 12.3), playing_line(1, None, 0.5), playing_line(0, None, 0.0)
    ('in play: 4 on 2 workers, 12.3 a second', 'in play: 1, 0.5 a second', 'in play: none')
    """
    if not in_play:
        return "in play: none"
    where = "" if workers is None else f" on {counted(workers, 'worker')}"
    return f"in play: {in_play}{where}, {per_s:.1f} a second"


def counts_lines(counts: HostCounts, queue: int, at: float) -> list[str]:
    """Say in lines what a hosted league holds."""
    last = counts.last_match_at
    ago = "" if last is None else f", the last one {age(at - last)} ago"
    states = ", ".join(f"{count} {state}" for state, count in sorted(counts.submissions.items()))
    teams = ", ".join(f"{count} {standing}" for standing, count in sorted(counts.teams.items()))
    faults = ", ".join(f"{count} by {kind}" for kind, count in sorted(counts.faults.items()))
    return [
        f"matches: {counts.matches}{ago}",
        f"lost by a fault: {faults or 'none'}",
        f"submissions: {states or 'none'}; {queue} in the queue",
        f"teams: {teams or 'none'}",
    ]


def machine_line(counts: HostCounts, load: float, disk_free: int | None) -> str:
    """Say in a line how the machine does."""
    free = "" if disk_free is None else f", {short_bytes(disk_free)} free on its disk"
    return f"machine: load {load:.1f}, database {short_bytes(counts.database_bytes)}{free}"


def processes_table(services: Sequence[ServiceRow], at: float) -> Table:
    """Return the processes of a host."""
    rows = [
        (
            "supervisor" if each.name == HOST else each.name,
            each.pid,
            age(at - each.started_at),
            age(at - each.beat_at),
            max(0, each.starts - 1),
        )
        for each in services
    ]
    head = ("process", "pid", "up for", "last sign of life", "restarts")
    return Table(head, rows, right=("pid", "restarts"))


def moment_text(at: int) -> str:
    """Return a time in this machine's zone."""
    return f"{datetime.fromtimestamp(at, UTC).astimezone():%Y-%m-%d %H:%M %Z}"


def attention_lines(*faults: str) -> list[Block]:
    """Return what an organiser should look at first, if anything."""
    return [f"attention: {each}" for each in faults if each]
