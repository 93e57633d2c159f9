"""Compare searches: run several built-in bots on the same positions."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bots.support.bot import Bot, Clock, Report
from bots.support.search_bot import DepthBot
from bots.support.specs import BOTS, make_bot
from games.support.errors import OptionError, UnknownNameError
from games.support.game import CHANCE, Game, State, texts_of
from games.support.options import split_options
from league.model.errors import SetupError


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSearch:
    """A bot's answer in a position, its nodes and seconds; None for what it did not report.

    `value` is from the view of the seat to move, `pv` in move texts.
    """

    move: str
    value: float | None
    depth: int | None
    nodes: int | None
    seconds: float
    pv: tuple[str, ...]
    text: str


def entrants_of(text: str) -> list[tuple[str, Bot]]:
    """Make the bots of `minimax:depth=5,alphabeta:depth=5,order=game`, each with its name.

    A part with '=' but no colon is an option of the bot before it. Raises `UnknownNameError` or
    `OptionError`.
    """
    labels: list[str] = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        if ":" not in part and "=" in part:
            if not labels:
                raise OptionError(f"option {part!r}: expected the name of a bot before it", part)
            labels[-1] += f"{',' if ':' in labels[-1] else ':'}{part}"
        else:
            labels.append(part)
    if not labels:
        raise SetupError("no bots to compare: name some, as minimax:depth=3,alphabeta:depth=3")
    parts = [label.partition(":") for label in labels]
    for name, _, _ in parts:
        if not BOTS.has(name):
            raise UnknownNameError("built-in bot", name, BOTS.names())
    bots = [make_bot(name, split_options(options, ",")) for name, _, options in parts]
    return list(zip(labels, bots, strict=True))


def endless_of(game: Game, text: str) -> list[str]:
    """List the bots of `entrants_of` that no depth of their own ends before the game does."""
    return [
        label
        for label, bot in entrants_of(text)
        if isinstance(bot, DepthBot) and bot.plies(game) is None
    ]


def compare(
    bots: Sequence[Bot],
    positions: Sequence[State],
    move_s: float | None = None,
    seed: int = 0,
    on_answer: Callable[[int, int], None] = lambda done, total: None,
) -> list[list[ComparedSearch]]:
    """Return each bot's answers, position by position.

    Every bot starts new in every position, with `seed`. `on_answer` gets the number done and the
    total. Raises `SetupError` for a position without a seat to move.
    """
    for number, state in enumerate(positions, 1):
        if state.outcome() is not None or state.to_move == CHANCE:
            raise SetupError(
                f"no bot moves in position {number}: the match is over there, "
                "or a chance event comes next"
            )
    found: list[list[ComparedSearch]] = []
    total = len(bots) * len(positions)
    for bot in bots:
        answers: list[ComparedSearch] = []
        for state in positions:
            on_answer(len(found) * len(positions) + len(answers), total)
            answers.append(_ask(bot, state, move_s, seed))
        found.append(answers)
    return found


def _ask(bot: Bot, state: State, move_s: float | None, seed: int) -> ComparedSearch:
    bot.new_match(state.game, state.to_move, seed)
    bot.report = None
    begin = time.perf_counter()
    move = bot.choose(state, Clock.of(move_s))
    seconds = time.perf_counter() - begin
    report = bot.report or Report()
    return ComparedSearch(
        move=state.text(move),
        value=report.score,
        depth=report.depth,
        nodes=report.nodes,
        seconds=seconds,
        pv=texts_of(state, report.pv),
        text=report.text,
    )
