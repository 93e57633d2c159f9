"""Steps through a replay on a terminal: the position, the keys, and the text for each ply."""

from typing import TYPE_CHECKING

from league.match.replay import biggest_swing
from league.render.text.replay import mover_name

if TYPE_CHECKING:
    from league.analysis.replay import Replay

PLAY_S = 0.8
"""Time for each position while the replay plays by itself, until a digit changes it."""

STEPS = {"right": 1, "l": 1, "down": 10, "page down": 10, "left": -1, "h": -1}
STEPS |= {"up": -10, "page up": -10}


class Stepper:
    """The position of a reader in a replay, and the effect of each key."""

    def __init__(self, replay: "Replay", ply: int = 0) -> None:
        self.replay = replay
        self.ply = ply
        self.last = len(replay.frames) - 1
        self.is_playing = False
        self.pause_s = PLAY_S
        self.shows_help = False
        self.shows_line = True
        self.is_over = False
        self.message = ""

    def press(self, key: str) -> None:
        """Do what `key` asks for; keys that mean nothing do nothing."""
        was_help, self.shows_help, self.message = self.shows_help, False, ""
        if key in STEPS:
            self.go(self.ply + STEPS[key])
            return
        match key:
            case "q" | "end of input":
                self.is_over = True
            case "escape" if not was_help:
                self.is_over = True
            case "?":
                self.shows_help = not was_help
            case "home" | "g":
                self.go(0)
            case "end" | "G":
                self.go(self.last)
            case " ":
                self._play_or_pause()
            case "b":
                self._swing()
            case "e":
                self.shows_line = not self.shows_line
            case "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9":
                self._speed(int(key))

    def tick(self) -> None:
        """Go one ply on where the replay plays by itself."""
        if self.is_playing:
            self.ply = min(self.last, self.ply + 1)
            self.is_playing = self.ply < self.last

    def go(self, ply: int) -> None:
        """Show the position after `ply` plies, and stand still there."""
        self.is_playing = False
        self.ply = max(0, min(self.last, ply))

    def _play_or_pause(self) -> None:
        """Begin to play, at the end from the first position on, or stop."""
        if not self.is_playing and self.ply == self.last:
            self.ply = 0
        self.is_playing = not self.is_playing and self.last > 0

    def _speed(self, plies: int) -> None:
        """Play so many plies a second; stop for 0."""
        if plies:
            self.pause_s = 1 / plies
        if bool(plies) != self.is_playing:
            self._play_or_pause()
        elif plies:
            self.message = f"{plies} a second"

    def _swing(self) -> None:
        swing = biggest_swing(self.replay.frames)
        if swing is None:
            self.message = "no bot changed its score: there is no swing"
            return
        self.go(swing.ply)
        self.message = f"biggest swing: {mover_name(self.replay, swing.seat)} {swing.told}"
