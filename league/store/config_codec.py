"""Tournament configs in the database."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from league.model.records import OwnLimits, TournamentConfig
from league.model.time_control import TimeControl


def encode_config(config: TournamentConfig) -> str:
    """Encode a config as JSON, with the spaces that queries of `results` look for."""
    return json.dumps(msgspec.to_builtins(config))


def decode_config(text: str) -> TournamentConfig:
    """Decode the output of `encode_config`.

    Raises `ValueError` or `OptionError` if the config is damaged.
    """
    try:
        config = msgspec.json.decode(text, type=TournamentConfig)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    stored: Any = msgspec.json.decode(text)
    known: Any = msgspec.json.decode(msgspec.json.encode(config))
    if known != stored:
        odd = sorted({*_names(known)} ^ {*_names(stored)})
        raise ValueError(f"a config has no {', '.join(odd)}, or must have it")
    # Detect damage here, not in the middle of a match.
    own = [each for each in config.handicaps if isinstance(each, OwnLimits)]
    for time in (config.limits.time, *(each.time for each in own)):
        if time:
            TimeControl.read(time)
    config.handicaps_of(config.entrants)
    return config


def _names(value: Any, place: str = "") -> Iterator[str]:
    """Yield the names in a JSON object, and those in the objects inside."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield f"{place}{name}"
            yield from _names(inner, f"{place}{name}.")
