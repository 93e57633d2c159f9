"""A match as a page to look at and to hand on."""

from league.analysis.replay import Replay
from league.interchange.export import OneMatch


class Html(OneMatch):
    """One file that replays one match in any browser, and asks no host for anything."""

    name = "html"
    suffix = ".html"
    media_type = "text/html"

    def text(self, replay: Replay) -> str:
        """Write the page."""
        from league.render.replay_page import replay_page  # noqa: PLC0415 (slow, and only for pages)

        return replay_page(replay)


EXPORT = Html()
