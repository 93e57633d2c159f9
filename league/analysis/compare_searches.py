"""Compare searches: run several built-in bots on the same positions."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from bots.support.bot import Bot, Clock, Report
from bots.support.search_bot import DepthBot
from bots.support.specs import BOTS, make_bot
from games.support.errors import OptionError, UnknownNameError
from games.support.game import CHANCE, Game, State, texts_of
from games.support.options import split_options
from league.analysis.own_search import OwnBot, OwnSearch, Route, is_own
from league.model.document import Count, Digits6, about, document
from league.model.errors import SetupError
from league.model.records import ReportRecord


@document("SearchAnswer", "move value depth nodes seconds pv text")
@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSearch:
    """The answer of a bot in a position.

    None for what it did not report.
    """

    move: str
    value: Annotated[float | None, about("for the seat to move")]
    depth: Count | None
    nodes: Count | None
    seconds: Digits6
    pv: tuple[str, ...]
    text: Annotated[str, about("other values that the bot reported")]


def entrants_of(text: str) -> list[tuple[str, Bot | None]]:
    """Make the bots of `minimax:depth=5,alphabeta:depth=5,order=game`, each with its name.

    A part with '=' but no colon is an option of the bot before it. A bot in a Python file is None:
    its name says where it is. Raises `UnknownNameError` or `OptionError`.
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
    return [(label, None if is_own(label) else _built_in(label)) for label in labels]


def _built_in(label: str) -> Bot:
    name, _, options = label.partition(":")
    if not BOTS.has(name):
        raise UnknownNameError("built-in bot", name, BOTS.names())
    return make_bot(name, split_options(options, ","))


def endless_of(game: Game, text: str) -> list[str]:
    """List the bots of `entrants_of` that no depth of their own ends before the game does."""
    return [
        label
        for label, bot in entrants_of(text)
        if isinstance(bot, DepthBot) and bot.plies(game) is None
    ]


def compare(
    bots: Sequence[Bot | OwnBot],
    positions: Sequence[Route],
    move_s: float | None = None,
    seed: int = 0,
    on_answer: Callable[[int, int], None] = lambda done, total: None,
) -> list[list[ComparedSearch]]:
    """Return each bot's answers, position by position.

    Every bot starts new in every position, with `seed`. `on_answer` gets the number done and the
    total. Raises `SetupError` for a position without a seat to move, and `CheckError` for a bot of
    a user that fails.
    """
    states = [route.state for route in positions]
    for number, state in enumerate(states, 1):
        if state.outcome() is not None or state.to_move == CHANCE:
            raise SetupError(
                f"no bot moves in position {number}: the match is over there, "
                "or a chance event comes next"
            )
    found: list[list[ComparedSearch]] = []
    total = len(bots) * len(positions)
    for bot in bots:
        answers: list[ComparedSearch] = []
        for route, state in zip(positions, states, strict=True):
            on_answer(len(found) * len(positions) + len(answers), total)
            if isinstance(bot, Bot):
                answers.append(_ask(bot, state, move_s, seed))
            else:
                answers.append(_answer_of(bot.search(route, move_s, seed)))
        found.append(answers)
    return found


def _answer_of(search: OwnSearch) -> ComparedSearch:
    """Return the answer of a user's bot: what it reports, else what was counted."""
    report = search.report or ReportRecord()
    return ComparedSearch(
        move=search.move,
        value=report.score,
        depth=search.plies if report.depth is None else report.depth,
        nodes=search.nodes if report.nodes is None else report.nodes,
        seconds=search.seconds,
        pv=texts_of(search.root, report.pv),
        text=report.text,
    )


def _ask(bot: Bot, state: State, move_s: float | None, seed: int) -> ComparedSearch:
    if refusal := bot.refusal(state.game):
        raise SetupError(refusal)
    bot.new_match(state.game, state.to_move, seed)
    bot.report = None
    begin = time.perf_counter()
    move = bot.choose(state.view(state.to_move), Clock.of(move_s))
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
