"""Load a compiled search if it is ready, and prepare it for next time.

Compiling takes seconds; loading from numba's cache takes less than one. No match waits for
compiling: `prepare` compiles beforehand and leaves a mark; without a valid mark `ready` returns
None, numba is not imported, and the pure search plays.
"""

import importlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from bots.compiled.digest import digest_of, sources_of
from bots.compiled.marks import CompilationMark, find_mark, leave_mark, remove_mark
from bots.support.search import SearchResult
from games.kernels import Kernel
from games.support.game import NULL, Evaluation, Game

Search = Callable[..., SearchResult]
"""`bots.compiled.search.search` with its kernel."""


def ready(game: Game, evaluation: Evaluation = NULL) -> Search | None:
    """Return the loaded compiled alpha-beta of a game.

    None if it would have to be compiled, or there is no kernel with the evaluation.
    """
    mark = find_mark(game)
    kernel = None if mark is None else game.kernel()
    if mark is None or kernel is None or evaluation.name not in ("null", *kernel.evaluations):
        return None
    if _cache_of(kernel) != mark.folder:
        return None
    try:
        return _loaded(game, kernel)
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
        _loaded(game, kernel)
    except Exception:
        # Either the cache or the kernel is damaged; if the kernel is, the retry raises again.
        for index in Path(folder).glob("*.nbi"):
            index.unlink(missing_ok=True)
        _loaded(game, kernel)
    return leave_mark(game, CompilationMark(digest_of(kernel), sources_of(kernel), folder))


def _loaded(game: Game, kernel: Kernel) -> Search:
    search = _module().search
    search(game.initial(), kernel=kernel, depth=1, evaluation=NULL)
    return partial(search, kernel=kernel)


def _cache_of(kernel: Kernel) -> str | None:
    """Return the folder of numba's cache for a kernel's loop."""
    folder: str | None = _module().loop_of(kernel).stats.cache_path
    return folder


@cache
def _module() -> Any:
    # It imports numba, which is installed if there is a kernel.
    return importlib.import_module("bots.compiled.search")
