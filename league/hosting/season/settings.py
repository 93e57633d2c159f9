"""The settings of a season as words: `league host settings` and the organiser's page use them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from games.support.errors import InputError, brief, suggestion
from games.support.specs import find_game
from league.formats.specs import make_format
from league.hosting.model.season import SeasonSettings, ServerRule, Visibility
from league.hosting.season.mark_rules import read_rules
from league.model.errors import SettingError
from league.model.time_control import read_move_time, read_span

NAME_MAX = 80
MARKS_MAX = 10_000
NEVER = "never"

_UNITS = {"": 1, "b": 1, "k": 1 << 10, "kb": 1 << 10, "m": 1 << 20, "mb": 1 << 20}
_UNITS |= {"g": 1 << 30, "gb": 1 << 30}
_TRUE, _FALSE = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSetting:
    """A setting: its word, the field of `SeasonSettings`, and how its value is read and written.

    `read` raises `InputError` or `ValueError`; `expected` tells then what is read. One that
    `outlasts_final` can change when its results are published, too.
    """

    key: str
    field: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    expected: str
    help: str
    outlasts_final: bool = False


def settings_of(words: Mapping[str, str]) -> SeasonSettings:
    """Return the settings of a new season; raise `SettingError`, by key."""
    for key in ("name", "game"):
        if not words.get(key, "").strip():
            raise SettingError("a season needs one", key)
    start = SeasonSettings(name="", game="")
    return _changed(start, words)


def changed_settings(settings: SeasonSettings, words: Mapping[str, str]) -> SeasonSettings:
    """Return the settings of a running season with changes; raise `SettingError`, by key."""
    return _changed(settings, words)


def written(settings: SeasonSettings) -> dict[str, str]:
    """Return all settings as words that `changed_settings` reads."""
    return {each.key: each.write(getattr(settings, each.field)) for each in SETTINGS.values()}


def _changed(settings: SeasonSettings, words: Mapping[str, str]) -> SeasonSettings:
    values: dict[str, Any] = {}
    for key, word in words.items():
        setting = SETTINGS.get(key)
        if setting is None:
            raise SettingError(f"no such setting{suggestion(key, SETTINGS)}", key)
        try:
            values[setting.field] = setting.read(word.strip())
        except (InputError, ValueError, OverflowError) as error:
            told = f" ({error})" if isinstance(error, InputError) else ""
            reason = f"{brief(word)}: expected {setting.expected}{told}"
            raise SettingError(reason, key) from None
    return replace(settings, **values)


def _name(word: str) -> str:
    if not 0 < len(word) <= NAME_MAX or not word.isprintable():
        raise ValueError(word)
    return word


def _game(word: str) -> str:
    return find_game(word).spec


def _format(word: str) -> str:
    make_format(word)
    return word


def _between(least: int, most: int) -> Callable[[str], int]:
    def read(word: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", word) or not least <= int(word) <= most:
            raise ValueError(word)
        return int(word)

    return read


def _move_s(word: str) -> float:
    found = read_move_time(word)
    if not 0.001 <= found <= 3600:
        raise ValueError(word)
    return found


def _span_s(word: str) -> int:
    match = re.fullmatch(r"([0-9]{1,3}) ?d", word)
    return int(match[1]) * 86_400 if match else int(read_span(word)) if word != "0" else 0


def read_size(word: str) -> int:
    """Return the bytes that a size such as 8M means; raise `ValueError` for none."""
    match = re.fullmatch(r"([0-9]{1,9}) ?([a-z]*)", word.lower())
    if match is None or match[2] not in _UNITS or not int(match[1]):
        raise ValueError(word)
    return int(match[1]) * _UNITS[match[2]]


def _megabytes(word: str) -> int:
    found = read_size(f"{word}m" if word.isdigit() else word) >> 20
    if found < 16:
        raise ValueError(word)
    return found


def _upload_bytes(word: str) -> int:
    found = read_size(word)
    if found > 1 << 30:
        raise ValueError(word)
    return found


def _moment(word: str) -> int | None:
    """Return seconds since 1970; a time without an offset is one of this machine's zone."""
    if word.lower() in ("", NEVER):
        return None
    found = datetime.fromisoformat(word)
    # `astimezone` takes a time without a zone as a local one.
    return int(found.astimezone(UTC).timestamp())


