"""Marks: what the results of a season are worth, by the rules of its settings, one a line."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from league.analysis.outlook import outlook
from league.analysis.standings import standings
from league.analysis.versus import head_to_head
from league.model.errors import SettingError, UnknownRowError
from league.model.people import TeamStanding
from league.model.season import Contender, Credit, Mark, Season, SeasonState
from league.ratings.head_to_head import HeadToHead
from league.store.store import Store

SETTING = "marks"

EXPECTED = (
    "expected 'plays: 1 point', 'beats NAME: 2 points', 'beats NAME with 95% confidence: 2 "
    "points', 'beats each house bot: 1 point', 'better half: 1 point', 'top 25%: 2 points', "
    "'first: 3 points', or 'at most 5 points'"
)

EACH = "each house bot"

_RULE = re.compile(
    r"(?:at most (?P<most>\S+)(?: points?)?: *)?(?P<condition>.+?) *: *(?P<worth>[^:]+)"
)
_CAP = re.compile(r"at most (?P<most>\S+) points?")
_POINTS = re.compile(r"(\d{1,6}(?:\.\d{1,3})?) points?")
_NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,3})?")
_BEATS = re.compile(r"beats (?P<name>.+?)(?: with (?P<percent>\d{1,3}(?:\.\d+)?)% confidence)?")
_TOP = re.compile(r"top (?P<percent>\d{1,3}(?:\.\d+)?)%")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: `points` for each time that its condition holds, `most` of them at most.

    `kind` is `plays`, `beats` or `top`. `rival` is the bot to beat, `EACH` for every house bot, and
    `confidence` how sure that must be, 0 for more points than the rival. `share` are the teams at
    the top of the table that get the points, 0 for the first place alone. A `kind` of '' only caps
    the sum of all rules.
    """

    text: str
    kind: str = ""
    points: float = 0.0
    most: float = math.inf
    rival: str = ""
    confidence: float = 0.0
    share: float = 0.0


