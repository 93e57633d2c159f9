"""Which passwords are taken, and how they are kept."""

import time

import argon2
import pytest

from league.hosting.accounts import passwords
from league.hosting.accounts.passwords import (
    check_password,
    hash_password,
    is_outdated,
    verify_password,
)
from league.hosting.model.errors import PeopleError


@pytest.mark.parametrize(
    ("password", "login", "reason"),
    [
        ("eleven char", "ada", "too short"),
        ("x" * 129, "ada", "too long"),
        ("ada.lovelace", "ada.lovelace", "your login"),
        ("ADA.Lovelace", "ada.lovelace", "your login"),
        ("ada.lovelace1!", "ada.lovelace", "your login"),
        ("password1234", "ada", "guess first"),
        ("Password2026!", "ada", "guess first"),
        ("qwertyuiop!!", "ada", "guess first"),
        ("123456789012", "ada", "guess first"),
        ("abababababab", "ada", "guess first"),
    ],
)
def test_weak_passwords_are_refused(password: str, login: str, reason: str) -> None:
    with pytest.raises(PeopleError, match=reason):
        check_password(password, login)


@pytest.mark.parametrize(
    "password", ["rooks on open files", "twelve chars", "ü♥漢字-0123 xy", "x1" * 3 + "y" * 122]
)
def test_other_passwords_are_taken_whatever_their_letters(password: str) -> None:
    check_password(password, "ada")
    stored = hash_password(password)
    assert verify_password(password, stored)
    assert not verify_password(password + " ", stored)
    assert not verify_password(password[:-1], stored)


def test_keyboards_write_the_same_letters_differently() -> None:
    assert verify_password("u\u0308ber den Zaun", hash_password("\u00fcber den Zaun"))


@pytest.mark.slow
def test_a_hash_says_nothing_of_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "hasher", lambda: argon2.PasswordHasher())
    one, other = (hash_password("rooks on open files") for _ in range(2))
    assert one != other
    assert one.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert "rooks" not in one


def test_a_hash_of_older_parameters_is_outdated(monkeypatch: pytest.MonkeyPatch) -> None:
    old = hash_password("rooks on open files")
    assert not is_outdated(old)
    monkeypatch.setattr(passwords, "hasher", lambda: argon2.PasswordHasher())
    assert is_outdated(old)
    assert verify_password("rooks on open files", old)


@pytest.mark.parametrize("stored", ["", "nonsense", "$argon2id$v=19$m=8"])
def test_without_a_sound_hash_no_password_fits(stored: str) -> None:
    assert not verify_password("nobody's", stored)
    assert not verify_password("", stored)


@pytest.mark.slow
def test_an_unknown_login_takes_the_time_of_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "hasher", lambda: argon2.PasswordHasher(parallelism=1))
    passwords._nobodys.cache_clear()
    stored = hash_password("rooks on open files")
    verify_password("warm up", "")

    def least(stored: str) -> float:
        # Processor time, not wall time: another process may have the processor.
        spent = []
        for _ in range(5):
            begun = time.process_time()
            verify_password("not the password", stored)
            spent.append(time.process_time() - begun)
        return min(spent)

    assert least("") > least(stored) / 3
