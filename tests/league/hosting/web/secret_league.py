"""A hosted league of two teams in which everything that one may not see has a mark."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from league.hosting.accounts.sign_ins import begin
from league.hosting.model.people import Person, Role, TeamStanding
from league.hosting.model.season import NoticeKind, SeasonSettings, SubmissionState
from league.hosting.pages import WING
from league.hosting.season.practice import keep_match
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.store.submissions import Verdict
from league.hosting.web.callers import SIGN_IN
from league.hosting.web.hosted import Hosted
from league.model.records import (
    BotVersion,
    Conduct,
    MatchKey,
    MatchRecord,
    MoveRecord,
    ReportRecord,
    Termination,
)
from league.web.app import make_app
from tests.league.hosting.season.teams import add_leg
from tests.league.hosting.web.visiting import Visitor
from tests.league.matches import add_tournament

TEAMS = ("Ants", "Bees")

KINDS = (
    "source",
    "filename",
    "class",
    "option",
    "folder",
    "log",
    "output",
    "detail",
    "told",
    "conduct",
    "email",
    "name",
    "login",
    "upload",
    "check",
    "checklog",
    "notice",
    "reason",
    "label",
)
"""The secrets of each team."""


def mark(kind: str, team: str) -> str:
    """Return the mark of a secret of a team."""
    return f"ZQ{kind}{team}QZ".upper()


def marks_of(team: str) -> list[str]:
    """Return all marks of a team."""
    return [mark(kind, team) for kind in KINDS]


def make_secret_league(target: Path | str, **settings: Any) -> dict[str, Person]:
    """Make the league; return its people by team, and the organiser under ''."""
    with open_host_store(str(target), create=True) as store:
        given: dict[str, Any] = {"name": "AI 2026", "game": "connectfour", **settings}
        store.seasons.create(SeasonSettings(**given))
        people = {"": _person(store, "boss", Role.ORGANISER, None, "Boss", "boss@example.org")}
        versions = {team: _add_team(store, team, people) for team in TEAMS}
        house = store.bots.register(BotVersion("house", "greedy")).id
        tournament = add_tournament(store, *versions.values(), house, format="season")
        add_leg(store, 1, tournament)
        _play(store, tournament, versions, house)
        _challenge(store, versions)
        store.notices.add(NoticeKind.ANNOUNCEMENT, "Welcome to everybody")
        return people


def _person(
    store: HostStore, login: str, role: Role, team: int | None, name: str, email: str
) -> Person:
    return store.people.add(login, role, team=team, name=name, email=email)


def _add_team(store: HostStore, name: str, people: dict[str, Person]) -> int:
    team = store.people.add_team(name)
    login, email = mark("login", name).lower(), f"{mark('email', name)}@example.org"
    people[name] = _person(store, login, Role.AUTHOR, team.id, mark("name", name), email)
    file = f"{mark('filename', name)}.py"
    version = BotVersion(
        name,
        f"{file}:{mark('class', name)}",
        options={"weight": mark("option", name)},
        files={file: f"# {mark('source', name)}\n".encode()},
        digest=mark("source", name),
        folder=f"/srv/{mark('folder', name)}",
    )
    kept = store.bots.register(version, ["connectfour"])
    now_ms = time.time_ns() // 1_000_000
    settings = {"class": mark("label", name), "option.weight": mark("option", name)}
    for number in range(2):
        file_name = f"{mark('upload', name)}{number}.py"
        sent = store.submissions.receive(
            team.id, people[name].id, file_name, b"x", settings, now_ms
        )
        claimed = store.submissions.claim_next()
        assert claimed is not None
        assert claimed.id == sent.id
        if number:
            store.submissions.decide(
                sent.id, Verdict(state=SubmissionState.PLAYING, version=kept.id)
            )
        else:
            told = f"{mark('check', name)} {mark('checklog', name)}"
            store.submissions.decide(sent.id, Verdict(state=SubmissionState.REFUSED, message=told))
    store.people.update_team(
        team.id, standing=TeamStanding.SUSPENDED, standing_reason=mark("reason", name)
    )
    store.notices.add(NoticeKind.SUSPENSION, mark("notice", name), team.id)
    return kept.id


def _play(store: HostStore, tournament: int, versions: Mapping[str, int], house: int) -> None:
    ants, bees = versions["Ants"], versions["Bees"]
    batch = []
    for number, (team, seats) in enumerate(
        [
            ("Ants", (ants, bees)),
            ("Bees", (ants, bees)),
            ("Ants", (ants, house)),
            ("Bees", (house, bees)),
        ]
    ):
        batch.append((MatchKey(number, 0), _fault(team, seats, seats.index(versions[team]))))
    for number, seats in enumerate([(ants, bees), (bees, ants)], len(batch)):
        batch.append((MatchKey(number, 0), _told(seats, {ants: "Ants", bees: "Bees"})))
    store.matches.save(tournament, batch)
    conduct = {
        version: Conduct(matches=3, kills=1, suspended=mark("conduct", team))
        for team, version in versions.items()
    }
    store.conduct.save(tournament, conduct)


def _challenge(store: HostStore, versions: Mapping[str, int]) -> None:
    """Let each team challenge the other: a match without a fault, and one with the other's."""
    names = {version: team for team, version in versions.items()}
    for team, other in zip(TEAMS, reversed(TEAMS), strict=True):
        own, rival = versions[team], versions[other]
        store.challenges.add(store.people.team(team).id, store.bots.get(other).id, 1, 0, 10)
        for is_last in (False, True):
            claimed = store.challenges.claim("checker")
            assert claimed is not None
            claimed = store.challenges.begin(claimed.id, own, rival, 0.1)
            record = _fault(other, (rival, own), 0) if is_last else _told((own, rival), names)
            assert keep_match(store, claimed, "checker", record, is_last=is_last)


