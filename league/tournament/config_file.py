"""A tournament's settings, in the names and values of `league run`."""

from typing import Any

from league.model.records import Limits, TournamentConfig
from league.model.time_control import write_span
from league.store.rows import TournamentRow
from league.store.store import Store
from league.tournament.create import OF_TOURNAMENT


def settings_of(store: Store, row: TournamentRow) -> dict[str, Any]:
    """Return the settings that recreate the tournament, with its seed, as TOML values.

    Bots are named without versions: a rerun uses the newest. An imported tournament has few known
    settings and can't be rerun.
    """
    config = row.config
    labels = store.labels(config.entrants)
    names = [labels[entrant].bot for entrant in config.entrants]
    if config.is_imported:
        return {"game": config.game, "bots": names, "format": config.format}
    found: dict[str, Any] = {
        "game": config.game,
        "bots": names,
        "format": config.format,
        "rounds": config.rounds,
        "seed": config.seed,
        **_openings(row),
        **_stopping(config),
        **_limits(config.limits),
        "restart": "match" if config.is_restarted else "never",
        **_adjudication(config),
    }
    if config.handicaps:
        pairs = zip(names, config.handicaps, strict=False)
        found["handicap"] = {name: factor for name, factor in pairs if factor != 1}
    return found


def _openings(row: TournamentRow) -> dict[str, Any]:
    if row.config.openings:
        return {"openings": f"{OF_TOURNAMENT}{row.id}"}
    return {"opening-plies": row.config.opening_plies}


def _stopping(config: TournamentConfig) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if config.until_error is not None:
        found["until-error"] = config.until_error
    if config.budget_s is not None:
        found["budget"] = write_span(config.budget_s)
    return found


def _limits(limits: Limits) -> dict[str, Any]:
    found: dict[str, Any] = {
        "time": limits.time or None,
        "move-time": None if limits.move_s is None else write_span(limits.move_s),
        "depth": limits.depth,
        "depth-rounds": limits.depth_rounds,
        "nodes": limits.nodes,
        "grace": write_span(limits.grace_s),
        "cap": write_span(limits.cap_s),
        "start-time": write_span(limits.start_s),
        "memory": None if limits.memory_mb is None else f"{limits.memory_mb}M",
        "max-plies": limits.max_plies,
        "isolation": str(limits.isolation),
        "no-pondering": limits.is_frozen or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _adjudication(config: TournamentConfig) -> dict[str, Any]:
    draw, win, tablebases = (
        config.adjudication.draw,
        config.adjudication.win,
        config.adjudication.tablebases,
    )
    found: dict[str, Any] = {}
    if draw:
        found["draw"] = f"score={draw.score!r},moves={draw.moves},after={draw.after}"
    if win:
        found["win"] = f"score={win.score!r},moves={win.moves}"
    if tablebases:
        found["tablebases"] = tablebases
    return found
