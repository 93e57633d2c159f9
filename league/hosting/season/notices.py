"""The notices to everybody about the state of a season."""

from league.hosting.model.season import NoticeKind, Season, SeasonState
from league.hosting.store.host_store import HostStore


def tell(store: HostStore, season: Season, state: SeasonState, final: int | None = None) -> None:
    """Tell everybody that a season has come to a state, in place of its earlier news.

    `final` is the tournament of the final that begins.
    """
    store.notices.end(NoticeKind.SEASON)
    if text := _news(season, state, final):
        store.notices.add(NoticeKind.SEASON, text)


def _news(season: Season, state: SeasonState, final: int | None) -> str:
    name = season.settings.name
    if state is SeasonState.CLOSED:
        return f"Submissions to {name} are closed."
    if final is not None:
        return f"The final of {name} is in play: tournament {final}."
    if state is SeasonState.PUBLISHED:
        return f"The results of {name} are published."
    return ""
