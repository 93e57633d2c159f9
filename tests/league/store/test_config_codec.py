"""Configs of tournaments, as the database holds them."""

import json
from dataclasses import fields

import pytest

from league.model.records import (
    Adjudication,
    DrawRule,
    Isolation,
    Limits,
    OwnLimits,
    TournamentConfig,
    WinRule,
)
from league.model.tiebreak import Tiebreak
from league.model.tuned_parameter import TunedParameter
from league.store.config_codec import decode_config, encode_config

PLAIN = TournamentConfig(
    game="chess", entrants=(1, 2), rounds=3, seed=4, opening_plies=5, limits=Limits()
)
NEEDED = ("game", "entrants", "rounds", "seed", "opening_plies")
FULL = TournamentConfig(
    game="chess",
    entrants=(1, 2),
    rounds=3,
    seed=4,
    opening_plies=5,
    limits=Limits(
        move_s=0.5,
        depth=6,
        nodes=700,
        grace_s=0.25,
        cap_s=8.0,
        start_s=9.0,
        memory_mb=None,
        max_plies=11,
        depth_rounds=12,
        isolation=Isolation.SANDBOX,
        may_ponder=True,
        is_restarted=True,
        time="10+0.1",
    ),
    format="swiss",
    game_digest="13",
    joined=(0, 1),
    withdrawn=((1, 14),),
    until_error=15.0,
    until_best=0.9,
    budget_s=16.0,
    adjudication=Adjudication(DrawRule(0.5, 17, 18), WinRule(19.0, 20, True), "tables", 5, True),
    handicaps=(0.5, OwnLimits(time="5+1", move_s=0.5, depth=6, nodes=7, is_restarted=False)),
    openings="21",
    source="22",
    tiebreaks=(Tiebreak.DIRECT, Tiebreak.BUCHHOLZ),
    is_opening_shared=True,
    has_same_deals=True,
    is_ranked_by_payoff=True,
    parameters=(TunedParameter(name="a", start=1, low=0, high=2, step=0.5, rate=0.1),),
    starting_ratings=(25.5, -26.0),
    ended_at=27,
    bot_budgets=((2, 28.5),),
)


def test_every_field_comes_back() -> None:
    # A field that is left as it is by default would show nothing.
    for each in fields(Limits):
        assert getattr(FULL.limits, each.name) != getattr(PLAIN.limits, each.name)
    for each in fields(TournamentConfig):
        assert each.name in NEEDED or getattr(FULL, each.name) != getattr(PLAIN, each.name)
    for config in (PLAIN, FULL):
        assert decode_config(encode_config(config)) == config


def test_a_config_that_lacks_a_field_is_damaged() -> None:
    stored = json.loads(encode_config(PLAIN))
    for name in ("seed", "limits", "joined", "adjudication"):
        with pytest.raises((KeyError, TypeError), match=name):
            decode_config(json.dumps({key: stored[key] for key in stored if key != name}))


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"turns": 1}, "unexpected keyword argument 'turns'"),
        ({"limits": {"hours": 1}}, "unexpected keyword argument 'hours'"),
        (
            {"adjudication": {"draw": None, "win": {"score": 6, "moves": 4, "after": 80}}},
            "unexpected keyword argument 'after'",
        ),
    ],
)
def test_a_name_that_nobody_knows_is_refused(part: dict[str, object], message: str) -> None:
    stored = json.loads(encode_config(PLAIN))
    with pytest.raises(TypeError, match=message):
        decode_config(json.dumps({**stored, **part}))
