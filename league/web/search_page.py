"""The pages of a search: its tree for a position of a match, and a page that steps through it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bots.support.search import ORDERS
from bots.trace.records import SearchSetting
from bots.trace.search import METHODS
from games.support.errors import UnknownNameError
from games.support.game import CHANCE, State
from games.tree.rules import TreeGame
from league.analysis.replay import Replay, load_replay
from league.model.errors import SetupError, UnknownRowError
from league.model.number_format import short_value
from league.render.data_uri import picture
from league.render.move_rows import address_of, move_number, position_told
from league.render.search import steps_of, text_of
from league.render.search.boards import step_boards
from league.render.search.bounded import DEPTH_MAX, NODES_MAX, TIME_S, BoundedTrace, traced_within
from league.render.search.drawing import NODES, draw_within
from league.render.search.outline import outline_of
from league.render.search.settings import default_setting, own_setting
from league.render.search.words import answer, counts, method, sampled, stakes, windowed
from league.render.template import markup
from league.store.store import StoreReader
from league.web.html_response import drawn
from league.web.page_route import Audience, PageRoute
from league.web.page_source import store_of
from league.web.query import NUMBER, number_of

ADDRESS = f"/matches/{NUMBER}/explain/{{place}}"

CUT_ON = "equality"

WIDE, STEPS_WIDE = 1430, 1040
"""A drawing wider than this, in pixels, shows fewer nodes: a whole one could not be read.

In a window of 1280 pixels its frame has 85% of that, beside the board of the steps, too.
"""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A position of a match, and the search to show for it.

    `own` is the search of the bot to move, None for one that can't be explained.
    """

    replay: Replay
    ply: int
    setting: SearchSetting
    own: SearchSetting | None

    @property
    def state(self) -> State:
        """The position."""
        return self.replay.frames[self.ply].state

    @property
    def title(self) -> str:
        """The title of the page."""
        return f"{self.replay.title}, {self.position}"

    @property
    def position(self) -> str:
        """The position in words, behind the word search."""
        return position_told(self.replay.frames[self.ply])

    @property
    def heading(self) -> str:
        """Tell whose search it is, and for which move: `Yellow's search for move 10: steady`."""
        if self.why_not:
            return f"The search {self.position}"
        seat = self.state.to_move
        name = self.state.game.seat_names[seat]
        number = move_number(self.replay.frames[self.ply])
        if self.setting != self.own:
            return f"A search for {name}'s move {number}"
        return f"{name}'s search for move {number}: {self.replay.names[seat]}"

    @property
    def why_other(self) -> str:
        """Why this is not the search of the bot to move; '' if it is."""
        if self.why_not or self.setting == self.own:
            return ""
        name = self.replay.names[self.state.to_move]
        if self.own is None:
            kinds = " and ".join(METHODS)
            return f"{name} did not run this search: only those of {kinds} bots can be shown."
        return f"{name} did not run this search: its own has other settings."

    @property
    def address(self) -> str:
        """The position in the address of the replay."""
        return address_of(self.replay.frames[self.ply])

    @property
    def why_not(self) -> str:
        """Why this position can't be searched; '' if it can."""
        if self.state.outcome() is not None:
            return "The match is over in this position: there is nothing to search."
        if self.state.to_move == CHANCE:
            return "Luck moves in this position, and no bot: go a ply on or back."
        return ""


def routes() -> list[PageRoute]:
    """Return the addresses of the pages."""
    # One at a time: searches take all of a core, which the other pages need too.
    gate = asyncio.Semaphore(1)
    return [
        PageRoute(ADDRESS, _answer(gate, _tree), Audience.PEOPLE),
        PageRoute(f"{ADDRESS}/steps", _answer(gate, _steps), Audience.PEOPLE),
    ]


def _answer(
    gate: asyncio.Semaphore, draw: Callable[[Request, SearchQuery], Response]
) -> Callable[[Request], Awaitable[Response]]:
    def work(request: Request) -> Response:
        return draw(request, _asked(store_of(request), request))

    async def endpoint(request: Request) -> Response:
        async with gate:
            return await run_in_threadpool(work, request)

    return endpoint


