"""What a store remembers, and when it forgets."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from league.store.cache import MOST, SHARE, Cache


def test_a_state_is_asked_about_once() -> None:
    memory = Cache()
    made: list[int] = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    assert [memory.recall(state, "a", make) for state in (1, 1, 2, 2, 1)] == [0, 0, 1, 1, 2]
    assert memory.recall(1, "b", make) == 3
    assert memory.recall(1, "a", make) == 2


def test_each_value_has_a_state_of_its_own() -> None:
    memory = Cache()
    assert memory.recall("chess 1", "a", lambda: "old") == "old"
    assert memory.recall("othello 1", "b", lambda: "old") == "old"
    assert memory.recall("othello 2", "b", lambda: "new") == "new"
    assert memory.recall("chess 1", "a", lambda: "new") == "old"


def test_threads_wait_for_the_one_that_works_it_out() -> None:
    memory = Cache()
    made: list[int] = []

    def make() -> int:
        made.append(1)
        time.sleep(0.2)
        return len(made)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: memory.recall(1, "a", make), range(8)))
    assert found == [1] * 8


def test_what_failed_is_tried_again() -> None:
    memory = Cache()
    with pytest.raises(ZeroDivisionError):
        memory.recall(1, "a", lambda: 1 // 0)
    assert memory.recall(1, "a", lambda: 2) == 2


def test_the_oldest_is_forgotten_where_there_are_many() -> None:
    memory = Cache()
    for key in range(MOST + 1):
        memory.recall(1, key, lambda: "old")
    assert memory.recall(1, 1, lambda: "new") == "old"
    assert memory.recall(1, 0, lambda: "new") == "new"


def test_what_takes_long_is_made_less_often() -> None:
    memory, now_s, made = Cache(), [100.0], [0]

    def asked(state: int, took_s: float) -> int:
        def make() -> int:
            now_s[0] += took_s
            made[0] += 1
            return state

        return memory.recent(state, "a", make, lambda: now_s[0])

    assert asked(1, 2.0) == 1
    assert [asked(state, 2.0) for state in (2, 3)] == [1, 1]
    now_s[0] += 2.0 * SHARE
    assert [asked(3, 0.01), asked(3, 0.01), asked(4, 0.01), asked(5, 0.01)] == [3, 3, 4, 5]
    assert made == [4]
    for key in range(MOST):
        memory.recent(1, key, lambda: 1)
    asked(5, 0.01)
    assert made == [5]


def test_a_recent_value_that_failed_is_tried_again() -> None:
    memory = Cache()
    with pytest.raises(ZeroDivisionError):
        memory.recent(1, "a", lambda: 1 // 0)
    assert memory.recent(1, "a", lambda: 2) == 2


def test_threads_wait_for_a_value_of_whatever_state() -> None:
    memory = Cache()
    made: list[int] = []

    def make() -> int:
        made.append(1)
        time.sleep(0.2)
        return len(made)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda state: memory.recent(state, "a", make), range(8)))
    assert found == [1] * 8
