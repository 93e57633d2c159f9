"""The positions of a search, for the board beside its steps."""

from collections.abc import Set

from bots.trace.records import Trace
from league.match.replay import Frame
from league.render.match_pictures import still
from league.render.packed_boards import packed
from league.render.page_parts import script_data
from league.render.search.words import label, line_of


def step_boards(trace: Trace, numbers: Set[int], root: str) -> str:
    """Draw the positions of the nodes of these `numbers`, as JSON for `steps_board.js`.

    The move that led there is marked. `root` names the position of the root.
    """
    shown = sorted(numbers)
    states, drawings, told = {0: trace.root}, [], []
    # Children have higher numbers than their parents.
    for number in shown:
        node = trace.recorded[number]
        before = states.get(node.parent)
        if before is not None:
            states[number] = before.play(node.move)
        frame = Frame(ply=node.ply, state=states[number], before=before, played=node.move)
        drawings.append(still(frame))
        line = [label(each) for each in trace.ancestors(number)][-2::-1]
        told.append(f"After {line_of(line)}" if line else root)
    return script_data({"nodes": shown, "told": told, **packed(drawings)})
