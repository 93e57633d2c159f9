"""Tournament configs in the database."""

import json
from dataclasses import asdict, replace
from typing import Any

from league.model.records import (
    Adjudication,
    DrawRule,
    Handicap,
    Isolation,
    Limits,
    OwnLimits,
    TournamentConfig,
    WinRule,
)
from league.model.tiebreak import Tiebreak
from league.model.time_control import TimeControl
from league.model.tuned_parameter import TunedParameter


def encode_config(config: TournamentConfig) -> str:
    """Encode a config as JSON."""
    return json.dumps(asdict(config))


def decode_config(text: str) -> TournamentConfig:
    """Decode the output of `encode_config`.

    Raises `KeyError`, `TypeError`, `ValueError` or `OptionError` if the config is damaged.
    """
    stored = json.loads(text)
    config = TournamentConfig(
        **stored
        | {
            "entrants": tuple(stored["entrants"]),
            "limits": _limits(stored["limits"]),
            "joined": tuple(stored["joined"]),
            "withdrawn": tuple((who, stage) for who, stage in stored["withdrawn"]),
            "adjudication": _adjudication(stored["adjudication"]),
            "tiebreaks": tuple(map(Tiebreak, stored["tiebreaks"])),
            "handicaps": tuple(map(_handicap, stored["handicaps"])),
            "bot_budgets": tuple((who, float(money)) for who, money in stored["bot_budgets"]),
            "parameters": tuple(TunedParameter(**each) for each in stored["parameters"]),
            "starting_ratings": tuple(map(float, stored["starting_ratings"])),
        }
    )
    # Detect damage here, not in the middle of a match.
    if config.limits.time:
        TimeControl.read(config.limits.time)
    config.handicaps_of(config.entrants)
    return config


def _handicap(stored: Any) -> Handicap:
    if not isinstance(stored, dict):
        return float(stored)
    own = OwnLimits(**stored)
    if own.time:
        TimeControl.read(own.time)
    level = own.isolation
    return own if level is None else replace(own, isolation=Isolation(level))


def _limits(stored: dict[str, Any]) -> Limits:
    limits = Limits(**stored)
    return replace(limits, isolation=Isolation(limits.isolation))


def _adjudication(stored: dict[str, Any]) -> Adjudication:
    draw, win = stored["draw"], stored["win"]
    rules = {
        "draw": DrawRule(**draw) if draw else None,
        "win": WinRule(**win) if win else None,
    }
    return Adjudication(**stored | rules)
