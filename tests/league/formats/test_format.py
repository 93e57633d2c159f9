"""The field of a tournament, which formats receive."""

from league.formats.format import Field


def test_who_is_in_no_list_of_joiners_was_there_from_the_first_stage() -> None:
    field = Field(entrants=4, seats=2, rounds=6, seed=1, joined=(0, 0, 3))
    assert [field.joined_at(entrant) for entrant in range(4)] == [0, 0, 3, 0]
    assert Field(entrants=1, seats=2, rounds=6, seed=1).joined_at(0) == 0


def test_who_has_withdrawn_is_not_present() -> None:
    assert Field(entrants=4, seats=2, rounds=6, seed=1, withdrawn={0: 3, 2: 0}).present == (1, 3)
