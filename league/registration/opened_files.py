"""Files that a bot opens though they are not among those kept with it."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import PurePath

from games.support.errors import brief
from league.model.records import BotVersion
from league.seats.bot_seat import BotSeat


def opened_in(seats: Iterable[BotSeat]) -> list[str]:
    """List the files that the bot in these seats has opened and that are not its own."""
    return list(dict.fromkeys(path for seat in seats for path in seat.opened))


def opened_text(version: BotVersion, opened: Iterable[str]) -> tuple[str, ...]:
    """Say of each file that a Python bot opened how the bot would find it everywhere."""
    if not version.files:
        return ()
    return tuple(_advice(version, path) for path in opened)


def _advice(version: BotVersion, path: str) -> str:
    name = PurePath(path).name
    if path in version.files or name in version.files:
        return (
            f"it opens {brief(path)}, which is kept beside it: write "
            f"Path(__file__).parent / {name!r} to find it"
        )
    close = get_close_matches(name, [PurePath(each).name for each in version.files], n=1)
    near = f" (did you mean {close[0]!r}?)" if close else ""
    return (
        f"it opens {brief(path)}, which is not kept with it{near}: put {name} into the bot's "
        f"folder or register with --with {name}, and open Path(__file__).parent / {name!r}"
    )
