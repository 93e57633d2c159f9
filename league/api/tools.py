"""Functions that need no league: solve, compare and explain searches; arithmetic on results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from league.api.answer import Answer
from league.api.arguments import checks_arguments
from league.api.options import BotOptions, CheckOptions
from league.model.errors import SetupError
from league.registration.live_source import LiveBot

if TYPE_CHECKING:
    from bots.trace.records import Trace
    from games.support.game import State
    from league.analysis.compare_searches import ComparedSearch
    from league.analysis.own_search import OwnBot, OwnSearch, Route
    from league.analysis.solve import Solved, SolveTask
    from league.interchange.rate_pgn import Rating
    from league.model.records import BotVersion, Isolation
    from league.ratings.sprt_results import Power, SprtResult
    from league.registration.finding import CheckFinding
    from league.registration.trial import TrialSetup

NODES_MAX = 2_000_000
"""A search of more nodes than this takes minutes to trace."""


BotSource: TypeAlias = str | Path | LiveBot
"""A spec, a file, or a function or class of this program or notebook."""


@checks_arguments
class Explanation(Answer["Trace"]):
    """A search, node by node: a tree as text, and as a drawing in notebooks.

    >>> explained = League.explain("tictactoe", bot="alphabeta:depth=2")
    >>> explained.value.nodes
    36
    >>> explained.to_svg()[:4]
    '<svg'
    """

    def __init__(self, value: Trace, title: str) -> None:
        from league.render import search

        super().__init__(
            value, lambda: [search.text_of(value, title)], lambda: _search_document(value, title)
        )
        self.title = title

    def to_text(self, fold: int | None = None) -> str:
        """Return the tree as text, `fold` plies deep; None is as deep as there is room for."""
        from league.render import search

        return search.text_of(self.value, self.title, fold)

    def to_svg(self) -> str:
        """Return a drawing of the tree."""
        from league.render import search

        return search.draw_trace(self.value, self.title)

    def to_html(self) -> str:
        """Return a page that steps through the search."""
        from league.render import search

        return search.page_of(self.value, self.title)

    def _repr_svg_(self) -> str:
        return self.to_svg()


@checks_arguments
class Tools:
    """The part of `League` that needs no database; its methods can be called on the class."""

    @staticmethod
    def check(
        source: BotSource,
        *,
        games: str | Sequence[str] = (),
        show_output: bool = False,
        paid: bool = False,
        on_finding: Callable[[str, CheckFinding], None] = lambda game, finding: None,
        **how: Unpack[CheckOptions],
    ) -> Answer[dict[str, list[CheckFinding]]]:
        """Try a bot out as `register` does, without registering it.

        `games` are those to try it in, by default that of its protocol, else Connect Four.
        `CheckOptions` says what else can be given. With `show_output`, each finding has the end of
        what the bot printed. If it is `paid`, a language model is asked for a few moves.
        `on_finding` hears of each point as it is known. The value holds the findings by game; a
        point with `is_passed` False failed, and one with None was not tried.

        >>> League.check("minimax:depth=2", games="tictactoe").value["tictactoe"][0].is_passed
        True
        """
        from games.support.trial import tried_game
        from league.registration.check import CHECKED_IN, examine
        from league.render.text.registration import check_blocks
        from league.seats.bot_specs import usual_game
        from league.seats.process.environment import BotEnvironment

        trial = replace(trial_of(how), shows_output=show_output, is_paid=paid)
        version = version_from("check", source, how, trial.isolation)
        usual = usual_game(version.spec) or CHECKED_IN
        chosen = [tried_game(each) for each in words_of(games) or [usual]]
        environment = BotEnvironment.of(Path("league.db"), [game.spec for game in chosen])
        found: dict[str, list[CheckFinding]] = {}
        for game in chosen:
            findings = found.setdefault(game.spec, [])
            for finding in examine(version, game, trial, environment):
                findings.append(finding)
                on_finding(game.spec, finding)
        return Answer(found, lambda: check_blocks(found), lambda: _check_document(found))

    @staticmethod
    def solve(
        game: str,
        *positions: str,
        line: bool = False,
        move_time: float | None = None,
        compiled: bool = True,
        on_solved: Callable[[Solved], None] = lambda solved: None,
    ) -> Answer[list[Solved]]:
        """Find what positions are worth with best play on both sides, exactly.

        `positions` are moves or the game's own notation; none means the first position. With
        `line`, perfect play to the end is found too. `move_time` limits each position, in seconds.
        Raises `LeagueError` for a game that can't be solved or too little time.

        >>> League.solve("connectfour", "44455554221").value[0].score
        -15
        """
        from games.support.specs import find_game
        from league.analysis.solve import SolveTask

        rules = find_game(game)
        tasks = [SolveTask(text, rules.position(text)) for text in positions]
        return solve_tasks(
            game,
            tasks or [SolveTask("the first position", rules.initial())],
            on_solved,
            is_fast=compiled,
            limit_s=move_time,
            has_line=line,
        )

    @staticmethod
    def bench(
        game: str,
        bots: str,
        *positions: str,
        move_time: float | None = None,
        seed: int = 0,
    ) -> Answer[list[list[ComparedSearch]]]:
        """Give the same positions to several bots, and count their nodes.

        `bots` are built-in bots or Python files, with commas between; `move_time` is in seconds. A
        file's nodes are the root and its calls of `play`, unless it reports its own. The value
        holds a list of answers for each bot, by position. Raises `LeagueError` for an unknown bot
        or position.

        >>> found = League.bench("tictactoe", "minimax:depth=3,alphabeta:depth=3")
        >>> [answers[0].nodes for answers in found.value]
        [586, 163]
        """
        from games.support.specs import find_game
        from league.analysis.own_search import Route

        rules = find_game(game)
        routes = [(text, Route.to(rules, text)) for text in positions]
        return compare_positions(
            game, bots, routes or [("the first position", Route(rules))], move_time, seed
        )

    @staticmethod
    def explain_own(
        game: str, bot: str, position: str = "", *, move_time: float | None = None
    ) -> OwnExplanation:
        """Show what the search of a bot in a Python file walks from a position.

        Counts calls of `play`, and draws the tree by its moves; values and cuts are not seen, but a
        report of the bot is shown. It runs in a process of its own, as in `check`, and has
        `move_time` seconds, by default 1. Raises `LeagueError` for a bot that fails.
        """
        from games.support.specs import find_game
        from league.analysis.own_search import Route

        rules = find_game(game)
        title = f"{rules.spec} at {position}" if position else f"{rules.spec} from the start"
        route = Route.to(rules, position)
        return OwnExplanation(own_bot(bot).search(route, move_time), title)

    @staticmethod
    def explain(
        game: str, position: str = "", *, bot: str = "", cut_on: str = "equality"
    ) -> Explanation:
        """Show how a search goes in a position: windows, values, what is cut off, and by what.

        `position` is moves or the game's notation, `bot` minimax or alphabeta with options, by
        default `alphabeta:depth=3`; `cut_on` is 'equality' or 'strict'. Raises `LeagueError` for a
        search that is too large or a position where no bot moves.

        >>> print(League.explain("tree?file=ghosts", bot="minimax:depth=1"))  # doctest: +ELLIPSIS
        tree?file=ghosts from the start...
        """
        from games.support.specs import find_game

        check_cut(cut_on)
        rules = find_game(game)
        state = rules.position(position) if position else rules.initial()
        title = f"{rules.spec} at {position}" if position else f"{rules.spec} from the start"
        return explain_state(state, title, bot, cut_on)

    @staticmethod
    def sprt(
        *counts: int,
        elo0: float = 0.0,
        elo1: float = 5.0,
        model: str = "normalized",
        alpha: float = 0.05,
        beta: float = 0.05,
    ) -> Answer[SprtResult]:
        """Say which of two differences the counted results favour, by a sequential test.

        `counts` are wins, losses and draws; or, better, encounters of two matches: both lost, lost
        and drawn, won and lost, both drawn, won and drawn, both won. Five counts are encounters of
        0, ½, 1, 1½ and 2 points. Raises `SetupError` for other counts or for hypotheses that are no
        test.

        >>> print(League.sprt(36433, 36027, 68692, elo1=2).value.state)
        undecided
        """
        from league.ratings.elo_difference import COUNT_MAX, Counts
        from league.ratings.sprt import Model, Sprt
        from league.ratings.sprt_results import SprtResult
        from league.render.text.sprt import sprt_blocks

        kinds: dict[int, Callable[..., Counts]] = {
            3: Counts.of_matches,
            5: Counts.of_points,
            6: Counts.of_encounters,
        }
        if len(counts) not in kinds or min(counts) < 0:
            raise SetupError(
                f"counts {counts}: expected W, L, D; or encounters: LL, LD, WL, DD, WD, WW, or "
                "those of 0, ½, 1, 1½ and 2 points"
            )
        if max(counts) > COUNT_MAX:
            raise SetupError(f"count {max(counts)}: expected at most {COUNT_MAX:,}")
        try:
            test = Sprt(elo0, elo1, alpha=alpha, beta=beta, model=Model(model))
            found = SprtResult.of(test, kinds[len(counts)](*counts))
        except ValueError as error:
            raise SetupError(str(error)) from None
        return Answer(found, lambda: sprt_blocks(found))

    @staticmethod
    def power(
        elo: float,
        *,
        model: str = "normalized",
        draws: float = 0.3,
        alpha: float = 0.05,
        beta: float = 0.05,
        batch: int = 16,
    ) -> Answer[Power]:
        """Say how many matches it takes to see a difference of `elo`.

        `model` is its unit, normalized or logistic; the share of draws matters only for logistic
        Elo. The sequential test has a look after each `batch` encounters. Raises `SetupError` for a
        difference of 0, another model or a share that is none.

        >>> League.power(5, model="logistic").value.fixed
        36584
        """
        from league.ratings.sprt import Model
        from league.ratings.sprt_results import Power
        from league.render.text.sprt import power_blocks

        try:
            found = Power.of(elo, Model(model), draws, alpha, beta, batch)
        except ValueError as error:
            raise SetupError(str(error)) from None
        return Answer(found, lambda: power_blocks(found))

    @staticmethod
    def rate_pgn(
        *files: str,
        anchor: tuple[str, float] | None = None,
        at_least: int = 1,
        prior: float | None = None,
        on_read: Callable[[int], None] = lambda size: None,
        strict: bool = False,
    ) -> Answer[Rating]:
        """Rate everybody in PGN files, from all results at once.

        `anchor` holds a name at a rating; names with fewer than `at_least` matches are left out;
        `prior` is in virtual draws of each name, None for one whose width is estimated. `on_read`
        gets the bytes read so far. Raises `LeagueError` for a file that can't be read, and if
        `strict` where a game's tag and its moves have different results.
        """
        from league.interchange.pgn.results import collect
        from league.interchange.rate_pgn import rate
        from league.interchange.rate_text import rate_blocks

        rating = rate(collect(files, on_read, is_strict=strict), anchor, at_least, prior)
        return Answer(rating, lambda: rate_blocks(rating), rows="rows")


def _search_document(found: Trace, title: str) -> object:
    from league.interchange.documents.games import search_document

    return search_document(found, title)


def _own_search_document(found: OwnSearch, title: str) -> object:
    from league.interchange.documents.games import own_search_document

    return own_search_document(found, title)


def _comparison_document(
    game: str,
    positions: Sequence[str],
    labels: Sequence[str],
    found: Sequence[list[ComparedSearch]],
) -> object:
    from games.support.specs import find_game
    from league.interchange.documents.games import comparison_document

    return comparison_document(find_game(game).spec, positions, zip(labels, found, strict=True))


def solve_tasks(
    game: str,
    tasks: Sequence[SolveTask],
    on_solved: Callable[[Solved], None],
    *,
    has_moves: bool = True,
    **options: Any,
) -> Answer[list[Solved]]:
    """Solve positions that may have expected scores; `options` are those of `solve`."""
    from games.support.specs import find_game
    from league.analysis.solve import solve
    from league.render.text.searches import solved_blocks

    found = []
    for solved in solve(find_game(game), tasks, has_moves=has_moves, **options):
        found.append(solved)
        on_solved(solved)
    return Answer(
        found,
        lambda: [block for solved in found for block in solved_blocks(solved)],
    )


def compare_positions(
    game: str,
    bots: str,
    positions: Sequence[tuple[str, Route]],
    move_time: float | None,
    seed: int,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Answer[list[list[ComparedSearch]]]:
    """Compare bots in named positions; `on_progress` gets the answers done and their total."""
    from league.analysis.compare_searches import compare, entrants_of
    from league.render.text.searches import compared_blocks

    labels, made = zip(*entrants_of(bots), strict=True)
    entrants = [bot or own_bot(name) for name, bot in zip(labels, made, strict=True)]
    found = compare(entrants, [route for _, route in positions], move_time, seed, on_progress)
    return Answer(
        found,
        lambda: compared_blocks(labels, found),
        lambda: _comparison_document(game, [name for name, _ in positions], labels, found),
        "bots",
    )


def check_cut(cut_on: str) -> None:
    """Raise `SetupError` for a word that says no way to cut."""
    if cut_on not in ("equality", "strict"):
        raise SetupError(f"cut_on {cut_on!r}: expected 'equality' or 'strict'")


def explain_state(state: State, title: str, bot: str, cut_on: str) -> Explanation:
    """Explain the search of a bot in a position; '' is the default bot."""
    from league.render.search.settings import default_setting, setting_of

    setting = setting_of(state.game, bot, cut_on) if bot else default_setting(state.game, cut_on)
    return explain_setting(state, title, setting)


def explain_setting(state: State, title: str, setting: Any) -> Explanation:
    """Explain a search by its setting; raise `SetupError` where there is nothing to search."""
    from bots.support.search import Exhausted
    from bots.trace.search import trace
    from games.support.game import CHANCE

    if state.outcome() is not None:
        raise SetupError("the match is over in that position: there is nothing to search")
    if state.to_move == CHANCE:
        raise SetupError(
            "a chance event comes next in that position: add its outcome, or go back one ply"
        )
    try:
        return Explanation(trace(state, setting, nodes_max=NODES_MAX), title)
    except Exhausted:
        raise SetupError(
            f"the search makes more than {NODES_MAX:,} nodes: "
            f"give it less depth, as in --bot {setting.method}:depth=3"
        ) from None


def own_bot(spec: str, isolation: str = "auto") -> OwnBot:
    """Return the bot in a Python file, which runs as in `check`; raise `SpecError`."""
    from league.analysis.own_search import OwnBot

    level = level_of(isolation)
    return OwnBot(version_from("own", spec, {}, level), level)


class OwnExplanation(Answer["OwnSearch"]):
    """The search of a user's own bot, as far as it can be seen from outside."""

    def __init__(self, value: OwnSearch, title: str) -> None:
        super().__init__(
            value, lambda: [self.to_text()], lambda: _own_search_document(value, title)
        )
        self.title = title

    def to_text(self, fold: int | None = None) -> str:
        """Return the tree as text, `fold` plies deep; None is as deep as there is room for."""
        from league.render.search.own_text import own_text_of

        return own_text_of(self.value, self.title, fold)


