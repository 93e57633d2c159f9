"""The keyword arguments of the league's methods."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict


class BotOptions(TypedDict, total=False):
    """Settings of a bot: its own `options`, and the `folder` of a command, by default this one.

    `data` are files and folders to keep beside a Python file. `isolation` is auto, none, limits or
    sandbox.
    """

    options: Mapping[str, str]
    folder: str | Path | None
    data: Sequence[str | Path]
    isolation: str


class TrialOptions(TypedDict, total=False):
    """Settings of a trial: the bot must keep to `move_time`, in seconds or as `2s`.

    Without, a slow bot passes with a warning that says how much time it needs. `start_time` is what
    it has to start, by default a minute for an engine, else 10 s. `memory` is what it may use, as
    `512M`, 1 GB by default.
    """

    isolation: str
    move_time: float | str | None
    start_time: float | str | None
    memory: int | str | None


class CheckOptions(BotOptions, TrialOptions, total=False):
    """Settings of a bot and of its trial."""


class RegisterOptions(CheckOptions, total=False):
    """Settings of a registration: the bot's `games`, by default any; `check` False skips trials."""

    games: str | Sequence[str]
    check: bool


class PlayOptions(TypedDict, total=False):
    """Settings of a match against a bot: `move_time` is its seconds for each move, 1 by default.

    With a `depth` in plies it has no time limit unless both are given. `options` are the bot's own,
    `seed` repeats its random choices, and `isolation` is auto, none, limits or sandbox.
    """

    move_time: float | str | None
    depth: int | None
    options: Mapping[str, str]
    seed: int | None
    isolation: str


class StandingsOptions(TypedDict, total=False):
    """Settings of a ranking: a rating `system` with options (`elo:k=20`), and an `anchor`.

    An anchor is a bot at a rating (`random=1000`), or the mean (`1500`). With `matrix`, the answer
    says how likely each bot is stronger than each other one.
    """

    system: str
    anchor: str | None
    matrix: bool


class SelectionOptions(StandingsOptions, total=False):
    """Settings of a ranking, and the matches that count: of `tournaments`, `since`, at a `time`.

    `since` is a date ('2026-03-31'), a date and time of UTC, seconds since 1970, or how long ago
    ('7d'); `time` a time control or a time for each move. The newest of the `versions` that played,
    or 'all', and retired bots if `include_retired`, have a row; others count as opponents alone.
    """

    tournaments: str | Sequence[int]
    since: str | int | None
    time: str | None
    versions: str
    include_retired: bool


class Settings(TypedDict, total=False):
    """The settings of a tournament; `league run --help` says what each means.

    Times are seconds or text such as '50ms'; None is not given.
    """

    bots: str | Sequence[str]
    format: str
    rounds: int | None
    seed: int | None
    openings: str
    openings_order: str
    openings_start: int | None
    skip_bad_openings: bool
    opening_policy: str
    opening_plies: int | None
    deals: str
    until_error: float | None
    until_best: float | str | None
    tiebreaks: str | Sequence[str]
    rank_by: str
    budget: float | str | None
    time: str | None
    move_time: float | str | None
    depth: int | None
    depth_rounds: int | None
    nodes: int | None
    grace: float | str
    cap: float | str
    start_time: float | str
    memory: int | str
    max_plies: int | None
    isolation: str
    pondering: bool
    restart: str
    draw: str | None
    win: str | None
    tablebases: str | None
    tablebase_pieces: int | None
    tablebase_results: str
    ignore_fifty: bool
    handicap: Mapping[str, float]
    starting_rating: Mapping[str, float]
    bot_limits: Mapping[str, str]
    param: Sequence[str]


class GateOptions(BotOptions, Settings, total=False):
    """Settings of a gate: of the change, of the tests, and of the tournaments that they are.

    `name` is the change's, by default its file's. The `max_minutes` are for all tests. `elo0` to
    `batch` are the options of the format `sprt`; `alpha` and `beta` hold for all tests together.
    Settings that make no sense here are refused: bots, format, budget and the like.
    """

    name: str
    max_minutes: float | None
    game: str
    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: str
    counts: str
    batch: int
