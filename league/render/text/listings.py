"""Lists of bots, of tournaments and of matches as tables."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from league.analysis.places import match_result, payoffs_told
from league.render.text.table import Block, Table
from league.store.rows import BotRow, MatchRow, TournamentRow


def bots_blocks(bots: Sequence[BotRow], *, has_retired: bool) -> list[Block]:
    """Return a row for each bot; retired ones are marked if `has_retired`."""
    if not bots:
        return ["no bots yet: 'league register NAME SPEC' adds one"]
    rows = [
        (
            bot.name,
            bot.versions[-1].spec,
            _options(bot.versions[-1].options),
            len(bot.versions),
            ", ".join(bot.games) or "any",
            *(("retired" if bot.is_retired else "",) if has_retired else ()),
        )
        for bot in bots
    ]
    head = ("bot", "spec", "options", "versions", "games", *(("",) if has_retired else ()))
    return [Table(head, rows, right=("versions",))]


def bot_blocks(bot: BotRow) -> list[Block]:
    """Return a bot's name, its games, and a row for each version."""
    rows = [
        (
            version.number,
            version.spec,
            _options(version.options),
            version.digest[:12],
            f"{datetime.fromtimestamp(version.created_at, UTC):%Y-%m-%d %H:%M}",
        )
        for version in bot.versions
    ]
    return [
        f"{bot.name}{' (retired)' if bot.is_retired else ''}",
        f"plays {', '.join(bot.games) or 'any game'}",
        Table(("version", "spec", "options", "digest", "since"), rows),
    ]


def tournaments_blocks(tournaments: Sequence[TournamentRow]) -> list[Block]:
    """Return a row for each tournament, and why those stopped that did."""
    if not tournaments:
        return ["no tournaments yet: 'league run --game GAME --bots all' runs one"]
    head = ("id", "game", "format", "bots", "rounds", "played", "state", "begun (UTC)")
    rows = [
        (
            row.id,
            row.config.game,
            row.config.format,
            len(row.config.entrants),
            row.config.rounds,
            row.progress,
            row.status,
            f"{datetime.fromtimestamp(row.created_at, UTC):%Y-%m-%d %H:%M}",
        )
        for row in tournaments
    ]
    stopped = [f"tournament {row.id}: {row.stop_reason}" for row in tournaments if row.stop_reason]
    return [Table(head, rows, right=("id", "bots", "rounds", "played")), *stopped]


def matches_blocks(matches: Sequence[MatchRow], endings: Mapping[int, str]) -> list[Block]:
    """Return a row for each match; `endings` are words for the ends by the rules."""
    if not matches:
        return ["no such matches"]
    payoffs = {row.id: payoffs_told(row.game, row.utilities) for row in matches}
    has_payoffs = any(payoffs.values())
    rows = [
        (
            row.id,
            row.game,
            " – ".join(str(each) for each in row.versions),
            match_result(row),
            *((payoffs[row.id],) if has_payoffs else ()),
            row.plies,
            endings.get(row.id) or row.termination
            if row.fault_seat is None
            else f"{row.termination} of {row.versions[row.fault_seat]}",
            row.machine,
        )
        for row in matches
    ]
    payoff = ("payoff",) if has_payoffs else ()
    heads = ("id", "game", "bots", "score", *payoff, "plies", "ended by", "machine")
    # Few leagues have matches of other machines.
    shown = len(heads) if any(row.machine for row in matches) else -1
    return [Table(heads[:shown], [cells[:shown] for cells in rows], right=("id", "plies"))]


def _options(options: Mapping[str, object]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items()) or "–"
