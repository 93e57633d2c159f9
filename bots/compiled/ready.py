"""Load compiled loops if they are ready, and prepare them for next time.

Compiling takes seconds; loading takes a twentieth of one. No match waits for compiling: `prepare`
compiles beforehand and keeps the machine code; without it `ready` returns None, and the pure search
plays.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from bots.compiled.digest import digest_of, sources_of
from bots.compiled.kernel_loops import DEEPEN, PLAYING, PROVE, SEARCH, KernelLoops, loops_of
from bots.compiled.marks import CompilationMark, find_mark, has_place, leave_mark, remove_mark
from bots.compiled.search import search
from bots.compiled.window import Windows
from bots.support.bot import Report
from bots.support.search import SearchResult
from games.support.find_kernel import has_room
from games.support.game import NULL, Evaluation, Game
from games.support.kernel import Kernel, Packing

Search = Callable[..., SearchResult]
"""`bots.compiled.search.search` with its loops."""


def ready(game: Game, evaluation: Evaluation = NULL) -> Search | None:
    """Return the compiled alpha-beta of a game, as `ready_loops` does."""
    loops = ready_loops(game, evaluation, SEARCH)
    return None if loops is None else partial(search, loops=loops)


def ready_windows(game: Game, evaluation: Evaluation, room: int) -> Windows | None:
    """Return the compiled deepening search of a game, with a table of `room` positions.

    None as `ready_loops` says, or if the memory does not suffice.
    """
    loops = ready_loops(game, evaluation, DEEPEN)
    try:
        return None if loops is None else Windows(loops, room)
    except (OSError, OverflowError):
        # In Python a table grows as it fills, so the match goes on.
        return None


def ready_loops(game: Game, evaluation: Evaluation, *names: str) -> KernelLoops | None:
    """Return the compiled loops of a game, those of some `names` loaded.

    None if they would have to be compiled, or there is no kernel with the evaluation.
    """
    mark = find_mark(game) if has_room() else None
    if mark is None or not mark.code.keys() >= set(names):
        return None
    packing = _packing_of(game)
    if packing is None or evaluation.name not in ("null", *packing.evaluations):
        return None
    try:
        loops = KernelLoops(packing, code=mark.code)
        for name in names:
            loops.loop(name)
    except ImportError:
        return None
    except Exception:
        # Damaged code may raise anything: the match goes on, and the next one is prepared again.
        remove_mark(game)
        return None
    return loops


def _packing_of(game: Game) -> Packing | None:
    packing = game.packing()
    if packing is None:
        # A kernel without a packing of its own needs numba.
        kernel = game.kernel()
        packing = None if kernel is None else kernel.packing
    return packing


def solving_loops(game: Game) -> KernelLoops | None:
    """Return the loops for solving a game, compiled now if they were not before.

    None if its kernel cannot be solved by, or there is none.
    """
    loops = ready_loops(game, NULL, PROVE)
    if loops is None:
        kernel = game.kernel()
        if kernel is None or kernel.solving is None:
            return None
        loops = loops_of(kernel)
        _compile(game, kernel, (PROVE,))
    return loops


def tell(how: str, report: Report | None) -> Report | None:
    """Return a report that says how the bot searched, `compiled` or `pure`; unchanged for ''."""
    if report is None or not how:
        return report
    return replace(report, text=", ".join(filter(None, (report.text, how))))


def is_prepared(game: Game) -> bool:
    """Tell, without importing numba, whether `prepare` has nothing to do."""
    if type(game).kernel is Game.kernel:
        return True
    mark = find_mark(game)
    return mark is not None and mark.code.keys() >= set(PLAYING)


def prepare(game: Game) -> bool:
    """Compile the loops that bots use for this machine, once; tell whether they are ready then.

    False if the game has no kernel, or there is no folder for the machine code.
    """
    kernel = game.kernel()
    if kernel is None:
        return False
    names = (*PLAYING, DEEPEN) if kernel.deepening else PLAYING
    # Nobody could use what is compiled and not kept.
    return is_prepared(game) or (has_place(game) and _compile(game, kernel, names))


def _compile(game: Game, kernel: Kernel, names: Sequence[str]) -> bool:
    """Compile some loops, and keep them with those kept before; tell whether there is a place."""
    loops, mark = loops_of(kernel), find_mark(game)
    for name in names:
        loops.loop(name)
    code = loops.code if mark is None else {**mark.code, **loops.code}
    return leave_mark(game, CompilationMark(digest_of(kernel), sources_of(kernel), code))
