"""The display of a sequential test: its ratio, its chart and its estimates."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.formats.format import SprtProgress
from league.model.number_format import short_score, true_minus
from league.ratings.sprt import SprtState
from league.ratings.sprt_estimate import SprtEstimate
from league.ratings.sprt_results import conclusion, told
from league.render.chart_data import Chart, ChartLine


@dataclass(frozen=True, slots=True)
class SprtPanel:
    """The display of a sequential test between two bots of these `names`."""

    trial: SprtProgress
    names: Sequence[str]
    chart: Chart
    estimate: SprtEstimate

    @classmethod
    def of(cls, trial: SprtProgress, names: Sequence[str]) -> "SprtPanel":
        """Make the display of a test with a result."""
        low, high = trial.test.bounds
        chart = Chart(
            title="Log-likelihood ratio",
            x_name="matches" if trial.counts.matches_each == 1 else "pairs of matches",
            y_name="LLR",
            x=[number for number, _ in trial.path],
            lines=[ChartLine("LLR", [round(value, 3) for _, value in trial.path])],
            digits=2,
            bounds=(
                (f"H0 accepted ({short_score(trial.test.elo0)})", low),
                (f"H1 accepted ({short_score(trial.test.elo1)})", high),
            ),
        )
        return cls(trial, names, chart, SprtEstimate.of(trial.test, trial.counts))

    @property
    def conclusion(self) -> str:
        """The hypothesis that the test favours, in a line."""
        return conclusion(self.trial.test, self.trial.state)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self.trial.path[-1][1]

    @property
    def matches(self) -> float:
        """The matches that the test has counted."""
        return self.trial.counts.total * self.trial.counts.matches_each

    @property
    def kind(self) -> str:
        """Return the colour of the box: `won` for an accepted gain, `lost`, or `even`."""
        if self.trial.state is SprtState.UNDECIDED:
            return "even"
        low, high = self.trial.test.bounds
        return "won" if abs(self.llr - high) < abs(self.llr - low) else "lost"

    @property
    def elo(self) -> str:
        """The estimate in logistic Elo, with its interval."""
        return true_minus(told(self.estimate.elo))

    @property
    def nelo(self) -> str:
        """The estimate in normalized Elo, with its interval."""
        return true_minus(told(self.estimate.nelo))
