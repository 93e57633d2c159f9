"""What a tournament was asked to be, as the database holds it."""

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from league.model.records import (
    Adjudication,
    DrawRule,
    Isolation,
    Limits,
    TournamentConfig,
    WinRule,
)
from league.model.time_control import TimeControl

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_USUAL = TournamentConfig(game="", entrants=(), rounds=1, seed=0, opening_plies=0, limits=Limits())
"""The values of fields that a config written by an older botleague lacks."""


def encode_config(config: TournamentConfig) -> str:
    """Write a config as JSON."""
    return json.dumps(asdict(config))


def decode_config(text: str) -> TournamentConfig:
    """Read what `encode_config` wrote, by this botleague or an older one.

    Raises `KeyError`, `TypeError`, `ValueError` or `OptionError` where it is damaged.
    """
    stored = json.loads(text)
    limits = _limits(stored["limits"])
    _check_names(stored, TournamentConfig)
    config = TournamentConfig(
        game=stored["game"],
        entrants=tuple(stored["entrants"]),
        rounds=stored["rounds"],
        seed=stored["seed"],
        opening_plies=stored["opening_plies"],
        limits=limits,
        format=stored.get("format", _USUAL.format),
        game_digest=stored.get("game_digest", _USUAL.game_digest),
        is_restarted=stored.get("is_restarted", _USUAL.is_restarted),
        joined=tuple(stored.get("joined", ())),
        withdrawn=tuple((who, stage) for who, stage in stored.get("withdrawn", ())),
        until_error=stored.get("until_error"),
        budget_s=stored.get("budget_s"),
        adjudication=_adjudication(stored.get("adjudication", {})),
        handicaps=tuple(map(float, stored.get("handicaps", ()))),
        openings=stored.get("openings", _USUAL.openings),
        source=stored.get("source", _USUAL.source),
    )
    # What is damaged is to be found here, not in the middle of a match.
    if config.limits.time:
        TimeControl.read(config.limits.time)
    config.handicaps_of(config.entrants)
    return config


def _limits(stored: dict[str, Any]) -> Limits:
    usual = _USUAL.limits
    _check_names(stored, Limits)
    return Limits(
        move_s=stored.get("move_s"),
        depth=stored.get("depth"),
        nodes=stored.get("nodes"),
        grace_s=stored.get("grace_s", usual.grace_s),
        cap_s=stored.get("cap_s", usual.cap_s),
        start_s=stored.get("start_s", usual.start_s),
        memory_mb=stored.get("memory_mb", usual.memory_mb),
        max_plies=stored.get("max_plies", usual.max_plies),
        depth_rounds=stored.get("depth_rounds"),
        # Tournaments of before there were levels have none.
        isolation=Isolation(stored.get("isolation", usual.isolation)),
        is_frozen=stored.get("is_frozen", usual.is_frozen),
        time=stored.get("time", usual.time),
    )


def _adjudication(stored: dict[str, Any]) -> Adjudication:
    # Tournaments of before there was any have none.
    draw, win = stored.get("draw"), stored.get("win")
    return Adjudication(
        _draw_rule(draw) if draw else None,
        _win_rule(win) if win else None,
        stored.get("tablebases", ""),
    )


def _draw_rule(stored: dict[str, Any]) -> DrawRule:
    _check_names(stored, DrawRule)
    return DrawRule(score=stored["score"], moves=stored["moves"], after=stored.get("after", 0))


def _win_rule(stored: dict[str, Any]) -> WinRule:
    _check_names(stored, WinRule)
    return WinRule(score=stored["score"], moves=stored["moves"])


def _check_names(stored: dict[str, Any], kind: "type[DataclassInstance]") -> None:
    """Raise `TypeError` for a name that is no field: it would be dropped silently."""
    if unknown := sorted(stored.keys() - {field.name for field in fields(kind)}):
        raise TypeError(f"{kind.__name__} has no {', '.join(unknown)}")
