"""A bracket is a tree, and says how far each bot came."""

from league.formats.format import BracketTie
from league.render.bracket import bracket_of, reached

# Six bots: 0 and 1 have byes.
#
# 3 ─┐
# 4 ─┴─ 3 ─┐
# 0 ───────┴─ 0 ─┐
# 2 ─┐           ├─ 0
# 5 ─┴─ 5 ─┐     │
# 1 ───────┴─ 5 ─┘
FIRST = [BracketTie(0, (3, 4), (2, 0), (3,)), BracketTie(0, (2, 5), (0, 2), (5,))]
SEMI = [BracketTie(1, (0, 3), (2, 0), (0,)), BracketTie(1, (1, 5), (0.5, 1.5), (5,))]
FINAL = [BracketTie(2, (0, 5), (2, 0), (0,))]


def test_ties_hang_below_those_that_they_lead_to() -> None:
    bracket = bracket_of([*FIRST, *SEMI, *FINAL], 6)
    (root,) = bracket.roots
    assert root.tie == FINAL[0]
    assert [each.tie for each in root.feeders] == SEMI
    assert [[one.tie for one in each.feeders] for each in root.feeders] == [[FIRST[0]], [FIRST[1]]]
    assert bracket.rounds == ["round 1", "semi-final", "final"]
    assert bracket.by_round == [("final", FINAL), ("semi-final", SEMI), ("round 1", FIRST)]
    # Those who meet next stand together, whatever the order of play.
    crossed = bracket_of([*FIRST[::-1], *SEMI[::-1], *FINAL], 6)
    assert crossed.by_round == bracket.by_round
    assert reached(bracket) == {
        0: "champion",
        5: "final",
        3: "semi-final",
        1: "semi-final",
        4: "round 1",
        2: "round 1",
    }


def test_a_bracket_in_play_is_a_wood() -> None:
    bracket = bracket_of([*FIRST, SEMI[0], BracketTie(1, (1, 5))], 6)
    assert [each.tie.entrants for each in bracket.roots] == [(0, 3), (1, 5)]
    # Four ties of twelve are no quarter-finals: four bots have byes.
    ties = [BracketTie(0, (number, number + 6)) for number in range(4)]
    assert bracket_of(ties, 12).rounds == ["round 1"]
    assert bracket_of(ties, 8).rounds == ["quarter-final"]
    assert bracket_of([], 8).rounds == []


def test_the_third_place_stands_apart() -> None:
    third = BracketTie(2, (3, 1), (2, 0), (3,))
    bracket = bracket_of([*FIRST, *SEMI, *FINAL, third], 6)
    assert [each.tie for each in bracket.roots] == FINAL
    assert bracket.consolation == [third]
    assert bracket.rounds[-1] == "final"


def test_groups_send_several_on() -> None:
    groups = [
        BracketTie(0, (0, 1, 2, 3), (3, 2, 1, 0), (0, 1)),
        BracketTie(0, (4, 5, 6, 7), (3, 2, 1, 0), (4, 5)),
    ]
    bracket = bracket_of([*groups, BracketTie(1, (0, 1, 4, 5))], 8)
    (root,) = bracket.roots
    assert [each.tie for each in root.feeders] == groups
    assert bracket.rounds == ["semi-final", "final"]
    assert reached(bracket)[0] == "final"
