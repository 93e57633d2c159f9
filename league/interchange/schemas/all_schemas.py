"""Finding schemas by the names that the API's own description has for them."""

from league.interchange.schemas import bots, matches, statistics, tournaments
from league.interchange.schemas.shapes import TEXT, Schema, object_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: dict[str, Schema] = {
    "TournamentSummary": tournaments.SUMMARY,
    "Tournament": tournaments.TOURNAMENT,
    "Standings": tournaments.STANDINGS,
    "Crosstable": tournaments.CROSSTABLE,
    "MatchSummary": matches.SUMMARY,
    "Match": matches.MATCH,
    "Reason": matches.REASON,
    "Bot": bots.BOT,
    "Health": bots.HEALTH,
    "Rating": bots.RATING,
    "Game": bots.GAME,
    "ListedGame": bots.LISTED_GAME,
    "Versus": statistics.VERSUS,
    "Stats": statistics.STATS,
    "Calibration": statistics.CALIBRATION,
    "Error": object_of(error=TEXT),
}


def export_schema() -> Schema:
    """Return the schema of the matches that `league export --as json` writes, one a line."""
    return {"$schema": DIALECT, "title": "a match of a botleague", **matches.EXPORTED}
