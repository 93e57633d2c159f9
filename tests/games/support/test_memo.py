"""Tables that fill themselves: made once, and never without a bound."""

import pytest

from games.support.memo import Memo


def test_a_value_is_made_when_it_is_first_asked_for() -> None:
    asked: list[int] = []

    def double(key: int) -> int:
        asked.append(key)
        return 2 * key

    memo = Memo(double)
    assert [memo[3], memo[3], memo[4]] == [6, 6, 8]
    assert asked == [3, 4]


def test_a_full_table_keeps_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.support.memo._LIMIT", 2)
    memo: Memo[int, str] = Memo(str)
    assert [memo[key] for key in range(4)] == ["0", "1", "2", "3"]
    assert list(memo) == [0, 1]
