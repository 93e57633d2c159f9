"""The bots of a worker that are not to move: they stand still."""

from league.seats.process.bot_process import BotProcess, freeze_strays_of_bots

SOON_NS, FACTOR, LOOK_NS = 200_000, 5, 20_000_000
"""When to look at bots that are not to move: soon after a question to a bot that should answer at
once, then after `FACTOR` times as long, and later every `LOOK_NS`.
"""

LOOKS = 8
"""A bot that has rested at so many looks is suspended: nobody may ask it again for long."""


class IdleBots:
    """The bots of a worker; those not to move must not compute.

    Nearly all wait for their next question, and to suspend them would take longer than many a move:
    somebody looks at their processor clocks instead. One that computes is suspended, pays for it,
    and from then on is suspended before the clock of another starts. So is one with many processes.
    """

    def __init__(self) -> None:
        self._bots: set[BotProcess] = set()

    def add(self, bot: BotProcess) -> None:
        """Add a bot that has been started."""
        self._bots.add(bot)

    def discard(self, bot: BotProcess) -> None:
        """Take out a bot that has ended."""
        self._bots.discard(bot)

    def make_way(self, mover: BotProcess) -> bool:
        """Before the clock of `mover` starts, suspend the others as far as they may disturb it.

        Returns whether all others are suspended.
        """
        if mover.has_computed:
            self.freeze_restless(mover)
        frozen = others = 0
        for bot in self._bots:
            if bot is not mover:
                if bot.is_restless or bot.is_large:
                    bot.freeze()
                others += 1
                frozen += bot.is_frozen
        return 0 < others == frozen

    def pause_ns(self, mover: BotProcess, thought_ns: int) -> int:
        """Return the time from a look to the next one; `thought_ns` is 0 as `mover` begins."""
        if not thought_ns:
            return LOOK_NS if mover.has_computed else SOON_NS
        return min(LOOK_NS, (FACTOR - 1) * thought_ns)

    def freeze_restless(self, mover: BotProcess) -> bool:
        """Suspend those but `mover` that compute, and processes whose bot can't be told.

        Returns whether a bot was suspended.
        """
        freeze_strays_of_bots()
        is_any = False
        for bot in self._others(mover):
            if bot.is_frozen:
                continue
            is_restless = not bot.rests()
            bot.is_restless |= is_restless
            if is_restless or bot.looks > LOOKS:
                bot.freeze()
                is_any = True
        return is_any

    def freeze_all_but(self, mover: BotProcess | None) -> None:
        """Suspend all bots but `mover`, and all processes whose bot can't be told."""
        for bot in self._others(mover):
            bot.freeze()
        freeze_strays_of_bots()

    def _others(self, mover: BotProcess | None) -> list[BotProcess]:
        return [bot for bot in self._bots if bot is not mover]
