"""Tie-breaks in the numbers of the TieBreakServer, the reference program of FIDE's rules.

`tie_breaks.json` holds tournaments with random pairings and results, and its numbers for them:
https://github.com/OttoMilvang/TieBreakServer, commit 14a34a2, by the rules of 1 March 2026. An
encounter was there a match of two teams on two boards, one for each match of the encounter, and
points are game points. In a stage, `3-1 1=` is an encounter of which entrant 3 won the first match
and drew the second; `--` is an encounter in which nobody scored.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from league.formats.format import Encounter, EncounterResult, Field
from league.formats.specs import make_format
from league.model.tiebreak import Tiebreak
from tests.league.formats.playing import table

Tournament = dict[str, Any]

TOURNAMENTS: list[Tournament] = json.loads(
    Path(__file__).with_name("tie_breaks.json").read_text("utf-8")
)
SCORES = {"1": (1.0, 0.0), "=": (0.5, 0.5), "0": (0.0, 1.0), "-": (0.0, 0.0)}
SUMS = (Tiebreak.BUCHHOLZ_CUT1, Tiebreak.BUCHHOLZ, Tiebreak.SONNEBORN_BERGER)


def read_field(tournament: Tournament) -> Field:
    return Field(
        entrants=len(tournament["points"]),
        seats=2,
        rounds=len(tournament["stages"]),
        seed=0,
        joined=tuple(tournament.get("joined", ())),
        withdrawn=dict(tournament.get("withdrawn", ())),
    )


def read_results(tournament: Tournament) -> list[EncounterResult]:
    found = []
    for stage, line in enumerate(tournament["stages"]):
        for text in line.split(", "):
            pair, scores = text.split(" ")
            one, other = map(int, pair.split("-"))
            encounter = Encounter(stage, stage, (one, other))
            found.append(EncounterResult(encounter, tuple(SCORES[sign] for sign in scores)))
    return found


@pytest.mark.parametrize("tournament", TOURNAMENTS, ids=range(len(TOURNAMENTS)))
def test_tie_breaks_are_those_of_the_reference(tournament: Tournament) -> None:
    field, results = read_field(tournament), read_results(tournament)
    unplayed = make_format(tournament["format"]).unplayed(field, results, field.rounds)
    rows = sorted(table(results, field, SUMS, unplayed).rows, key=lambda row: row.entrant)
    assert [row.points for row in rows] == tournament["points"]
    for column, tiebreak in enumerate(SUMS):
        assert [row.tiebreaks[column] for row in rows] == tournament[tiebreak], tiebreak


@pytest.mark.parametrize("tournament", TOURNAMENTS, ids=range(len(TOURNAMENTS)))
@pytest.mark.parametrize("names", TOURNAMENTS[0]["ranks"])
def test_ranks_are_those_of_the_reference(tournament: Tournament, names: str) -> None:
    field, results = read_field(tournament), read_results(tournament)
    unplayed = make_format(tournament["format"]).unplayed(field, results, field.rounds)
    found = table(results, field, list(map(Tiebreak, names.split(","))), unplayed)
    rows = sorted(found.rows, key=lambda row: row.entrant)
    assert [row.rank for row in rows] == tournament["ranks"][names]
