"""A hosted league as its organisers see it: settings, processes, queue and machine."""

from typing import Annotated

from league.hosting.model.season import SeasonState
from league.interchange.documents.document import (
    Count,
    Digits2,
    Document,
    Id,
    SecondsSince,
    about,
    taken,
)


class HostSetting(Document):
    """A setting of the season or the host."""

    key: str
    value: Annotated[str, about("as 'league host settings KEY=VALUE' takes it")]


class BegunSeason(Document):
    """A season that 'league host init' began."""

    season: Id
    organiser: Annotated[str | None, about("the login, null if there was an organiser already")]
    link: Annotated[str | None, about("one-time link on which the organiser sets a password")]


class HostProcess(Document):
    """A process of the host."""

    name: str
    pid: Count
    started_at: SecondsSince
    beat_at: Annotated[SecondsSince, about("its latest heartbeat")]
    starts: Annotated[Count, about("since the host began")]


class HostStatus(Document):
    """The state of a host."""

    season: Annotated[str | None, taken(lambda each: each.season and each.season.settings.name)]
    state: Annotated[SeasonState | None, taken(lambda each: each.season and each.season.state)]
    closes_at: Annotated[
        SecondsSince | None, taken(lambda each: each.season and each.season.settings.closes_at)
    ]
    is_hosted: Annotated[bool, about("whether 'league host' runs")]
    fault: Annotated[str, about("problem with its processes, '' if there is none")]
    shortage: Annotated[
        str, about("reason that uploads and matches are on hold, '' if they are not")
    ]
    trouble: Annotated[str, about("reason that a due match is not played, '' if there is none")]
    calm: Annotated[str, about("reason that few matches are played, '' normally")]
    processes: Annotated[list[HostProcess], taken("services")]
    in_play: Annotated[Count, about("matches in play")]
    workers: Annotated[
        Count | None, about("that play, null while none does and for all of a cluster")
    ]
    matches: Annotated[Count, taken("counts.matches")]
    faults: Annotated[
        dict[str, int], taken("counts.faults", "matches lost by a bot's own fault, by kind")
    ]
    last_match_at: Annotated[SecondsSince | None, taken("counts.last_match_at")]
    queue: Annotated[Count, about("submissions that wait or are checked")]
    submissions: Annotated[dict[str, int], taken("counts.submissions", "by state")]
    teams: Annotated[dict[str, int], taken("counts.teams", "by standing")]
    teams_out: Annotated[
        dict[str, str], about("teams that do not play: their standing and the reason, by name")
    ]
    database_bytes: Annotated[Count, taken("counts.database_bytes")]
    disk_free: Annotated[Count | None, about("bytes, null for a server's database")]
    load: Annotated[Digits2, about("of this machine over a minute")]
