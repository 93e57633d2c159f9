"""Settings of a season as words."""

import time
from dataclasses import fields

import pytest

from league.hosting.model.season import SeasonSettings, Visibility
from league.hosting.season.settings import SETTINGS, changed_settings, settings_of, written
from league.model.errors import SettingError

BEGUN = {"name": "AI 2026", "game": "connectfour"}


def test_a_season_needs_a_name_and_a_game_alone() -> None:
    assert settings_of(BEGUN) == SeasonSettings(name="AI 2026", game="connectfour")


def test_every_field_has_a_setting() -> None:
    known = {each.name for each in fields(SeasonSettings)}
    assert {each.field for each in SETTINGS.values()} == known


@pytest.mark.parametrize(
    ("key", "word", "value"),
    [
        ("move-time", "500ms", 0.5),
        ("memory", "2G", 2048),
        ("memory", "64", 64),
        ("upload-size", "512k", 512 << 10),
        ("languages", "Python, rust", ("python", "rust")),
        ("languages", "", ()),
        ("visibility", "standings", Visibility.STANDINGS),
        ("freeze", "2d", 172_800),
        ("freeze", "90min", 5400),
        ("freeze", "0", 0),
        ("closes", "2026-12-20T23:59+01:00", 1_797_807_540),
        ("closes", "never", None),
        ("publish-at-once", "no", False),
        ("explored", "25%", 0.25),
        ("explored", "0.25", 0.25),
        ("final-format", "swiss", "swiss"),
        ("calm-below", "7.5", 7.5),
        ("calm-below", "never", 0.0),
        ("marks", "plays: 1 point; first: 3 points", "plays: 1 point\nfirst: 3 points"),
    ],
)
def test_a_word_is_read_and_written_back(key: str, word: str, value: object) -> None:
    found = changed_settings(settings_of(BEGUN), {key: word})
    assert getattr(found, SETTINGS[key].field) == value
    again = changed_settings(found, {key: written(found)[key]})
    assert again == found


def test_a_time_without_a_zone_is_local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Prague")
    time.tzset()
    try:
        found = changed_settings(settings_of(BEGUN), {"closes": "2026-12-20T23:59"})
        assert found.closes_at == 1_797_807_540
        assert written(found)["closes"] == "2026-12-20T23:59+01:00"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("key", "word", "told"),
    [
        ("move-time", "0", "expected a time of 1ms to 1h"),
        ("move-time", "two", "expected a time"),
        ("memory", "1M", "expected a size from 16M"),
        ("upload-size", "2G", "expected a size of up to 1G"),
        ("submissions-per-day", "0", "expected a number from 1"),
        ("active-versions", "99", "from 1 to 16"),
        ("closes", "soon", "expected a date and time"),
        ("visibility", "some", "everything, standings, nothing"),
        ("final-format", "swis", "did you mean 'swiss'"),
        ("explored", "120%", "expected a share"),
        ("publish-at-once", "perhaps", "expected yes or no"),
        ("name", "a\nb", "expected a text"),
        ("freeze", "-1", "expected a time"),
        ("calm-below", "nan", "expected a number of Elo"),
    ],
)
def test_an_error_names_the_key_and_what_is_expected(key: str, word: str, told: str) -> None:
    with pytest.raises(SettingError) as error:
        changed_settings(settings_of(BEGUN), {key: word})
    assert error.value.setting == key
    assert str(error.value).startswith(f"{key}: ")
    assert told in str(error.value)


def test_an_unknown_key_is_told_its_neighbour() -> None:
    with pytest.raises(SettingError, match="did you mean 'closes'"):
        changed_settings(settings_of(BEGUN), {"close": "never"})


@pytest.mark.parametrize("lacking", ["name", "game"])
def test_a_season_without_them_does_not_begin(lacking: str) -> None:
    with pytest.raises(SettingError, match="needs one"):
        settings_of({key: word for key, word in BEGUN.items() if key != lacking})
