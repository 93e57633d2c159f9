"""The charts of a match: chances to win as the bots saw them, or scores, and times of moves."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from league.analysis.win_chance import Chance, silent_plies
from league.match.replay import Frame
from league.model.number_format import short_score, short_time
from league.render.chart_data import Chart, ChartLine
from league.render.game_look import colours_in

_SECOND_NS = 1e9
_MILLISECOND_NS = 1e6


class ChartedMatch(Protocol):
    """A match, stored or in play."""

    @property
    def names(self) -> Sequence[str]:
        """The bots by seat."""

    @property
    def sides(self) -> Sequence[int]:
        """The sides by seat."""

    @property
    def frames(self) -> Sequence[Frame]:
        """The plies so far, from the opening position."""

    @property
    def chances(self) -> Sequence[Chance]:
        """The chances to win that the bots told, by ply."""


def is_two_sided(match: ChartedMatch) -> bool:
    """Whether two sides meet, so that the chance of one is what the other lacks."""
    return len(set(match.sides)) == 2


def seen_from(match: ChartedMatch, chance: Chance) -> float:
    """Return a chance as the first side's where there are two sides, else as its bot's own."""
    is_turned = is_two_sided(match) and match.sides[chance.seat] != match.sides[0]
    return 1 - chance.value if is_turned else chance.value


def side_names(match: ChartedMatch) -> tuple[str, ...]:
    """Return the name of each side, by its first seat: `White`, `Black`."""
    names = match.frames[0].state.game.seat_names
    return tuple(names[match.sides.index(side)] for side in dict.fromkeys(match.sides))


def bar_meaning(match: ChartedMatch) -> str:
    """Say what the evaluation bar beside a board shows: `first_side_share`."""
    first = side_names(match)[0]
    return (
        f"The bar beside the board is the chance of {first} to win: "
        "the mean of what the bots told last, at the end the result."
    )


def outlook_chart(match: ChartedMatch) -> Chart:
    """Return the chances to win, or where there are none the scores."""
    return chance_chart(match) if match.chances else score_chart(match)


def chance_chart(match: ChartedMatch) -> Chart:
    """Return each bot's chances by ply, in percent."""
    points = {(each.ply, each.seat): 100 * seen_from(match, each) for each in match.chances}
    plies, lines = _lines(match, points)
    bounds: tuple[tuple[str, float], ...] = (("even", 50.0),)
    unit = "%"
    title = "Chance to win, by each bot's own scores"
    if is_two_sided(match):
        first, second = side_names(match)
        other = f"{second} wins" if len(match.sides) == 2 else f"{first} loses"
        bounds = ((f"{first} wins", 100.0), ("even", 50.0), (other, 0.0))
        title = f"Chance of {first} to win, by each bot's own scores"
        # The value stands beside the name of a bot, which may be on the other side.
        unit = f"% for {first}"
    title += _silence(match, lines)
    return Chart(
        title=title,
        x_name="ply",
        y_name="chance",
        x=plies,
        lines=lines,
        unit=unit,
        bounds=bounds,
    )


def score_chart(match: ChartedMatch) -> Chart:
    """Return the scores as the bots told them, each from its own view like those of the moves."""
    points = told_scores(match)
    plies, lines = _lines(
        match, points, {place: short_score(score) for place, score in points.items()}
    )
    title = f"Score told by each bot for itself, in its own unit{_silence(match, lines)}"
    return Chart(
        title=title,
        x_name="ply",
        y_name="score",
        x=plies,
        lines=lines,
    )


def _silence(match: ChartedMatch, lines: Sequence[ChartLine]) -> str:
    """Say behind a title which bots told no score, and why a line breaks; '' if all told theirs."""
    drawn = {line.name for line in lines}
    silent = [name for name in match.names if name not in drawn]
    told = ""
    if silent and drawn:
        told = f"; {' and '.join(silent)} {'gives' if len(silent) == 1 else 'give'} no score"
    if any(line.breaks for line in lines):
        told += "; a line breaks where its bot gave none"
    return told


def told_scores(match: ChartedMatch) -> dict[tuple[int, int], float]:
    """Return the scores by ply and seat, each from the view of its bot."""
    return {
        (frame.ply, frame.seat): frame.score
        for frame in match.frames
        if frame.seat is not None and not frame.is_luck and frame.score is not None
    }


def time_chart(match: ChartedMatch) -> Chart:
    """Return the time of each move by ply, in seconds or milliseconds."""
    times = {
        (frame.ply, frame.seat): frame.record.wall_ns
        for frame in match.frames
        if frame.seat is not None and frame.record is not None and not frame.is_luck
    }
    is_long = max(times.values(), default=0) >= _SECOND_NS
    unit_ns = _SECOND_NS if is_long else _MILLISECOND_NS
    plies, lines = _lines(
        match,
        {place: spent / unit_ns for place, spent in times.items()},
        {place: short_time(spent) for place, spent in times.items()},
    )
    return Chart(
        title="Time of each move",
        x_name="ply",
        y_name="time",
        x=plies if any(times.values()) else [],
        lines=lines,
        unit=" s" if is_long else " ms",
        is_bars=True,
    )


def _lines(
    match: ChartedMatch,
    points: Mapping[tuple[int, int], float],
    words: Mapping[tuple[int, int], str] | None = None,
) -> tuple[Sequence[int], Sequence[ChartLine]]:
    """Return the plies of the points and of the breaks between them, and a line for each seat.

    `words` write the points.
    """
    breaks = silent_plies(match.frames, points.keys())
    plies = sorted({ply for ply, _ in points} | {ply for own in breaks.values() for ply in own})
    colours = colours_in(match.frames[0].state.game.spec, len(match.names))
    return plies, [
        ChartLine(
            name,
            [_rounded(points.get((ply, seat))) for ply in plies],
            colour=colours[seat],
            breaks=[plies.index(ply) for ply in breaks[seat]],
            told=[words.get((ply, seat), "") for ply in plies] if words else (),
        )
        for seat, name in enumerate(match.names)
        if seat in breaks
    ]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
