"""Marks: what the results of a season are worth, by the rules of its settings."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.support.printable import cut
from league.analysis.versus import head_to_head
from league.hosting.model.people import Person, Role, Team, TeamStanding
from league.hosting.model.season import Contender, Credit, Mark, Member, Season, fault_line
from league.hosting.season.mark_rules import EACH, Rule, read_rules
from league.hosting.season.results import SeasonResults
from league.hosting.store.host_store import HostStore
from league.hosting.store.upload_counts import Uploads
from league.model.errors import UnknownRowError
from league.ratings.head_to_head import HeadToHead
from league.store.store import StoreReader

NOTE_MAX = 100
"""A note quotes so much of what a check has found."""


def marks_of(store: HostStore, season: Season) -> tuple[Mark, ...]:
    """Return the marks of all teams by name, and then of all authors without a team.

    A team is marked by its version in the final. Matches of the season's legs, of its final and of
    its gauntlets count, those that repeat others once. Raises `SettingError` for rules that can't
    be read, or a rival that does not exist.
    """
    results = SeasonResults(store, season)
    rules = read_rules(season.settings.marks)
    of_team = {each.team: each for each in results.teams}
    end_s = _end_of(store, season)
    members: defaultdict[int | None, list[Person]] = defaultdict(list)
    for person in store.people.all():
        if person.created_at < end_s:
            members[person.team].append(person)
    before_ms = None if end_s == math.inf else 1000 * int(end_s)
    uploads = store.uploads.counts(1000 * season.created_at, before_ms)
    found = []
    for team in results.all_teams:
        if team.id in of_team or team.created_at < end_s:
            contender, note = of_team.get(team.id), _note(team, uploads.get(team.id))
            is_out = team.standing in (TeamStanding.WITHDRAWN, TeamStanding.DISQUALIFIED)
            if contender is None or is_out:
                mark = _nothing(team.name, contender, rules, note)
            else:
                mark = _mark(results, contender, rules, note)
            found.append(replace(mark, members=tuple(map(_member, members[team.id]))))
    for person in members[None]:
        if person.role is Role.AUTHOR:
            mark = _nothing("", None, rules, "belongs to no team")
            found.append(replace(mark, members=(_member(person),)))
    return tuple(found)


def _end_of(store: HostStore, season: Season) -> float:
    """Return when the next season began, in seconds since 1970; infinity for the newest one."""
    later = [each.created_at for each in store.seasons.all() if each.id > season.id]
    return min(later, default=math.inf)


def _member(person: Person) -> Member:
    return Member(person.login, person.name, person.email)


def _note(team: Team, uploads: Uploads | None) -> str:
    """Say why a team does not play, '' if it does."""
    if team.standing is not TeamStanding.ACTIVE:
        return f"{team.standing}: {team.standing_reason}"
    if team.bot is not None:
        return ""
    if uploads is None:
        return "never submitted"
    if not uploads.state.is_decided:
        return "its submission is being checked"
    told = cut(fault_line(uploads.message), NOTE_MAX)
    many = "" if uploads.count == 1 else f"none of {uploads.count} submissions was accepted; "
    return f"{many}refused: {told}".removesuffix(": ")


def _nothing(team: str, contender: Contender | None, rules: Sequence[Rule], note: str) -> Mark:
    """Return the mark of a team that gets no points."""
    return Mark(
        team=team,
        version=contender.name_of(contender.for_final) if contender else "",
        rank=None,
        points=0,
        credits=tuple(Credit(rule.text, 0, note) for rule in rules),
        note=note,
    )


def _mark(results: SeasonResults, team: Contender, rules: Sequence[Rule], note: str) -> Mark:
    version = results.version_of(team)
    tried = {rule: _credit(results, team, rule) for rule in rules if rule.kind}
    total = sum(each.points for each in tried.values())
    found: list[Credit] = []
    for rule in rules:
        if rule.kind:
            found.append(tried[rule])
            continue
        over = max(0.0, total - rule.most)
        total -= over
        found.append(Credit(rule.text, -over or 0.0, f"{total + over:g} points in all"))
    return Mark(
        team=team.name,
        version=team.name_of(version),
        rank=results.ranks.get(team.team),
        points=round(total, 6),
        credits=tuple(found),
        note=note,
    )


def _credit(results: SeasonResults, team: Contender, rule: Rule) -> Credit:
    times, reason = _TRIED[rule.kind](results, team, rule)
    points = min(rule.most, times * rule.points)
    if points < times * rule.points:
        reason = f"{reason}; at most {rule.most:g}"
    return Credit(rule.text, points, reason)


STEP_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class HouseStep:
    """A house bot, whether a version beats it with 95% confidence, and the score in words."""

    bot: str
    is_passed: bool
    told: str


def steps_of(store: StoreReader, season: Season, version: int) -> tuple[HouseStep, ...]:
    """Return the house bots as steps, in the order of the setting, as a version has passed them.

    Matches of the season's legs and of its final count.
    """
    game, tournaments = season.settings.game, season.tournaments
    found = []
    for name in dict.fromkeys(season.settings.house_bots):
        try:
            rivals = [each.id for each in store.bots.get(name).versions]
        except UnknownRowError:
            # The director registers built-in ones when it begins a leg.
            rivals = []
        score = head_to_head(store, game, [version], rivals, tournaments=tournaments)
        found.append(HouseStep(name, *_judged(score, name, STEP_CONFIDENCE)))
    return tuple(found)


def _plays(results: SeasonResults, team: Contender, rule: Rule) -> tuple[int, str]:
    matches = results.matches_of(results.version_of(team))
    is_in = team.standing in (TeamStanding.ACTIVE, TeamStanding.SUSPENDED)
    if not is_in:
        return 0, f"the team is {team.standing}"
    return int(matches > 0), f"{matches} matches in the season"


def _beats(results: SeasonResults, team: Contender, rule: Rule) -> tuple[int, str]:
    names = results.house if rule.rival == EACH else (rule.rival,)
    tried = [_beaten(results, team, name, rule.confidence) for name in names]
    reason = "; ".join(told for _, told in tried) or "there are no house bots"
    return sum(is_beaten for is_beaten, _ in tried), reason


def _beaten(
    results: SeasonResults, team: Contender, name: str, confidence: float
) -> tuple[bool, str]:
    if team.bot == name:
        return False, f"{name} is the team's own bot"
    return _judged(results.against(team, name), name, confidence)


def _judged(found: HeadToHead, name: str, confidence: float) -> tuple[bool, str]:
    """Return whether a score is a win that sure, and the score in words."""
    if not found.matches:
        return False, f"no match against {name}"
    told = f"{found.points:g} of {found.matches} against {name}"
    if not confidence:
        return found.score > 0.5, told
    difference = found.difference
    likelihood = difference.los if difference else 0.5
    # The likelihood alone takes a single encounter for proof.
    chance = found.chance / 2 if found.ahead > found.behind else 1.0
    sure = min(likelihood, 1 - chance)
    is_sure = sure >= confidence
    return is_sure, f"{told}, {math.floor(1000 * max(0.0, sure)) / 10:g}% sure"


def _top(results: SeasonResults, team: Contender, rule: Rule) -> tuple[int, str]:
    rank, count = results.ranks.get(team.team), len(results.ranks)
    if rank is None:
        return 0, "no place in the table"
    # Rounded up, so that half of five teams are three.
    places = math.ceil(rule.share * count - 1e-9) if rule.share else 1
    where = "final" if results.is_final else "standings so far"
    needed = "place 1 counts" if places == 1 else f"places 1 to {places} count"
    return int(rank <= places), f"place {rank} of {count} in the {where} ({needed})"


_TRIED: Mapping[str, Callable[[SeasonResults, Contender, Rule], tuple[int, str]]] = {
    "plays": _plays,
    "beats": _beats,
    "top": _top,
}
