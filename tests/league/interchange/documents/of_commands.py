"""The documents that the commands print with `--json`."""

from collections.abc import Mapping

from league.analysis.exploit import Exploited
from league.analysis.gate import GateResult
from league.analysis.loss_report import LossReport
from league.analysis.model_costs import ModelCost
from league.analysis.rating_history import HistoryPoint
from league.analysis.repro import Repro
from league.analysis.solve import Solved
from league.hosting import documents as hosted
from league.hosting.api.people import Invited
from league.hosting.model.people import AuditEntry
from league.hosting.model.season import Mark
from league.interchange.documents import bots, games, matches, statistics, tournaments
from league.interchange.import_pgn import Imported
from league.interchange.rate_pgn import Rating
from league.registration.register import Registration
from league.registration.submissions import Submitted
from league.store.rows import BotRow
from league.tournament.void import Voided

OF_COMMANDS: Mapping[str, tuple[type, ...]] = {
    "bench": (games.Comparison,),
    "bots": (BotRow, bots.BuiltInBot, bots.MissingBot),
    "challenge": (hosted.TeamChallenge,),
    "check": (bots.CheckedGame,),
    "crosstable": (tournaments.Crosstable,),
    "db verify": (matches.Verified,),
    "demo": (tournaments.Standings,),
    "explain": (games.Search, games.OwnSearch),
    "exploit": (Exploited,),
    "export": (matches.ExportedMatch,),
    "gate": (GateResult,),
    "games": (games.Game, games.ListedGame, games.AllGames),
    "host init": (hosted.BegunSeason,),
    "host settings": (hosted.HostSetting,),
    "host status": (hosted.HostStatus,),
    "host void": (Voided,),
    "import": (Imported,),
    "marks": (Mark,),
    "matches": (matches.MatchSummary,),
    "people add": (Invited,),
    "people audit": (AuditEntry,),
    "people disable": (hosted.Person,),
    "people enable": (hosted.Person,),
    "people import": (Invited,),
    "people link": (Invited,),
    "people list": (hosted.Person,),
    "people remove": (hosted.Person,),
    "people rename-team": (hosted.RenamedTeam,),
    "people show": (hosted.Person,),
    "perft": (games.Perft,),
    "power": (statistics.Power,),
    "rate-pgn": (Rating,),
    "push": (hosted.TeamSubmission,),
    "ratings": (HistoryPoint, tournaments.Recomputed),
    "register": (Registration, Submitted),
    "replay": (matches.Match, matches.Ply),
    "report": (matches.Report,),
    "repro": (Repro,),
    "resume": (tournaments.Standings,),
    "run": (tournaments.Standings,),
    "solve": (Solved,),
    "sprt": (statistics.SprtResult,),
    "standings": (tournaments.Standings,),
    "stats calibration": (statistics.Calibration,),
    "stats cost": (ModelCost,),
    "stats health": (bots.Health,),
    "stats versus": (statistics.Versus,),
    "stats": (statistics.Stats,),
    "tournaments": (tournaments.TournamentSummary, tournaments.Tournament),
    "tune": (tournaments.Standings,),
    "void": (Voided,),
    "why": (LossReport,),
}
"""The documents that the commands print with `--json`: one, or a list or an object of them."""
