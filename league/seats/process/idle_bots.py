"""The bots of a worker that are not to move: they stand still."""

from league.seats.process.bot_process import BotProcess, freeze_strays_of_bots


class IdleBots:
    """The bots of a worker; those not to move are suspended, so that they steal no time.

    To suspend a bot and resume it takes longer than an instant move, and if it has hundreds of
    processes, longer than most moves. It therefore happens before the mover's clock starts, unless
    the mover is likely to answer at once and the others have few processes.
    """

    def __init__(self) -> None:
        self._bots: set[BotProcess] = set()

    def add(self, bot: BotProcess) -> None:
        """Add a bot that has been started."""
        self._bots = {each for each in self._bots if each.is_running} | {bot}

    def make_way(self, mover: BotProcess) -> bool:
        """Before the clock of `mover` starts, suspend the others as far as they may disturb it.

        Returns whether all others are suspended.
        """
        if mover.has_computed:
            return self.freeze_all_but(mover)
        for bot in self._others(mover):
            if bot.is_large:
                bot.freeze()
        return False

    def freeze_all_but(self, mover: BotProcess | None, must: bool = True) -> bool:
        """Suspend all bots but `mover`, and all processes whose bot can't be told.

        Unless it `must`, do so only if one of them computes. Returns whether it did.
        """
        others = self._others(mover)
        if not must and all(bot.rests for bot in others):
            return False
        for bot in others:
            bot.freeze()
        freeze_strays_of_bots()
        return True

    def _others(self, mover: BotProcess | None) -> list[BotProcess]:
        return [bot for bot in self._bots if bot is not mover and bot.is_running]
