"""Examinations of bots on machines that are busy."""

from functools import partial

import pytest

from league.match.play import play_match
from league.model.records import BotVersion, Limits, MatchRecord
from league.registration import trial, trial_match
from league.seats.bot_specs import make_seat
from league.seats.process.environment import BotEnvironment
from league.seats.seat import Seat
from tests.league.seats.firstmove import FirstMove
from tests.waiting import ENDLESS_S, PATIENCE_S


def be_patient(patch: pytest.MonkeyPatch, grace_s: float = ENDLESS_S) -> list[MatchRecord]:
    """Let no bot under examination be late by less than `grace_s`; return the matches to come.

    The times that a bot is told stay as they are. The opponents need no process.
    """
    records: list[MatchRecord] = []

    def played(*arguments: object, **named: object) -> MatchRecord:
        records.append(play_match(*arguments, **named))  # type: ignore[arg-type]  # handed on
        return records[-1]

    def made(version: BotVersion, limits: Limits, environment: BotEnvironment) -> Seat:
        return FirstMove() if version.name == "random" else make_seat(version, limits, environment)

    patch.setattr(trial_match, "play_match", played)
    patch.setattr(trial, "make_seat", made)
    patch.setattr(trial, "Limits", partial(Limits, grace_s=grace_s))
    patch.setattr(trial, "GENEROUS_S", ENDLESS_S)
    patch.setattr(trial, "LEAVE_S", PATIENCE_S)
    return records
