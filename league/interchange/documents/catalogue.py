"""The document that each value of the league has."""

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from typing import Any

from games.support.game import Game
from league.analysis.bot_health import Health
from league.analysis.calibration_report import PoolCalibration
from league.analysis.pool_statistics import PoolStatistics
from league.analysis.replay import Replay
from league.analysis.standing_rows import Standing
from league.analysis.standings import Standings
from league.analysis.versus import Versus
from league.interchange.documents import bots, games, matches, statistics, tournaments
from league.interchange.documents.document import Document, as_document, to_dict
from league.interchange.report.contents import Contents
from league.match.replay import Frame
from league.ratings.sprt_results import Power, SprtResult
from league.store.rows import MatchRow, TournamentRow

_OF_VALUES: Mapping[type, Callable[[Any], Document]] = {
    Contents: matches.Report.of,
    Frame: matches.ply_document,
    Game: games.Game.of,
    Health: bots.BotHealth.of,
    MatchRow: matches.MatchSummary.of,
    PoolCalibration: statistics.Calibration.of,
    PoolStatistics: statistics.Stats.of,
    Replay: matches.match_document,
    Power: statistics.Power.of,
    SprtResult: statistics.SprtResult.of,
    Standing: tournaments.Standing.of,
    Standings: tournaments.standings_document,
    TournamentRow: tournaments.TournamentSummary.of,
    Versus: statistics.versus_document,
}
"""The documents of values that need nothing else; those of several values are made by name."""


@singledispatch
def document_of(value: object) -> Document:
    """Return the document of a value; raise `TypeError` for one that has none of its own."""
    return as_document(value)


def plain_document(value: object) -> Any:
    """Return the document of a value, or of each in a list, as plain values of JSON."""
    if isinstance(value, Sequence) and type(value) in (list, tuple):
        return [plain_document(each) for each in value]
    return to_dict(document_of(value))


for _kind, _make in _OF_VALUES.items():
    document_of.register(_kind, _make)
