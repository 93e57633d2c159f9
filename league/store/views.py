"""The views for people with SQL tools: see docs/reference/database.md."""

from sqlalchemy import Connection

_MATCH_MOVES = {
    "sqlite": """
        CREATE VIEW match_moves AS
        SELECT record.match_id, word.key + 1 AS ply, word.value AS move
        FROM record, json_each('[' || replace(json_quote(moves), ' ', '","') || ']') AS word
        WHERE moves <> ''
        """,
    "postgresql": """
        CREATE VIEW match_moves AS
        SELECT record.match_id, word.ply, word.move
        FROM record, unnest(string_to_array(moves, ' ')) WITH ORDINALITY AS word (move, ply)
        """,
}

_BOT_RESULTS = """
    CREATE VIEW bot_results AS
    SELECT
        match_id, tournament_id, game, seat, bot, version, points,
        CASE points WHEN 1 THEN 'win' WHEN 0 THEN 'loss' ELSE 'draw' END AS result,
        termination, is_at_fault, plies, ended_at
    FROM (
        SELECT
            "match".id AS match_id, "match".tournament_id, tournament.game, lineup_seat.seat,
            bot.name AS bot, version.number AS version, {points} AS points, "match".termination,
            CASE WHEN "match".fault_seat = lineup_seat.seat THEN 1 ELSE 0 END AS is_at_fault,
            "match".plies, {ended_at} AS ended_at
        FROM "match"
        JOIN tournament ON tournament.id = "match".tournament_id
        JOIN lineup_seat ON lineup_seat.lineup_id = "match".lineup_id
        JOIN version ON version.id = lineup_seat.version_id
        JOIN bot ON bot.id = version.bot_id
    ) AS seated
    """

_PARTS = {
    "sqlite": {
        "points": "CAST(json_extract('[' || scores || ']', '$[' || seat || ']') AS REAL)",
        "ended_at": "datetime(finished_at, 'unixepoch')",
    },
    "postgresql": {
        "points": "CAST(split_part(scores, ',', seat + 1) AS double precision)",
        "ended_at": """to_char(
            to_timestamp(finished_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')""",
    },
}


def create_views(connection: Connection) -> None:
    """Create the views, which need the newest revision's tables."""
    kind = connection.dialect.name
    connection.exec_driver_sql(_MATCH_MOVES[kind])
    connection.exec_driver_sql(_BOT_RESULTS.format(**_PARTS[kind]))


def drop_views(connection: Connection) -> None:
    """Drop the views: SQLite can't change a table that a view needs."""
    for name in ("match_moves", "bot_results"):
        connection.exec_driver_sql(f"DROP VIEW IF EXISTS {name}")
