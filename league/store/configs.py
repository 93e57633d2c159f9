"""What a tournament was asked to be, as the database holds it."""

import json
from dataclasses import asdict
from typing import Any

from league.records import (
    Adjudication,
    DrawRule,
    Isolation,
    Limits,
    TournamentConfig,
    WinRule,
)
from league.timing import TimeControl


def encode_config(config: TournamentConfig) -> str:
    """Write a config as JSON."""
    return json.dumps(asdict(config))


def decode_config(text: str) -> TournamentConfig:
    """Read what `encode_config` wrote, by this botleague or an older one.

    Raises `KeyError`, `TypeError`, `ValueError` or `OptionError` where it is damaged.
    """
    stored = json.loads(text)
    limits = stored["limits"]
    # Tournaments of before there were levels have none.
    level = Isolation(limits.get("isolation", Isolation.LIMITS))
    config = TournamentConfig(
        **{
            **stored,
            "entrants": tuple(stored["entrants"]),
            "joined": tuple(stored.get("joined", ())),
            "withdrawn": tuple((who, stage) for who, stage in stored.get("withdrawn", ())),
            "limits": Limits(**{**limits, "isolation": level}),
            "adjudication": _adjudication(stored.get("adjudication", {})),
            "handicaps": tuple(map(float, stored.get("handicaps", ()))),
        }
    )
    # What is damaged is to be found here, not in the middle of a match.
    if config.limits.time:
        TimeControl.read(config.limits.time)
    config.handicaps_of(config.entrants)
    return config


def _adjudication(stored: dict[str, Any]) -> Adjudication:
    # Tournaments of before there was any have none.
    draw, win = stored.get("draw"), stored.get("win")
    return Adjudication(
        DrawRule(**draw) if draw else None,
        WinRule(**win) if win else None,
        stored.get("tablebases", ""),
    )