def _moment_word(at: int | None) -> str:
    if at is None:
        return NEVER
    return datetime.fromtimestamp(at, UTC).astimezone().isoformat(timespec="minutes")


def _flag(word: str) -> bool:
    if word.lower() not in (*_TRUE, *_FALSE):
        raise ValueError(word)
    return word.lower() in _TRUE


def _names(word: str) -> tuple[str, ...]:
    return tuple(name for each in word.split(",") if (name := each.strip()))


def _share(word: str) -> float:
    found = float(word.removesuffix("%")) / (100 if word.endswith("%") else 1)
    if not 0 <= found <= 1:
        raise ValueError(word)
    return found


def _elo(word: str) -> float:
    found = 0.0 if word.lower() == NEVER else float(word)
    if not 0 <= found <= 1000:
        raise ValueError(word)
    return found


def _marks(word: str) -> str:
    if len(word) > MARKS_MAX:
        raise ValueError(word)
    rules = "\n".join(line for each in re.split(r"[;\n]", word) if (line := each.strip()))
    read_rules(rules)
    return rules


def size_word(size: int) -> str:
    """Return a size as `read_size` reads it."""
    for unit, name in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "k")):
        if size % unit == 0:
            return f"{size // unit}{name}"
    return str(size)


def _span_word(span_s: float) -> str:
    for unit, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if span_s and span_s % unit == 0:
            return f"{span_s / unit:g}{name}"
    return f"{span_s:g}s" if span_s else "0"


def _names_word(names: tuple[str, ...]) -> str:
    return ",".join(names)


def _flag_word(flag: bool) -> str:
    return "yes" if flag else "no"


def _made(*settings: SeasonSetting) -> dict[str, SeasonSetting]:
    return {each.key: each for each in settings}