def read_rules(text: str) -> tuple[Rule, ...]:
    """Return the rules of a text, one a line or more with ';' between; '#' begins a remark.

    Raises `SettingError`, which names the line and what was expected.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for part in line.split(";"):
            words = " ".join(part.split())
            if words and not words.startswith("#"):
                found.append(_rule(words, number))
    return tuple(found)


def _rule(words: str, line: int) -> Rule:
    if cap := _CAP.fullmatch(words):
        return Rule(text=words, most=_number(cap["most"], words, line))
    match = _RULE.fullmatch(words)
    if match is None:
        raise _refusal(words, line, EXPECTED)
    worth = _POINTS.fullmatch(match["worth"])
    if worth is None:
        raise _refusal(words, line, f"{match['worth']!r}: expected a number of points: '2 points'")
    most = math.inf if match["most"] is None else _number(match["most"], words, line)
    found = Rule(text=words, points=float(worth[1]), most=most)
    condition = match["condition"]
    if condition == "plays":
        return replace(found, kind="plays")
    if condition == "first":
        return replace(found, kind="top")
    if condition == "better half":
        return replace(found, kind="top", share=0.5)
    if top := _TOP.fullmatch(condition):
        share = float(top["percent"]) / 100
        if not 0 < share <= 1:
            raise _refusal(words, line, f"top {top['percent']}%: expected above 0% to 100%")
        return replace(found, kind="top", share=share)
    if beats := _BEATS.fullmatch(condition):
        confidence = float(beats["percent"] or 0) / 100
        if beats["percent"] and not 0.5 <= confidence < 1:
            told = f"{beats['percent']}% confidence: expected from 50% to below 100%"
            raise _refusal(words, line, told)
        return replace(found, kind="beats", rival=beats["name"], confidence=confidence)
    raise _refusal(words, line, EXPECTED)


def _number(text: str, words: str, line: int) -> float:
    if not _NUMBER.fullmatch(text):
        raise _refusal(words, line, f"at most {text!r}: expected a number of points")
    return float(text)


def _refusal(words: str, line: int, told: str) -> SettingError:
    return SettingError(f"line {line}, {words!r}: {told}", SETTING)


def marks_of(store: Store, season: Season) -> tuple[Mark, ...]:
    """Return the marks of all teams with a bot, by name.

    A team is marked by its version in the final. Matches of the season's legs and of its final
    count, those that repeat others once. Raises `SettingError` for rules that can't be read, or a
    rival that does not exist.
    """
    results = _Results(store, season)
    rules = read_rules(season.settings.marks)
    return tuple(_mark(results, team, rules) for team in store.contenders())


STEP_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Step:
    """A house bot, whether a version beats it with 95% confidence, and the score in words."""

    bot: str
    is_passed: bool
    told: str


def steps_of(store: Store, season: Season, version: int) -> tuple[Step, ...]:
    """Return the house bots as steps, in the order of the setting, as a version has passed them.

    Matches of the season's legs and of its final count.
    """
    game, tournaments = season.settings.game, season.tournaments
    found = []
    for name in dict.fromkeys(season.settings.house_bots):
        try:
            rivals = [each.id for each in store.bot(name).versions]
        except UnknownRowError:
            # The director registers built-in ones when it begins a leg.
            rivals = []
        score = head_to_head(store, game, [version], rivals, tournaments=tournaments)
        found.append(Step(name, *_judged(score, name, STEP_CONFIDENCE)))
    return tuple(found)


def _mark(results: "_Results", team: Contender, rules: Sequence[Rule]) -> Mark:
    version = results.version_of(team)
    found: list[Credit] = []
    total, cap = 0.0, math.inf
    for rule in rules:
        if not rule.kind:
            cap = min(cap, rule.most)
            continue
        times, reason = _TRIED[rule.kind](results, team, rule)
        points = min(rule.most, times * rule.points)
        if points < times * rule.points:
            reason = f"{reason}; at most {rule.most:g}"
        found.append(Credit(rule.text, points, reason))
        total += points
    if total > cap:
        told = f"{total:g} points in all, at most {cap:g}"
        found.append(Credit(f"at most {cap:g} points", cap - total, told))
    return Mark(
        team=team.name,
        version=team.name_of(version),
        rank=results.ranks.get(team.team),
        points=round(min(total, cap), 6),
        credits=tuple(found),
    )


class _Results:
    """The results of a season that marks need, each read once."""

    def __init__(self, store: Store, season: Season) -> None:
        self.store, self.season = store, season
        self.teams = store.contenders()
        self.tournaments = season.tournaments
        over = (SeasonState.FINISHED, SeasonState.PUBLISHED)
        self.is_final = season.final is not None and season.state in over

    @cached_property
    def finalists(self) -> frozenset[int]:
        final = self.season.final
        return frozenset() if final is None else frozenset(self.store.entrants(final))

    def version_of(self, team: Contender) -> int:
        """Return the version of a team that is marked: the one that played in the final."""
        played = [version for version, _ in team.versions if version in self.finalists]
        if not played and self.season.state is SeasonState.PUBLISHED:
            # A newer version is one of the next season.
            played = [version for version, _ in team.versions if version in self.entered]
        return played[-1] if played else team.for_final

    @cached_property
    def entered(self) -> frozenset[int]:
        return frozenset(each for leg in self.season.legs for each in self.store.entrants(leg))

    @cached_property
    def ranks(self) -> dict[int, int]:
        """The places of teams: in the final's table, or else among the ratings of the season."""
        versions = {self.version_of(team): team.team for team in self.teams}
        game = self.season.settings.game
        order: list[tuple[float, int]] = []
        if self.is_final and self.season.final is not None:
            row = self.store.tournament(self.season.final)
            table = outlook(self.store, row).table
            if table is not None:
                order = [(each.rank, row.config.entrants[each.entrant]) for each in table.rows]
            else:
                rated = standings(self.store, game, row.id).rows
                order = [(-each.rating, each.version) for each in rated if each.rank]
        elif self.season.legs:
            rated = standings(self.store, game, self.season.legs[-1]).rows
            order = [(-each.rating, each.version) for each in rated if each.rank]
        found = [(key, versions[version]) for key, version in order if version in versions]
        # A suspension after the final takes no place in it away.
        counted = (TeamStanding.ACTIVE, *([TeamStanding.SUSPENDED] if self.is_final else []))
        placed = {each.team for each in self.teams if each.standing in counted}
        found = sorted((key, team) for key, team in found if team in placed)
        return {team: 1 + sum(key < own for key, _ in found) for own, team in found}

    @cached_property
    def house(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.season.settings.house_bots))

    def matches_of(self, version: int) -> int:
        """Return how many matches of the season a version has played."""
        return self.store.season_matches(version, self.tournaments)

    def against(self, team: Contender, rival: str) -> HeadToHead:
        """Return a team's score against the bot of a name, all its versions."""
        rivals = self.rivals(rival)
        return head_to_head(
            self.store,
            self.season.settings.game,
            [self.version_of(team)],
            rivals,
            tournaments=self.tournaments,
        )

    def rivals(self, name: str) -> tuple[int, ...]:
        """Return the versions of a bot; raise `SettingError` for none."""
        try:
            return tuple(version.id for version in self.store.bot(name).versions)
        except UnknownRowError as error:
            raise SettingError(f"{error}: it can't be beaten", SETTING) from None


def _plays(results: _Results, team: Contender, rule: Rule) -> tuple[int, str]:
    matches = results.matches_of(results.version_of(team))
    is_in = team.standing in (TeamStanding.ACTIVE, TeamStanding.SUSPENDED)
    if not is_in:
        return 0, f"the team is {team.standing}"
    return int(matches > 0), f"{matches} matches in the season"


def _beats(results: _Results, team: Contender, rule: Rule) -> tuple[int, str]:
    names = results.house if rule.rival == EACH else (rule.rival,)
    tried = [_beaten(results, team, name, rule.confidence) for name in names]
    reason = "; ".join(told for _, told in tried) or "there are no house bots"
    return sum(is_beaten for is_beaten, _ in tried), reason


def _beaten(results: _Results, team: Contender, name: str, confidence: float) -> tuple[bool, str]:
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


def _top(results: _Results, team: Contender, rule: Rule) -> tuple[int, str]:
    rank, count = results.ranks.get(team.team), len(results.ranks)
    if rank is None:
        return 0, "no place in the table"
    # Rounded up, so that half of five teams are three.
    places = math.ceil(rule.share * count - 1e-9) if rule.share else 1
    where = "final" if results.is_final else "standings so far"
    needed = "place 1 counts" if places == 1 else f"places 1 to {places} count"
    return int(rank <= places), f"place {rank} of {count} in the {where} ({needed})"


_TRIED: Mapping[str, Callable[[_Results, Contender, Rule], tuple[int, str]]] = {
    "plays": _plays,
    "beats": _beats,
    "top": _top,
}
