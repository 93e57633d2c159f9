"""The rules of marks: what they give points for, and how they are written."""

import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from league.model.errors import SettingError

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


ENCOUNTERS = 5
"""A team meets a bot that it has to beat in so many encounters at least."""


def encounters_asked(rules: Iterable[Rule], house: Collection[str]) -> dict[str, int]:
    """Return the bots that rules name, each with how many encounters a team needs against it.

    A rule with a confidence asks for twice as many as its sign test needs when all are won.
    """
    found: dict[str, int] = {}
    for rule in rules:
        if rule.kind != "beats":
            continue
        least = max(ENCOUNTERS, 2 * math.ceil(-math.log2(1 - rule.confidence)))
        for name in house if rule.rival == EACH else (rule.rival,):
            found[name] = max(least, found.get(name, 0))
    return found