SETTINGS: Mapping[str, SeasonSetting] = _made(
    SeasonSetting(
        key="name",
        field="name",
        read=_name,
        write=str,
        expected=f"a text of up to {NAME_MAX} letters",
        help="The season's name.",
        outlasts_final=True,
    ),
    SeasonSetting(
        key="game",
        field="game",
        read=_game,
        write=str,
        expected="a game that 'league games' lists",
        help="The game; it can change until a submission is accepted.",
    ),
    SeasonSetting(
        key="move-time",
        field="move_s",
        read=_move_s,
        write=lambda value: f"{value * 1000:g}ms" if value < 1 else f"{value:g}s",
        expected="a time of 1ms to 1h, as in 500ms",
        help="Time for each move, from the next leg on.",
    ),
    SeasonSetting(
        key="memory",
        field="memory_mb",
        read=_megabytes,
        write=lambda value: size_word(value << 20),
        expected="a size from 16M, as in 512M or 2G",
        help="Memory of each bot, from the next leg on.",
    ),
    SeasonSetting(
        key="submissions-per-day",
        field="submissions_per_day",
        read=_between(1, 100_000),
        write=str,
        expected="a number from 1",
        help="Submissions of a team in 24 hours.",
    ),
    SeasonSetting(
        key="challenges-per-day",
        field="challenges_per_day",
        read=_between(0, 1000),
        write=str,
        expected="a number from 0, which turns them off, to 1000",
        help="Unrated challenges of a team in 24 hours.",
    ),
    SeasonSetting(
        key="play-sessions",
        field="play_sessions",
        read=_between(0, 256),
        write=str,
        expected="a number from 0, which turns it off, to 256",
        help="Matches of people against bots in the browser at the same time; 0 for none.",
        outlasts_final=True,
    ),
    SeasonSetting(
        key="upload-size",
        field="upload_bytes",
        read=_upload_bytes,
        write=size_word,
        expected="a size of up to 1G, as in 8M",
        help="The largest upload.",
    ),
    SeasonSetting(
        key="active-versions",
        field="active_versions",
        read=_between(1, 16),
        write=str,
        expected="a number from 1 to 16",
        help="A team's newest versions that play.",
    ),
    SeasonSetting(
        key="closes",
        field="closes_at",
        read=_moment,
        write=_moment_word,
        expected=f"a date and time, as in 2026-12-20T23:59 (local) or …+01:00, or {NEVER}",
        help="When submissions close.",
    ),
    SeasonSetting(
        key="languages",
        field="languages",
        read=lambda word: tuple(each.lower() for each in _names(word)),
        write=_names_word,
        expected="names with commas, as in python,c,rust; nothing for any",
        help="The languages that bots may be written in; empty for all.",
    ),
    SeasonSetting(
        key="web-servers",
        field="web_servers",
        read=lambda word: ServerRule(word.lower()),
        write=str,
        expected=", ".join(ServerRule),
        help="Web servers as bots; public ones are asked at addresses of the internet alone.",
    ),
    SeasonSetting(
        key="visibility",
        field="visibility",
        read=lambda word: Visibility(word.lower()),
        write=str,
        expected=", ".join(Visibility),
        help="What visitors see.",
        outlasts_final=True,
    ),
    SeasonSetting(
        key="freeze",
        field="freeze_s",
        read=_span_s,
        write=_span_word,
        expected="a time, as in 12h or 2d, or 0",
        help="How long before the end the standings freeze for authors and visitors.",
    ),
    SeasonSetting(
        key="final-format",
        field="final_format",
        read=_format,
        write=str,
        expected="a format, as in roundrobin or swiss",
        help="The format of the final.",
    ),
    SeasonSetting(
        key="final-rounds",
        field="final_rounds",
        read=_between(1, 10_000),
        write=str,
        expected="a number from 1",
        help="The rounds of the final.",
    ),
    SeasonSetting(
        key="final-openings",
        field="final_openings",
        read=str,
        write=str,
        expected="a file, or tournament:3",
        help="The openings of the final; empty to draw them.",
    ),
    SeasonSetting(
        key="publish-at-once",
        field="is_published_at_once",
        read=_flag,
        write=_flag_word,
        expected="yes or no",
        help="Whether the results are shown as soon as the final is over.",
    ),
    SeasonSetting(
        key="house-bots",
        field="house_bots",
        read=_names,
        write=_names_word,
        expected="names of bots with commas",
        help="Bots that play without a team, as opponents and steps.",
    ),
    SeasonSetting(
        key="suspended-after",
        field="suspended_after",
        read=_between(1, 1000),
        write=str,
        expected="a number from 1",
        help="Matches in a row lost by a fault that suspend a bot.",
    ),
    SeasonSetting(
        key="explored",
        field="explored",
        read=_share,
        write=lambda value: f"{100 * value:g}%",
        expected="a share, as in 20%",
        help="Encounters between the bots that have met least; others are between close ones.",
    ),
    SeasonSetting(
        key="leg-encounters",
        field="leg_encounters",
        read=_between(100, 10_000_000),
        write=str,
        expected="a number from 100",
        help="Encounters of a leg of the season.",
    ),
    SeasonSetting(
        key="calm-below",
        field="calm_elo",
        read=_elo,
        write=lambda value: f"{value:g}",
        expected="a number of Elo up to 1000, or 0 for never",
        help="When all error bars are at most this, in Elo, the season plays few matches.",
    ),
    SeasonSetting(
        key="marks",
        field="marks",
        read=_marks,
        write=str,
        expected=f"rules in lines or with ';', of up to {MARKS_MAX} letters",
        help="Rules for marks; 'league marks --help' shows some.",
        outlasts_final=True,
    ),
)
"""All settings by their words, in the order they are shown."""
