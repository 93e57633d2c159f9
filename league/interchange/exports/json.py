"""Any match as one JSON document on a line of its own."""

import json

from games.support.game import Game
from league.analysis.replay import Replay
from league.interchange.export import AnyGame


class Documents(AnyGame):
    """What `league replay --json` tells of a match, without the boards."""

    name = "json"
    suffix = ".json"
    media_type = "application/json"

    def is_usual(self, game: Game) -> bool:
        """Take whatever has no format of its own."""
        return True

    def text(self, replay: Replay) -> str:
        """Write the match."""
        match = replay.as_json()
        for ply in match["plies"]:
            del ply["board"]
        return json.dumps(match, separators=(",", ":")) + "\n"


EXPORT = Documents()