def version_from(name: str, source: BotSource, how: BotOptions, level: Isolation) -> BotVersion:
    """Return the version that a source is, read at a level; raise `SpecError` for a bad one."""
    from league.registration.source_snapshot import Intake, take_live_snapshot, take_snapshot

    options = dict(how.get("options") or {})
    if isinstance(source, str | Path):
        folder = how.get("folder")
        data = tuple(map(Path, how.get("data") or ()))
        intake = Intake(data=data, isolation=level)
        return take_snapshot(name, str(source), options, Path(folder) if folder else None, intake)
    return take_live_snapshot(name, source, options)


def level_of(isolation: str) -> Isolation:
    """Return the level of isolation that a word means here; raise `SetupError`."""
    from league.model.records import Isolation
    from league.seats.process.isolation import resolve

    levels = [str(each) for each in Isolation]
    if isolation not in levels:
        raise SetupError(f"isolation {isolation!r}: expected {' or '.join(levels)}")
    return resolve(Isolation(isolation))[0]


def trial_of(how: Mapping[str, Any]) -> TrialSetup:
    """Return the conditions of a trial by `TrialOptions`; raise `SetupError` or `OptionError`."""
    from league.model.memory_size import read_megabytes
    from league.registration.trial import TrialSetup
    from league.tournament.settings import seconds

    memory = how.get("memory")
    spans = (how.get(word) for word in ("move_time", "start_time"))
    move_s, start_s = (None if span is None else seconds(span) for span in spans)
    level = level_of(how.get("isolation", "auto"))
    trial = TrialSetup(move_s=move_s, start_s=start_s, isolation=level)
    return trial if memory is None else replace(trial, memory_mb=read_megabytes(memory))


def words_of(value: str | Sequence[str]) -> Sequence[str]:
    """Return one text, or several, as a list."""
    return [value] if isinstance(value, str) else value


def _check_document(found: Mapping[str, Sequence[CheckFinding]]) -> object:
    from league.interchange.documents.bots import CheckedGame

    return [
        CheckedGame(
            game=game,
            is_fit=not any(each.is_passed is False for each in findings),
            findings=list(findings),
        )
        for game, findings in found.items()
    ]
