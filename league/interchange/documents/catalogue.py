"""All documents: the one that each value of the league has, and those that commands print."""

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from typing import Any

from games.support.game import Game
from league.analysis.bot_health import Depths, Health
from league.analysis.calibration_report import PoolCalibration
from league.analysis.compare_searches import ComparedSearch
from league.analysis.pool_statistics import PoolStatistics
from league.analysis.replay import Replay
from league.analysis.repro import Repro
from league.analysis.solve import Solved
from league.analysis.standings import Standing, Standings
from league.analysis.versus import Versus
from league.interchange.documents import (
    bots,
    challenges,
    games,
    host,
    marks,
    matches,
    people,
    ratings,
    reports,
    searches,
    sequential_tests,
    statistics,
    submissions,
    tournaments,
)
from league.interchange.documents.document import Document, to_dict
from league.interchange.rate_pgn import Rating
from league.interchange.report.contents import Contents
from league.interchange.report.notable import Notable
from league.match.replay import Frame
from league.model.season import Credit, Mark, Member, Submission
from league.ratings.sprt_results import Power, SprtResult
from league.registration.register import Registration
from league.registration.submissions import Submitted
from league.store.rows import BotRow, MatchRow, TournamentRow, VoidRow

_OF_VALUES: Mapping[type, Callable[[Any], Document]] = {
    BotRow: bots.Bot.of,
    ComparedSearch: searches.SearchAnswer.of,
    Contents: reports.Report.of,
    Credit: marks.Credit.of,
    Depths: bots.PlySpan.of,
    Frame: matches.ply_document,
    Mark: marks.Mark.of,
    Member: marks.Member.of,
    Game: games.Game.of,
    Health: bots.BotHealth.of,
    MatchRow: matches.MatchSummary.of,
    Notable: reports.NotableMatch.of,
    PoolCalibration: statistics.Calibration.of,
    PoolStatistics: statistics.Stats.of,
    Replay: matches.match_document,
    Power: sequential_tests.Power.of,
    Rating: ratings.PlayerRatings.of,
    Registration: bots.Registered.of,
    Repro: matches.RepeatedMove.of,
    SprtResult: sequential_tests.SprtResult.of,
    Solved: searches.SolvedPosition.of,
    Standing: tournaments.Standing.of,
    Submission: submissions.submission_document,
    Submitted: bots.Submission.of,
    Standings: tournaments.standings_document,
    TournamentRow: tournaments.TournamentSummary.of,
    Versus: statistics.versus_document,
    VoidRow: matches.Void.of,
}
"""The documents of values that need nothing else; those of several values are made by name."""

OF_COMMANDS: Mapping[str, tuple[type[Document], ...]] = {
    "bench": (searches.Comparison,),
    "bots": (bots.Bot, bots.BuiltInBot, bots.MissingBot),
    "challenge": (challenges.TeamChallenge,),
    "check": (bots.CheckedGame,),
    "crosstable": (tournaments.Crosstable,),
    "db verify": (matches.Verified,),
    "demo": (tournaments.Standings,),
    "explain": (searches.Search, searches.OwnSearch),
    "export": (matches.ExportedMatch,),
    "games": (games.Game, games.ListedGame, games.AllGames),
    "host init": (host.BegunSeason,),
    "host settings": (host.HostSetting,),
    "host status": (host.HostStatus,),
    "host void": (matches.VoidedMatches,),
    "import": (reports.ImportedFile,),
    "marks": (marks.Mark,),
    "matches": (matches.MatchSummary,),
    "people add": (people.Invited,),
    "people audit": (people.AuditEntry,),
    "people disable": (people.Person,),
    "people enable": (people.Person,),
    "people import": (people.Invited,),
    "people link": (people.Invited,),
    "people list": (people.Person,),
    "people remove": (people.Person,),
    "people rename-team": (people.RenamedTeam,),
    "people show": (people.Person,),
    "perft": (games.Perft,),
    "power": (sequential_tests.Power,),
    "rate-pgn": (ratings.PlayerRatings,),
    "push": (submissions.TeamSubmission,),
    "ratings": (ratings.Rating, ratings.Recomputed),
    "register": (bots.Registered, bots.Submission),
    "replay": (matches.Match, matches.Ply),
    "report": (reports.Report,),
    "repro": (matches.RepeatedMove,),
    "resume": (tournaments.Standings,),
    "run": (tournaments.Standings,),
    "solve": (searches.SolvedPosition,),
    "sprt": (sequential_tests.SprtResult,),
    "standings": (tournaments.Standings,),
    "stats calibration": (statistics.Calibration,),
    "stats health": (bots.Health,),
    "stats versus": (statistics.Versus,),
    "stats": (statistics.Stats,),
    "tournaments": (tournaments.TournamentSummary, tournaments.Tournament),
    "void": (matches.VoidedMatches,),
    "why": (matches.Reason,),
}
"""The documents that the commands print with `--json`: one, or a list or an object of them."""


@singledispatch
def document_of(value: object) -> Document:
    """Return the document of a value; raise `TypeError` for one that has none of its own."""
    raise TypeError(f"no document of {value!r}")


def plain_document(value: object) -> Any:
    """Return the document of a value, or of each in a list, as plain values of JSON."""
    if isinstance(value, Sequence) and type(value) in (list, tuple):
        return [plain_document(each) for each in value]
    return to_dict(value if isinstance(value, Document) else document_of(value))


for _kind, _make in _OF_VALUES.items():
    document_of.register(_kind, _make)
