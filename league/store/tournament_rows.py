"""Reading the tournaments of a database, also without SQLAlchemy."""

from games.support.errors import OptionError
from league.model.records import TournamentConfig
from league.store.config_codec import decode_config
from league.store.file_rows import Execute, read_file
from league.store.rows import TournamentRow, TournamentState

# By lineup, of which an index has the newest match: to count matches would read them all.
_TOURNAMENTS = """
    SELECT tournament.id, config, total, coalesce(counted.played, 0), created_at,
        newest.finished_at, stop_reason, state, revision, game
    FROM tournament
    LEFT JOIN (
        SELECT
            tournament_id,
            sum((SELECT sum(matches) FROM lineup_total WHERE lineup_id = lineup.id)) AS played,
            max((SELECT max(id) FROM match WHERE lineup_id = lineup.id)) AS newest
        FROM lineup WHERE tournament_id IN ({chosen}) GROUP BY tournament_id
    ) AS counted ON counted.tournament_id = tournament.id
    LEFT JOIN match AS newest ON newest.id = counted.newest
    WHERE tournament.id IN ({chosen}) ORDER BY tournament.id
"""


def read_tournaments(
    execute: Execute, chosen: str = "SELECT id FROM tournament"
) -> tuple[TournamentRow, ...]:
    """Return tournaments by number: all, or those with the numbers that SQL has `chosen`.

    Raises `ValueError` for a damaged row.
    """
    rows = execute(_TOURNAMENTS.format(chosen=chosen))
    return tuple(
        TournamentRow(
            id=number,
            config=config_of(number, config, game),
            total=total,
            played=int(played),
            created_at=begun,
            finished_at=ended,
            stop_reason=reason,
            state=TournamentState(state),
            revision=revision,
        )
        for number, config, total, played, begun, ended, reason, state, revision, game in rows
    )


def config_of(tournament: int, text: str, game: str) -> TournamentConfig:
    """Decode the config of a tournament of `game`; raise `ValueError` if it is damaged."""
    try:
        config = decode_config(text)
    except (KeyError, TypeError, ValueError, OptionError) as error:
        raise ValueError(f"tournament {tournament} has a damaged config: {error}") from None
    if config.game != game:
        told = f"tournament {tournament} is {game!r} in its row, {config.game!r} in its config"
        raise ValueError(told)
    return config


def tournaments_in_file(target: str) -> tuple[TournamentRow, ...] | None:
    """Return the tournaments in a sound database file of this revision; None for anything else."""
    return read_file(target, read_tournaments)
