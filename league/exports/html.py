"""A match as a page to look at and to hand on."""

from league.exports.contract import OneMatch
from league.replays import Replay


class Html(OneMatch):
    """One file that replays one match in any browser, and asks no host for anything."""

    name = "html"
    suffix = ".html"
    media_type = "text/html"

    def text(self, replay: Replay) -> str:
        """Write the page."""
        from league.pages.replay import replay_page  # noqa: PLC0415 (slow, and only for pages)

        return replay_page(replay)


EXPORT = Html()
