"""When a compiled search can be had at once, and how to have it so next time.

To compile takes seconds, and to load what numba's cache holds takes less than one. No match waits
for the former: `prepare` does it beforehand and leaves a mark beside the cache; without that mark
`ready` gives nothing, and the pure search plays.
"""

import importlib
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from bots.search import Result
from games.contract import NULL, Evaluation, Game
from games.kernels import Kernel

Search = Callable[..., Result]
"""`bots.compiled.search.search` with its kernel."""


def ready(game: Game, evaluation: Evaluation = NULL) -> Search | None:
    """Return the compiled alpha-beta of a game, loaded; None where it would have to be compiled.

    None too where the game has no kernel, or its kernel lacks the evaluation.
    """
    kernel = game.kernel()
    if kernel is None or evaluation.name not in ("null", *kernel.evaluations):
        return None
    mark = _mark_of(kernel)
    return _loaded(game, kernel) if mark is not None and mark.exists() else None


def prepare(game: Game) -> bool:
    """Compile the alpha-beta of a game for this machine, once; tell whether it is ready then.

    It is not where the game has no kernel, or numba finds no folder to keep its cache in.
    """
    kernel = game.kernel()
    if kernel is None or (mark := _mark_of(kernel)) is None:
        return False
    if not mark.exists():
        _loaded(game, kernel)
        mark.touch()
    return True


def _loaded(game: Game, kernel: Kernel) -> Search:
    search = _module().search
    search(game.initial(), kernel=kernel, depth=1, evaluation=NULL)
    return partial(search, kernel=kernel)


def _mark_of(kernel: Kernel) -> Path | None:
    """Return the file that stands where numba's cache holds the loop of a kernel."""
    folder = _module().loop_of(kernel).stats.cache_path
    if folder is None:
        return None
    digest = importlib.import_module("bots.compiled.digest").digest_of(kernel)
    shape = f"{kernel.name} {kernel.width} {len(kernel.rules)} {digest}"
    return Path(folder) / f"{kernel.name}-{sha256(shape.encode()).hexdigest()[:16]}.ready"


@cache
def _module() -> Any:
    # It imports numba, which is there where a kernel is.
    return importlib.import_module("bots.compiled.search")
