"""Any match as one JSON document on a line of its own."""

import json

from games.support.game import Game
from league.analysis.replay import Replay
from league.interchange.documents.document import to_dict
from league.interchange.documents.matches import exported_match
from league.interchange.export import AnyGame


class Documents(AnyGame):
    """The document of `league replay --json`, without the boards."""

    name = "json"
    suffix = ".json"
    media_type = "application/json"

    def is_usual(self, game: Game) -> bool:
        """Take whatever has no format of its own."""
        return True

    def text(self, replay: Replay) -> str:
        """Write the match."""
        match = to_dict(exported_match(replay))
        return json.dumps(match, separators=(",", ":")) + "\n"


EXPORT = Documents()