def _fault(team: str, seats: tuple[int, int], fault: int) -> MatchRecord:
    return MatchRecord(
        game="connectfour",
        versions=seats,
        seed=1,
        opening=(3,),
        moves=(MoveRecord(3, wall_ns=5_000_000),),
        scores=(0.0, 1.0) if fault == 0 else (1.0, 0.0),
        termination=Termination.CRASH,
        fault_seat=fault,
        detail=mark("detail", team),
        log=mark("log", team),
    )


def _told(seats: tuple[int, int], teams: Mapping[int, str]) -> MatchRecord:
    """Return a match without a fault, in which both bots told and printed something."""
    moves = (3, 0, 3, 0, 3, 0, 3)
    by = [teams[seats[ply % 2]] for ply in range(len(moves))]
    return MatchRecord(
        game="connectfour",
        versions=seats,
        seed=1,
        opening=(),
        moves=tuple(
            MoveRecord(
                move,
                wall_ns=1_000_000,
                report=ReportRecord(depth=3, score=0.5, text=mark("told", team)),
            )
            for move, team in zip(moves, by, strict=True)
        ),
        scores=(1.0, 0.0),
        utilities=(1.0, -1.0),
        termination=Termination.RULES,
        log="\n".join(
            f"seat {seat}:\n{mark('output', teams[version])}" for seat, version in enumerate(seats)
        ),
    )


class SecretLeague:
    """That league, with its application; use it in a `with` statement."""

    def __init__(self, target: Path | str) -> None:
        self.store = open_host_store(str(target))
        self.shown = open_host_store(str(target), read_only=True, remembers=True)
        self.app = make_app(self.shown, "AI 2026", given={WING: Hosted(self.store)})
        logins = {each.login for each in self.store.people.all()}
        self.logins = {team: mark("login", team).lower() for team in TEAMS} | {"": "boss"}
        assert logins == set(self.logins.values())

    def visitor(self, team: str | None = None) -> Visitor:
        """Return the browser of an author, of the organiser under '', or of a visitor."""
        found = Visitor(self.app)
        if team is not None:
            person = self.store.people.by_login(self.logins[team])
            assert person is not None
            # Not by the form: a hash of a password takes long by design.
            found.cookies.set(SIGN_IN, begin(self.store, person))
        return found

    def set(self, **settings: Any) -> None:
        """Change settings of the season."""
        season = self.store.seasons.get()
        assert season is not None
        self.store.seasons.update(season.id, settings=replace(season.settings, **settings))

    def close(self) -> None:
        """Let the league go."""
        self.shown.close()
        self.store.close()


@contextmanager
def a_secret_league(folder: Path) -> Iterator[SecretLeague]:
    """Make the league in a folder, and open it."""
    path = folder / "league.db"
    make_secret_league(path)
    found = SecretLeague(path)
    try:
        yield found
    finally:
        found.close()
