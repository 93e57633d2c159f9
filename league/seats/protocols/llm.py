"""Language models: `llm:MODEL` with the address of a provider; see docs/reference/protocols.md."""

from collections.abc import Sequence

from games.support.counts import counted
from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.model_calls import CallFault, ModelCall
from league.model.records import BotVersion, Limits, Termination
from league.seats.bot_seat import BotKind, ElsewhereSeat
from league.seats.language_model.answer import read_answer
from league.seats.language_model.api import APIS
from league.seats.language_model.call_book import CallBook, NoBook
from league.seats.language_model.caller import Caller, CallPlace
from league.seats.language_model.prompt import PromptWriter, correction_of, template_of
from league.seats.language_model.provider import Provider
from league.seats.language_model.provider_board import ProviderBoard
from league.seats.language_model.settings import KeyMissingError, ModelSettings, ProviderKey
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault, SeatUnavailable

TOLD_MAX = 200
"""Number of characters of each answer there."""


class LlmSeat(ElsewhereSeat):
    """A model of a provider, which this process asks: there is nothing to start or to isolate.

    Each move is a fresh call, and its time is that of the calls alone, without any wait for the
    provider.
    """

    kind = BotKind.MODEL

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._settings = ModelSettings.of(version.options)
        self._template = template_of(version.files)
        self._book: CallBook = environment.calls or NoBook()
        self._caller: Caller | None = None
        self._match: tuple[Game, int, int] | None = None
        self._writer: PromptWriter | None = None

    def start(self) -> int:
        """Read the key; raise `SeatUnavailable` if there is none."""
        if self._caller is None:
            try:
                key = ProviderKey.of(self._settings)
            except KeyMissingError as error:
                raise SeatUnavailable(f"bot {self.version.name!r}: {error}") from None
            api = APIS.find(self._settings.api)
            settings = self._settings
            board = ProviderBoard(self._environment.scratch, settings.url, settings.at_once)
            provider = Provider(self.version.name, api, settings, key, board)
            self._caller = Caller(self.version, self._settings, provider, self._book)
        return 0

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Begin a match; the same one goes on."""
        if self._caller is None:
            raise SeatFault(Termination.CRASH, "has not been started")
        if self._match == (game, seat, seed):
            return
        self._match = (game, seat, seed)
        self._writer = PromptWriter(self._template, game, seat, self._settings)
        self._caller.begin_match()
        self._talk.clear()

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Ask the model until an answer names a move; raise `SeatFault`, `SeatUnavailable`."""
        if self._caller is None or self._writer is None or self._match is None:
            raise SeatFault(Termination.CRASH, "knows no match")
        _, seat, seed = self._match
        spent_ms, faults, correction = 0, list[CallFault](), ""
        for attempt in range(self._settings.retries + 1):
            left_ms = int(budget.allowed_s * 1e3) - spent_ms
            if left_ms <= 0:
                raise _late(spent_ms, attempt, budget)
            place = CallPlace(len(history) or self._book.ply, seat, attempt, seed)
            prompt = self._writer.write(state, history, correction)
            call = self._caller.call(place, prompt, left_ms, lambda text: _fault_in(state, text))
            self._tell(call)
            spent_ms += call.latency_ms
            if call.fault is None:
                over_ms = 0 if budget.limit_s is None else spent_ms - int(budget.limit_s * 1e3)
                wire = read_answer(state, call.answer)
                return SeatAnswer(wire, _ns(spent_ms), None, _ns(max(0, over_ms)))
            if call.fault is CallFault.LATE:
                raise _late(spent_ms, attempt + 1, budget)
            faults.append(call.fault)
            correction = correction_of(call.fault, call.answer)
        told = f"named no legal move in {counted(len(faults), 'call')}: {', '.join(faults)}"
        raise SeatFault(Termination.ILLEGAL_MOVE, told, _ns(spent_ms))

    def rest(self) -> None:
        """Forget the match."""
        self._match = self._writer = None

    def stop(self) -> None:
        """Forget the key."""
        self._caller = None

    def _tell(self, call: ModelCall) -> None:
        ended = f"{call.fault or 'a move'} in {call.latency_ms} ms"
        answer = f"{call.answer[:TOLD_MAX]!r}"
        self._talk.append(f"ply {call.ply + 1}, call {call.attempt + 1}: {ended}: {answer}")


def _fault_in(state: State, text: str) -> CallFault | None:
    found = read_answer(state, text)
    return found if isinstance(found, CallFault) else None


def _late(spent_ms: int, calls: int, budget: MoveBudget) -> SeatFault:
    told = f"had no move after {spent_ms / 1e3:.3f} s and {counted(calls, 'call')}"
    detail = f"{told}; allowed: {budget.allowed_text}"
    return SeatFault(Termination.TIME_FORFEIT, detail, _ns(spent_ms))


def _ns(time_ms: int) -> int:
    return time_ms * 1_000_000


SEAT = LlmSeat
