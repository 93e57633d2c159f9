"""A package that repeats a bot's moves of a match at home: a small league with that match alone."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from league.analysis.loss_report import loss_report
from league.analysis.replay import Replay
from league.model.records import IMPORTED, BotVersion, MatchKey
from league.store.store import StoreReader, open_store

LEAGUE = "repro.db"

README = """\
Match {match}: {title}

{sentences}

To have your bot asked for that move again, install the same version of botleague and run:

    league repro 1{ply} --db {league}

To ask it for another move, give its ply by --ply. The league played in a sandbox; where there is
none, add --isolation limits. To see the match:

    league replay 1 --db {league}

{league} is a league with this match alone. It holds your own bot; of the other bots it holds
their moves. The folder 'bot' has the files of your bot as it played.
"""


def repro_package(
    store: StoreReader, replay: Replay, own: Collection[int], folder: Path
) -> dict[str, bytes]:
    """Return the files of the package by name; `folder` is for temporary files.

    It has the sources of `own` versions alone, and of the match what `store` shows.
    """
    target = folder / LEAGUE
    found = store.bots.versions(replay.record.versions)
    with open_store(str(target), create=True) as made:
        versions = [
            made.bots.register(_kept(found[each], each in own)).id
            for each in replay.record.versions
        ]
        config = store.tournaments.get(replay.row.tournament_id).config
        config = replace(
            config,
            entrants=tuple(dict.fromkeys(versions)),
            joined=(),
            withdrawn=(),
            handicaps=(),
            openings="",
            format="roundrobin",
        )
        tournament = made.tournaments.add(config, 1)
        record = replace(replay.record, versions=tuple(versions))
        made.matches.save(tournament, [(MatchKey(0, 0), record)])
    told = loss_report(replay)
    readme = README.format(
        match=replay.row.id,
        title=replay.title,
        sentences="\n".join(told.sentences),
        ply=f" --ply {told.ply}" if told.command else "",
        league=LEAGUE,
    )
    files = {"README.txt": readme.encode(), LEAGUE: target.read_bytes()}
    for number in own:
        files |= {f"bot/{path}": data for path, data in found[number].files.items()}
    return files


def _kept(version: BotVersion, is_own: bool) -> BotVersion:
    """Return a version as the package has it: an opponent's is a name."""
    named = f"{version.name}-{version.number}"
    if not is_own:
        return BotVersion(named, IMPORTED)
    return replace(version, name=named, number=1, id=0)
