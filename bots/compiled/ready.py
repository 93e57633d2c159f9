"""Load a compiled search if it is ready, and prepare it for next time.

Compiling takes seconds; loading from numba's cache takes less than one. No match waits for
compiling: `prepare` compiles beforehand and leaves a mark; without a valid mark `ready` returns
None, numba is not imported, and the pure search plays.
"""

import importlib
from collections.abc import Callable
from functools import cache, partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bots.compiled.digest import digest_of, sources_of
from bots.compiled.marks import CompilationMark, find_mark, leave_mark, remove_mark
from bots.support.search import FREE, SearchResult
from games.kernels import Kernel
from games.support.game import NULL, Evaluation, Game

if TYPE_CHECKING:
    from bots.compiled.window import Windows

_T = TypeVar("_T")

Search = Callable[..., SearchResult]
"""`bots.compiled.search.search` with its kernel."""


def ready(game: Game, evaluation: Evaluation = NULL) -> Search | None:
    """Return the loaded compiled alpha-beta of a game.

    None if it would have to be compiled, or there is no kernel with the evaluation.
    """
    return _ready(game, evaluation, _loaded)


def ready_windows(game: Game, evaluation: Evaluation, room: int) -> "Windows | None":
    """Return the loaded compiled deepening search of a game, with a table of `room` positions.

    None if `ready` returns none, or the kernel has nothing for deepening.
    """
    return _ready(game, evaluation, partial(_loaded_windows, room=room))


def _ready(
    game: Game, evaluation: Evaluation, load: Callable[[Game, Kernel], _T | None]
) -> _T | None:
    mark = find_mark(game)
    kernel = None if mark is None else game.kernel()
    if mark is None or kernel is None or evaluation.name not in ("null", *kernel.evaluations):
        return None
    if _cache_of(kernel) != mark.folder:
        return None
    try:
        return load(game, kernel)
    except Exception:
        # A damaged cache may raise anything: the match goes on, and the next one is prepared anew.
        remove_mark(game)
        return None


def is_prepared(game: Game) -> bool:
    """Tell, without importing numba, whether `prepare` has nothing to do."""
    return type(game).kernel is Game.kernel or find_mark(game) is not None


def prepare(game: Game) -> bool:
    """Compile the alpha-beta of a game for this machine, once; tell whether it is ready then.

    False if the game has no kernel, or numba has no folder for its cache.
    """
    kernel = game.kernel()
    if kernel is None or (folder := _cache_of(kernel)) is None:
        return False
    mark = find_mark(game)
    if mark is not None and mark.folder == folder:
        return True
    try:
        _load_all(game, kernel)
    except Exception:
        # Either the cache or the kernel is damaged; if the kernel is, the retry raises again.
        for index in Path(folder).glob("*.nbi"):
            index.unlink(missing_ok=True)
        _load_all(game, kernel)
    return leave_mark(game, CompilationMark(digest_of(kernel), sources_of(kernel), folder))


def _loaded(game: Game, kernel: Kernel) -> Search:
    search = _module("search").search
    search(game.initial(), kernel=kernel, depth=1, evaluation=NULL)
    return partial(search, kernel=kernel)


def _loaded_windows(game: Game, kernel: Kernel, room: int) -> "Windows | None":
    if kernel.deepening is None:
        return None
    windows: Windows = _module("window").Windows(kernel, room)
    state = game.initial()
    windows.begin(state, limit=1, evaluation=NULL, clock=FREE).ask(1, -inf, inf)
    return windows


def _load_all(game: Game, kernel: Kernel) -> None:
    _loaded(game, kernel)
    _loaded_windows(game, kernel, 0)


def _cache_of(kernel: Kernel) -> str | None:
    """Return the folder of numba's cache for a kernel's loop."""
    folder: str | None = _module("search").loop_of(kernel).stats.cache_path
    return folder


@cache
def _module(name: str) -> Any:
    # It imports numba, which is installed if there is a kernel.
    return importlib.import_module(f"bots.compiled.{name}")
