"""The display of a tuning: its parameters and the chart of their paths."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.analysis.tuning_table import TUNING_HEAD, tuning_rows
from league.formats.format import ParameterPath, TuningProgress
from league.model.number_format import true_minus
from league.render.chart_data import LINES_MAX, Chart, ChartLine


def steps_of(path: ParameterPath) -> list[tuple[int, float]]:
    """Return how far a parameter was from the start, in steps, after so many comparisons."""
    parameter = path.parameter
    return [(count, (value - parameter.start) / parameter.step) for count, value in path.path]


@dataclass(frozen=True, slots=True)
class TuningPanel:
    """The display of a tuning with a result; `rows` are in the columns of `head`."""

    found: TuningProgress
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    chart: Chart

    @classmethod
    def of(cls, found: TuningProgress) -> "TuningPanel":
        """Make the display."""
        chart = Chart(
            title="Steps away from the start",
            x_name="comparisons",
            y_name="steps",
            x=[count for count, _ in found.paths[0].path],
            lines=[
                # The first ones alone: more can't be told apart, and the table has them all.
                ChartLine(each.parameter.name, [steps for _, steps in steps_of(each)])
                for each in found.paths[:LINES_MAX]
            ],
            digits=2,
        )
        rows = [tuple(map(true_minus, row)) for row in tuning_rows(found)]
        return cls(found, TUNING_HEAD, rows, chart)

    @property
    def says(self) -> str:
        """The headline."""
        if not self.found.verdict:
            return f"{self.found.played:,} of {self.found.planned:,} comparisons"
        told, _, figures = self.found.verdict.partition(": ")
        # Those of a sequential test have a box of their own.
        said = told if "LLR" in figures else self.found.verdict
        return true_minus(f"{said[:1].upper()}{said[1:]}")
