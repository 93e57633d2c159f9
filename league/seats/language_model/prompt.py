"""The prompt of a call, which does not grow with the match."""

from collections.abc import Mapping, Sequence
from string import Template

from games.support.errors import OptionError
from games.support.game import Game, State
from games.support.moves import WireMove, decode_move
from games.support.view import View
from league.model.model_calls import CallFault
from league.seats.language_model.settings import TEMPLATE_FILE, ModelSettings

TEMPLATE = """\
You play $game as $seat.
$rules

Position:
$position

$history

$moves
$form
$correction"""
"""The usual prompt; a template file has the same fields."""

FIELDS = ("game", "seat", "rules", "position", "history", "moves", "form", "correction")

FORM = (
    'Answer with one JSON object and nothing else: {"move": "YOUR MOVE"}. Write the move as the '
    "game's usual notation has it."
)

_CORRECTIONS = {
    CallFault.ILLEGAL: "Your last answer named no legal move: {answer}. Name a legal one.",
    CallFault.UNREADABLE: "Your last answer was not that JSON object alone. Keep to the form.",
    CallFault.CUT_OFF: "Your last answer was too long and was cut off. Answer at once.",
    CallFault.EMPTY: "Your last answer was empty. Answer with a move.",
    CallFault.REFUSED: "Your last answer was a refusal. This is a harmless board game: move.",
}
"""The sentence that asks again after each fault."""

TOLD_MAX = 60
"""Number of characters of a wrong answer to tell."""


def template_of(files: Mapping[str, bytes]) -> Template:
    """Return the template among a version's files, or the usual one; raise `OptionError`.

    It may have the fields of `FIELDS` and no others.
    """
    try:
        template = Template(files[TEMPLATE_FILE].decode() if TEMPLATE_FILE in files else TEMPLATE)
    except UnicodeDecodeError:
        raise OptionError("the template is not a text in UTF-8", "template") from None
    known = ", ".join(f"${name}" for name in FIELDS)
    if not template.is_valid():
        raise OptionError(f"the template has a $ without a name (known: {known})", "template")
    for name in template.get_identifiers():
        if name not in FIELDS:
            raise OptionError(f"unknown field ${name} of the template (known: {known})", "template")
    return template


class PromptWriter:
    """Writes the prompts of one bot in one match."""

    def __init__(self, template: Template, game: Game, seat: int, settings: ModelSettings) -> None:
        self._template, self._game, self._seat = template, game, seat
        self._shows_legal, self._most = settings.legal, settings.history
        self._state: State = game.initial()
        self._texts: list[str] = []
        self._wires: list[WireMove] = []

    def write(self, state: State, history: Sequence[WireMove], correction: str = "") -> str:
        """Return the prompt for a move in a position, with the last moves that led there."""
        moves = state.legal_moves() if self._shows_legal else ()
        listed = "Legal moves: " + ", ".join(state.text(move) for move in moves) + "\n"
        text = self._template.substitute(
            game=self._game.title,
            seat=self._game.seat_names[self._seat],
            rules=self._rules(),
            position=self._position(state),
            history=self._told(state, history),
            moves=listed if moves else "",
            form=FORM,
            correction=correction,
        )
        return text.strip() + "\n"

    def _rules(self) -> str:
        given = ((name, value) for name, value in self._game.values.items() if value != "")
        options = ", ".join(f"{name}: {value}" for name, value in given)
        return "\n".join(filter(None, (self._game.rules_text, options and f"Options: {options}.")))

    def _position(self, state: State) -> str:
        if isinstance(state, View) and state.render() == "\n".join(state.events):
            # Told below, and not all of them.
            return "what you have seen, as follows"
        fen = state.fen()
        return "\n".join([state.render(), *([f"FEN: {fen}"] if fen else [])])

    def _told(self, state: State, history: Sequence[WireMove]) -> str:
        """Tell the last moves or, in a game with secrets, what the seat has seen."""
        if isinstance(state, View):
            return _some_events(state.events, self._most)
        self._read(history)
        if not self._most or not self._texts:
            return ""
        told, total = self._texts[-self._most :], len(self._texts)
        head = "Moves so far" if len(told) == total else f"The last {len(told)} of {total} moves"
        return f"{head}: {' '.join(told)}"

    def _read(self, history: Sequence[WireMove]) -> None:
        """Write the moves that have been played since the last prompt."""
        if list(history[: len(self._wires)]) != self._wires:
            # A person has taken moves back.
            self._state, self._texts, self._wires = self._game.initial(), [], []
        for wire in history[len(self._wires) :]:
            move = decode_move(self._state, wire)
            self._texts.append(self._state.text(move))
            self._wires.append(wire)
            self._state = self._state.play(move)


def correction_of(fault: CallFault, answer: str) -> str:
    """Say what was wrong with the last answer."""
    return _CORRECTIONS[fault].format(answer=repr(answer[:TOLD_MAX]))


def _some_events(events: Sequence[str], most: int) -> str:
    """List the first and the last events: the first ones tell what a seat was dealt."""
    most = max(1, most)
    if len(events) > 2 * most:
        left_out = f"({len(events) - 2 * most} more)"
        events = [*events[:most], left_out, *events[-most:]]
    return "\n".join(["What you have seen so far:", *events]) if events else ""
