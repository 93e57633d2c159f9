"""What language models cost, as text."""

from collections.abc import Iterator, Sequence

from games.support.counts import counted
from games.support.printable import printable
from league.analysis.model_costs import ModelCost
from league.render.text.table import Block, Table

NO_CALLS = "no calls of language models yet"

_HEADS = ("bot", "matches", "moves", "calls", "tokens in", "out", "cached", "cost", "a match")
_MORE = ("a move", "tokens/move", "s/call")


def cost_blocks(rows: Sequence[ModelCost]) -> list[Block]:
    """Return a row for each model, and remarks on failures and on costs that no column has."""
    if not rows:
        return [NO_CALLS]
    heads = (*_HEADS, *_MORE)
    cells = [
        (
            printable(row.bot),
            *(row.matches, row.moves, row.calls),
            *map(_count, (row.tokens_in, row.tokens_out, row.tokens_cached)),
            _at_least(cost_told(row.cost), row.uncounted),
            _at_least(cost_told(row.cost_match), row.finished.uncounted if row.finished else 0),
            _at_least(cost_told(row.cost_move), row.uncounted),
            _at_least("–" if row.tokens_move is None else f"{row.tokens_move:.0f}", row.uncounted),
            "–" if row.latency_s is None else f"{row.latency_s:.2f}",
        )
        for row in rows
    ]
    remarks = [f"{printable(row.bot)}: {told}" for row in rows for told in _remarks(row)]
    return [Table(heads, cells, heads[1:]), *remarks]


def total_told(rows: Sequence[ModelCost]) -> str:
    """Say what all models of a tournament cost: `31 calls of models, cost 0.0124`; '' for none."""
    if not rows:
        return ""
    costs = [row.cost for row in rows if row.cost is not None]
    uncounted = sum(row.uncounted for row in rows)
    cost = f", cost {_at_least(cost_told(sum(costs)), uncounted)}" if costs else ""
    return f"{counted(sum(row.calls for row in rows), 'call')} of models{cost}"


def cost_told(cost: float | None) -> str:
    """Write an amount of money with as many digits as matter."""
    return "–" if cost is None else f"{cost:.4f}" if cost < 1 else f"{cost:.2f}"


def _at_least(told: str, uncounted: int) -> str:
    """Mark a number that lacks calls of unknown cost."""
    return f"≥{told}" if uncounted and told != "–" else told


def _count(count: int | None) -> str:
    return "–" if count is None else f"{count:,}"


def _remarks(row: ModelCost) -> Iterator[str]:
    """Yield what went wrong, and what costs are not in the columns as one may think."""
    found = {
        **row.faults,
        "provider error": row.provider_errors,
        "unanswered": row.unanswered,
        "under way": row.under_way,
    }
    if told := ", ".join(f"{count} {name}" for name, count in found.items() if count):
        yield f"{counted(row.calls - row.moves, 'call')} without a move: {told}"
    if row.uncounted:
        calls = counted(row.uncounted, "call")
        yield f"{calls} of unknown cost, in no sum: a number after ≥ is the least"
    if row.cost_void is not None:
        yield f"void matches cost {cost_told(row.cost_void)}, which the mean of a match leaves out"
    if row.cost_unfinished is not None:
        cost = cost_told(row.cost_unfinished)
        yield f"unfinished matches cost {cost} so far, which the mean of a match leaves out"
