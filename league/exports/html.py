"""A match as a page to look at and to hand on."""

from games.contract import Game
from league.replays import Replay


class Html:
    """One file that replays one match in any browser, and asks no host for anything."""

    name = "html"
    suffix = ".html"
    media_type = "text/html"
    is_single = True

    def refusal(self, game: Game) -> str:
        """Refuse no game."""
        return ""

    def is_usual(self, game: Game) -> bool:
        """Be no game's usual format."""
        return False

    def head(self, game: Game) -> str:
        """Begin a file with nothing: the match is all of it."""
        return ""

    def text(self, replay: Replay) -> str:
        """Write the page."""
        from league.pages.replay import replay_page  # noqa: PLC0415 (slow, and only for pages)

        return replay_page(replay)


EXPORT = Html()