def _asked(store: StoreReader, request: Request) -> SearchQuery:
    replay = load_replay(store, request.path_params["number"])
    ply = _ply_at(replay, request.path_params["place"])
    state = replay.frames[ply].state
    own = own_setting(store, replay, ply, CUT_ON)
    usual = own or default_setting(state.game, CUT_ON)
    usual = replace(usual, depth=_bounded(usual.depth, state))
    return SearchQuery(replay, ply, _chosen(request, state, usual), usual if own else None)


def _ply_at(replay: Replay, place: str) -> int:
    """Return the ply that an address names: `24`, or `12w` in chess."""
    for frame in replay.frames:
        if place in (address_of(frame), str(frame.ply)):
            return frame.ply
    last = address_of(replay.frames[-1])
    text = f"no position {place!r} in match {replay.row.id}: expected 0 to {last}"
    raise UnknownRowError(text, "ply", place)


def _chosen(request: Request, state: State, usual: SearchSetting) -> SearchSetting:
    """Return the requested search; `usual` gives what the address leaves out."""
    query = request.query_params
    kind, order = query.get("method", usual.method), query.get("order", usual.order)
    for what, word, known in (("search", kind, METHODS), ("order", order, ORDERS)):
        if word not in known:
            raise UnknownNameError(what, word, known)
    depth = usual.depth
    if "depth" in query:
        depth = _bounded(number_of(request, "depth", 0, DEPTH_MAX) or None, state)
    evaluation = usual.evaluation
    if "evaluation" in query:
        evaluation = state.game.evaluation(query["evaluation"])
    return replace(usual, method=kind, order=order, depth=depth, evaluation=evaluation)


def _bounded(depth: int | None, state: State) -> int | None:
    """Return a depth that a page may search to; None, to the end, for explicit trees alone."""
    if depth is None and isinstance(state.game, TreeGame):
        return None
    return min(depth or DEPTH_MAX, DEPTH_MAX)


def _tree(request: Request, asked: SearchQuery) -> Response:
    bounded = None if asked.why_not else traced_within(asked.state, asked.setting)
    state, frames = asked.state, asked.replay.frames
    values = {} if bounded is None else _found(asked, bounded)
    text = drawn(
        request,
        "search.html",
        asked=asked,
        replay=asked.replay,
        board=picture(state.svg()),
        before=address_of(frames[asked.ply - 1]) if asked.ply else None,
        after=address_of(frames[asked.ply + 1]) if asked.ply + 1 < len(frames) else None,
        methods=METHODS,
        orders=ORDERS,
        evaluations=[each.name for each in state.game.evaluations],
        depth_max=DEPTH_MAX,
        is_tree=isinstance(state.game, TreeGame),
        nodes_max=NODES_MAX,
        time_s=TIME_S,
        query=request.url.query,
        bounded=bounded,
        **values,
    )
    return HTMLResponse(text)


def _found(asked: SearchQuery, bounded: BoundedTrace) -> dict[str, object]:
    trace = bounded.trace
    drawing = draw_within(trace, WIDE)
    shown = trace.sample(NODES)
    note = sampled(trace, len(drawing.shown))
    if len(drawing.shown) < len(shown):
        note += f" The outline has {len(shown):,}."
    return {
        "lines": [method(trace), answer(trace), *counts(trace)],
        "note": note,
        "width": drawing.width,
        "height": drawing.height,
        # The drawing writes its texts as texts itself.
        "tree": markup("\n".join(drawing.body)),
        "outline": outline_of(trace, shown),
        "stakes": stakes(trace),
        "value": short_value(trace.value),
        "windowed": windowed(trace, drawing.shown),
        "text": text_of(trace, asked.title),
    }


def _steps(request: Request, asked: SearchQuery) -> Response:
    if asked.why_not:
        raise SetupError(asked.why_not)
    bounded = traced_within(asked.state, asked.setting)
    if bounded is None:
        raise SetupError(f"even one ply makes more than {NODES_MAX:,} nodes or takes {TIME_S:g} s")
    trace = bounded.trace
    drawing = draw_within(trace, STEPS_WIDE, is_brief=True)
    text = drawn(
        request,
        "search_steps.html",
        asked=asked,
        replay=asked.replay,
        steps=markup(steps_of(trace, drawing)),
        boards=markup(step_boards(trace, drawing.shown, f"The position {asked.position}")),
        board=picture(asked.state.svg()),
        query=request.url.query,
    )
    return HTMLResponse(text)
