"""Numbers in words."""

import pytest

from league.model.number_format import matches_told


@pytest.mark.parametrize(("count", "told"), [(0, "0 matches"), (1, "1 match"), (12, "12 matches")])
def test_one_match_is_no_plural(count: int, told: str) -> None:
    assert matches_told(count) == told
