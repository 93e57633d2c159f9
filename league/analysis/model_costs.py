"""What language models cost: their calls, tokens and money."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from league.model.document import BotLabel, Count, about, document
from league.model.model_calls import CallFault
from league.store.model_calls import CallTotal
from league.store.store import StoreReader


@document(
    "ModelCost",
    "bot matches calls moves tokens_in tokens_out tokens_cached cost cost_match cost_move "
    "cost_void cost_unfinished tokens_move latency_s faults provider_errors unanswered under_way "
    "uncounted",
)
@dataclass(frozen=True, slots=True)
class ModelCost:
    """The calls of a language model, those of void and unfinished matches too.

    `finished` are those of matches that count, None without any. `under_way` are unanswered calls
    of tournaments in play. Sums and means lack calls of unknown cost: they are lower bounds.
    """

    bot: BotLabel
    total: CallTotal
    finished: CallTotal | None
    under_way: Count = 0

    @property
    def matches(self) -> Count:
        """The finished matches that count and in which it was called."""
        return self.finished.matches if self.finished else 0

    @property
    def calls(self) -> Count:
        """All calls."""
        return self.total.calls

    @property
    def moves(self) -> Count:
        """The calls whose answer was a legal move."""
        return self.total.moves

    @property
    def tokens_in(self) -> int | None:
        """The tokens of all prompts."""
        return self.total.tokens_in

    @property
    def tokens_out(self) -> int | None:
        """The tokens of all answers."""
        return self.total.tokens_out

    @property
    def tokens_cached(self) -> int | None:
        """The tokens of prompts that the provider had in its cache."""
        return self.total.tokens_cached

    @property
    def cost(self) -> Annotated[float | None, about("by the prices among its options")]:
        """The cost of all calls."""
        return self.total.cost

    @property
    def cost_match(self) -> float | None:
        """The mean cost of the matches that count."""
        return self.finished.match_cost if self.finished else None

    @property
    def cost_move(self) -> float | None:
        """The cost of a move, with that of wrong answers."""
        return None if self.cost is None or not self.moves else self.cost / self.moves

    @property
    def cost_void(self) -> float | None:
        """The part of the cost that void matches had."""
        return self.total.void_cost

    @property
    def cost_unfinished(self) -> float | None:
        """The part of the cost that unfinished matches have had so far."""
        return self.total.unfinished_cost

    @property
    def tokens_move(self) -> float | None:
        """The tokens of a move, with those of wrong answers."""
        return self.total.move_tokens

    @property
    def latency_s(self) -> float | None:
        """The mean time of a call that the provider took."""
        answers = self.total.answers
        return self.total.latency_ms / 1e3 / answers if answers else None

    @property
    def faults(self) -> Annotated[Mapping[str, int], about("the model's own, by kind")]:
        """The numbers of wrong answers."""
        found = self.total.faults.items()
        return {fault.value: count for fault, count in found if fault.is_of_model}

    @property
    def provider_errors(self) -> Count:
        """The calls to which the provider gave no answer of a model that can be read."""
        faults = self.total.faults
        return faults.get(CallFault.PROVIDER, 0) + faults.get(CallFault.UNREAD, 0)

    @property
    def unanswered(self) -> Count:
        """The calls whose answer was lost by an interrupt or a crash."""
        return self.total.faults.get(CallFault.UNANSWERED, 0) - self.under_way

    @property
    def uncounted(
        self,
    ) -> Annotated[Count, about("late, unanswered, unread, or of a provider without usage")]:
        """The calls whose tokens and cost are unknown."""
        return self.total.uncounted - self.under_way


def model_costs(
    store: StoreReader, game: str | None = None, tournament: int | None = None
) -> list[ModelCost]:
    """Return the costs of each version that is a language model, the dearest first."""
    totals = store.calls.totals(game, tournament)
    finished = store.calls.totals(game, tournament, is_finished=True)
    of_version = {total.version: total for total in finished}
    under_way = _under_way(store, game, tournament)
    labels = store.bots.labels([total.version for total in totals])
    found = [
        ModelCost(
            str(labels[total.version]),
            total,
            of_version.get(total.version),
            # A call may have begun since the totals were read.
            min(under_way[total.version], total.faults.get(CallFault.UNANSWERED, 0)),
        )
        for total in totals
    ]
    return sorted(found, key=lambda row: (-(row.cost or 0.0), row.bot))


def _under_way(store: StoreReader, game: str | None, tournament: int | None) -> Counter[int]:
    """Count the calls that are under way by version."""
    found = Counter[int]()
    is_in_play = cache(store.tournaments.is_in_play)
    for (place, version), count in store.calls.open_calls(game, tournament).items():
        if is_in_play(place):
            found[version] += count
    return found
