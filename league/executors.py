"""The local executor: worker processes forked from the runner, each pinned to a core."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

from league.seats.parent import end_strays
from league.seats.surroundings import Surroundings
from league.worker import begin_worker


def local_executor(
    workers: int, is_pinned: bool, surroundings: Surroundings
) -> ProcessPoolExecutor:
    """Return an executor of `workers` processes, whose bots find `surroundings`.

    Fork, not spawn: the workers inherit the log handler of multiprocessing-logging, and start in
    milliseconds. The pool forks them all at its first task, before it starts threads of its own.
    """
    context = multiprocessing.get_context("fork")
    cores = sorted(os.sched_getaffinity(0)) if is_pinned else []
    # Two runners with a worker each must not meet on the first core.
    first = os.getpid() % max(1, len(cores))
    cores = cores[first:] + cores[:first]
    turn = context.Value("i", 0, lock=False)
    return ProcessPoolExecutor(
        workers,
        mp_context=context,
        initializer=begin_worker,
        initargs=(os.getpid(), cores, turn, context.Lock(), surroundings),
    )


def end_workers(executor: ProcessPoolExecutor) -> None:
    """End the executor and its processes at once; their bots end with them.

    So do the processes that bots left behind, where this process takes in strays.
    """
    executor.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        process.kill()
        process.join()
    end_strays(())
