"""Signing in: what holds, what ends, and what is counted."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import argon2
import pytest
from sqlalchemy import text

from league.hosting.accounts import invitations, passwords, sign_ins, tokens
from league.hosting.accounts.digests import digest_of
from league.hosting.accounts.sign_ins import (
    ABSOLUTE_S,
    FORGOTTEN_S,
    IDLE_S,
    sign_in,
    signed_in,
)
from league.hosting.model.errors import LockedError, PeopleError, SignInError
from league.hosting.model.people import Person, Role
from league.hosting.store.host_store import HostStore
from league.model.errors import UnavailableError
from league.model.network import network_of
from tests.league.hosting.accounts.conftest import PASSWORD

Clock = Callable[[int], None]

DAY = 24 * 3600

# On a busy machine a wait of half a minute could be over before it is looked at.
pytestmark = pytest.mark.usefixtures("clock")


def _fails(store: HostStore, login: str = "ada", address: str = "") -> int:
    """Try a wrong password; return the seconds to wait, 0 if the attempt was taken."""
    with pytest.raises(SignInError) as caught:
        sign_in(store, login, "not the password", address)
    return caught.value.wait_s if isinstance(caught.value, LockedError) else 0


def _everything(store: HostStore) -> str:
    """Return all that the tables of accounts hold, as text."""
    names = ("person", "sign_in", "personal_token", "invitation", "sign_in_failure", "audit")
    with store.reading() as connection:
        rows = [connection.execute(text(f"SELECT * FROM {name}")).all() for name in names]  # noqa: S608
    return repr(rows)


def test_the_right_password_signs_in_and_the_token_is_new_each_time(
    store: HostStore, ada: Person
) -> None:
    one, other = sign_in(store, "ada", PASSWORD), sign_in(store, " ADA ", PASSWORD)
    assert one != other
    assert len(one) >= 43
    found = signed_in(store, one)
    assert found is not None
    assert (found.login, found.seen_at is not None) == ("ada", True)
    sign_ins.sign_out(store, one)
    assert signed_in(store, one) is None
    assert signed_in(store, other) is not None


@pytest.mark.parametrize("token", ["", "x", "\ud800", "' OR 1=1 --"])
def test_other_tokens_are_nobodys(store: HostStore, ada: Person, token: str) -> None:
    sign_in(store, "ada", PASSWORD)
    assert signed_in(store, token) is None
    assert tokens.owner_of(store, tokens.PREFIX + token) is None


def test_a_wrong_password_and_an_unknown_login_look_the_same(store: HostStore, ada: Person) -> None:
    store.people.add("eve", Role.AUTHOR)
    told = set()
    for login in ("ada", "nobody", "eve"):
        with pytest.raises(SignInError) as caught:
            sign_in(store, login, "")
        told.add(str(caught.value))
    assert told == {sign_ins.WRONG}


def test_a_disabled_person_is_out_at_once(store: HostStore, ada: Person) -> None:
    token, script = sign_in(store, "ada", PASSWORD), tokens.new_token(store, ada, "mine")
    store.people.update(ada.id, is_active=False)
    assert signed_in(store, token) is None
    assert tokens.owner_of(store, script) is None
    assert not _fails(store)
    with pytest.raises(SignInError):
        sign_in(store, "ada", PASSWORD)
    store.people.update(ada.id, is_active=True)
    # The old sign-in does not come back.
    assert signed_in(store, token) is None


def test_a_sign_in_ends_when_it_is_idle(store: HostStore, ada: Person, clock: Clock) -> None:
    token = sign_in(store, "ada", PASSWORD)
    for _ in range(2):
        clock(IDLE_S - 60)
        assert signed_in(store, token) is not None
    clock(IDLE_S + 1)
    assert signed_in(store, token) is None


def test_a_sign_in_ends_though_it_is_used_every_day(
    store: HostStore, ada: Person, clock: Clock
) -> None:
    token = sign_in(store, "ada", PASSWORD)
    for _ in range(ABSOLUTE_S // DAY - 1):
        clock(DAY)
        assert signed_in(store, token) is not None
    clock(DAY + 1)
    assert signed_in(store, token) is None
    # The next sign-in takes what is over out of the database.
    fresh = sign_in(store, "ada", PASSWORD)
    assert digest_of(token) not in _everything(store)
    assert signed_in(store, fresh) is not None


def test_a_changed_password_ends_all_sign_ins_and_links(store: HostStore, ada: Person) -> None:
    before = [sign_in(store, "ada", PASSWORD) for _ in range(2)]
    link = invitations.invite(store, ada)
    fresh = sign_ins.change_password(store, ada, PASSWORD, "bishops on diagonals", "")
    assert [signed_in(store, each) for each in before] == [None, None]
    assert invitations.invited(store, link) is None
    assert signed_in(store, fresh) is not None
    with pytest.raises(SignInError):
        sign_in(store, "ada", PASSWORD)
    sign_in(store, "ada", "bishops on diagonals")


def test_a_password_changes_for_whoever_knows_it(store: HostStore, ada: Person) -> None:
    token = sign_in(store, "ada", PASSWORD)
    for _ in range(5):
        with pytest.raises(SignInError, match="not your current password"):
            sign_ins.change_password(store, ada, "not it", "bishops on diagonals", "")
    with pytest.raises(LockedError):
        sign_ins.change_password(store, ada, PASSWORD, "bishops on diagonals", "")
    with pytest.raises(PeopleError, match="too short"):
        sign_ins.change_password(store, ada, PASSWORD, "short", "")
    assert signed_in(store, token) is not None


@pytest.mark.slow
def test_failures_lock_a_login_for_longer_each_time(
    store: HostStore, ada: Person, clock: Clock
) -> None:
    assert [_fails(store) for _ in range(6)] == [0, 0, 0, 0, 0, 30]
    # Not even the right password passes, and asking does not make it longer.
    with pytest.raises(LockedError, match="try again in 30 seconds"):
        sign_in(store, "Ada", PASSWORD)
    waits = []
    for _ in range(7):
        clock(_fails(store))
        assert _fails(store) == 0
        waits.append(_fails(store))
    assert waits == [60, 120, 240, 480, 900, 900, 900]
    clock(900)
    sign_in(store, "ada", PASSWORD)
    assert [_fails(store) for _ in range(5)] == [0] * 5


def test_a_login_that_nobody_has_is_locked_too(store: HostStore, ada: Person) -> None:
    assert [_fails(store, "nobody") for _ in range(6)] == [0, 0, 0, 0, 0, 30]
    sign_in(store, "ada", PASSWORD)


@pytest.mark.slow
def test_failures_lock_an_address_whatever_the_login(
    store: HostStore, ada: Person, clock: Clock
) -> None:
    for number in range(50):
        assert _fails(store, f"guess{number}", f"2001:db8:0:7::{number:x}") == 0
        if number % 10 == 5:
            # An account of one's own gives no further attempts.
            sign_in(store, "ada", PASSWORD, "2001:db8:0:7::1")
    assert _fails(store, "other", "2001:db8:0:7:ffff::1") == 30
    with pytest.raises(LockedError):
        sign_in(store, "ada", PASSWORD, "2001:db8:0:7::1")
    sign_in(store, "ada", PASSWORD, "2001:db8:0:8::1")
    sign_in(store, "ada", PASSWORD)
    clock(FORGOTTEN_S + 1)
    sign_in(store, "ada", PASSWORD, "2001:db8:0:7::1")


def test_attempts_at_once_are_all_counted(store: HostStore, ada: Person) -> None:
    def attempt(number: int) -> bool:
        try:
            sign_in(store, "ada", "not the password", "192.0.2.1")
        except LockedError:
            return False
        except SignInError:
            return True
        raise AssertionError

    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(attempt, range(24)))
    assert sum(taken) == 5


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_an_address_of_ipv6_counts_by_its_network(address: str, network: str) -> None:
    assert network_of(address) == network


def test_a_hash_of_older_parameters_is_made_anew(
    store: HostStore, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = store.people.password_hash(ada.id)
    other = argon2.PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    monkeypatch.setattr(passwords, "hasher", lambda: other)
    token = sign_in(store, "ada", PASSWORD)
    after = store.people.password_hash(ada.id)
    assert after != before
    assert "m=16,t=2" in after
    assert signed_in(store, token) is not None
    sign_in(store, "ada", PASSWORD)


def test_an_invitation_works_once(store: HostStore, clock: Clock) -> None:
    person = store.people.add("eve", Role.AUTHOR)
    old, token = (invitations.invite(store, person) for _ in range(2))
    assert invitations.invited(store, old) is None
    # To look at it uses nothing up: programs that show previews do.
    assert invitations.invited(store, token) == person
    with pytest.raises(PeopleError, match="too short"):
        invitations.accept(store, token, "short")
    assert invitations.accept(store, token, PASSWORD).has_password
    for each in (old, token, "x"):
        with pytest.raises(PeopleError, match="used or has expired"):
            invitations.accept(store, each, "bishops on diagonals")
    sign_in(store, "eve", PASSWORD)
    late = invitations.invite(store, person)
    clock(invitations.HOLDS_S)
    with pytest.raises(PeopleError, match="used or has expired"):
        invitations.accept(store, late, "bishops on diagonals")


def test_of_many_who_accept_at_once_one_does(store: HostStore) -> None:
    token = invitations.invite(store, store.people.add("eve", Role.AUTHOR))

    def accept(number: int) -> bool:
        try:
            invitations.accept(store, token, f"{number} rooks on open files")
        except PeopleError:
            return False
        return True

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(accept, range(6))) == 1


def test_a_new_link_for_a_forgotten_password_ends_what_was_open(
    store: HostStore, ada: Person
) -> None:
    token = sign_in(store, "ada", PASSWORD)
    invitations.accept(store, invitations.invite(store, ada), "bishops on diagonals")
    assert signed_in(store, token) is None


def test_a_personal_token_holds_until_it_is_revoked_or_expires(
    store: HostStore, ada: Person, clock: Clock
) -> None:
    one, other = (tokens.new_token(store, ada, label, 10) for label in ("laptop", "CI"))
    assert one.startswith("blp_")
    owner = tokens.owner_of(store, one)
    assert owner is not None
    assert owner.id == ada.id
    kept = {each.label: each for each in store.sign_ins.personal_tokens(ada.id)}
    assert kept["laptop"].used_at is not None
    assert kept["CI"].used_at is None
    eve = store.people.add("eve", Role.AUTHOR)
    assert not tokens.revoke(store, eve, kept["laptop"].id)
    assert tokens.revoke(store, ada, kept["laptop"].id)
    assert not tokens.revoke(store, ada, kept["laptop"].id)
    assert tokens.owner_of(store, one) is None
    assert tokens.owner_of(store, other) is not None
    clock(10 * DAY)
    assert tokens.owner_of(store, other) is None


@pytest.mark.parametrize(
    ("label", "days"), [("", 1), (" ", 1), ("x" * 81, 1), ("\x1b[2J", 1), ("x", 0), ("x", 367)]
)
def test_odd_tokens_are_refused(store: HostStore, ada: Person, label: str, days: int) -> None:
    with pytest.raises(PeopleError):
        tokens.new_token(store, ada, label, days)
    assert store.sign_ins.personal_tokens(ada.id) == ()


def test_a_person_has_so_many_tokens(store: HostStore, ada: Person) -> None:
    for number in range(tokens.TOKENS_MAX):
        tokens.new_token(store, ada, str(number))
    with pytest.raises(PeopleError, match="revoke one first"):
        tokens.new_token(store, ada, "more")


def test_no_secret_is_in_the_database(store: HostStore, ada: Person) -> None:
    secrets = [
        sign_in(store, "ada", PASSWORD),
        tokens.new_token(store, ada, "laptop"),
        invitations.invite(store, ada),
        PASSWORD,
        "my password in the wrong field",
    ]
    with pytest.raises(SignInError):
        sign_in(store, "my password in the wrong field", "x")
    found = _everything(store)
    for each in secrets:
        assert each not in found
        assert each.removeprefix(tokens.PREFIX) not in found
    assert digest_of(secrets[0]) in found


def test_the_audit_log_tells_who_did_what_from_where(store: HostStore, ada: Person) -> None:
    sign_in(store, "ada", PASSWORD, "192.0.2.1")
    _fails(store, address="192.0.2.2")
    _fails(store, "nobody")
    tokens.new_token(store, ada, "laptop", address="192.0.2.3")
    told = [
        (each.actor, each.action, each.subject, each.address) for each in store.sign_ins.audit(9)
    ]
    about = f"person {ada.id}"
    assert told == [
        ("ada", "made token", about, "192.0.2.3"),
        ("host", "sign-in failed", "", ""),
        ("host", "sign-in failed", about, "192.0.2.2"),
        ("ada", "signed in", about, "192.0.2.1"),
    ]


def test_of_a_deleted_person_nothing_stays_but_what_was_done(store: HostStore) -> None:
    person = store.people.add("ada.lovelace", Role.AUTHOR, name="Ada King", email="ada@b.org")
    store.people.set_password_hash(person.id, passwords.hash_password(PASSWORD))
    sign_in(store, "ada.lovelace", PASSWORD, "192.0.2.1")
    _fails(store, "ada.lovelace", "192.0.2.1")
    tokens.new_token(store, person, "Ada King's laptop")
    invitations.invite(store, person)
    store.people.delete(person.id)
    found = _everything(store)
    for each in ("lovelace", "King", "ada@b.org", "argon2", "192.0.2.1"):
        assert each not in found
    assert {each.actor for each in store.sign_ins.audit(9)} == {"host", f"person {person.id}"}
    assert store.people.by_login("ada.lovelace") is None


def test_a_busy_database_keeps_nobody_out(
    store: HostStore, ada: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, script = sign_in(store, "ada", PASSWORD), tokens.new_token(store, ada, "mine")
    clock(sign_ins.NOTED_S)

    def busy(*given: object) -> None:
        raise UnavailableError("the database is locked", store.target)

    monkeypatch.setattr(store.sign_ins, "use", busy)
    monkeypatch.setattr(store.sign_ins, "use_personal_token", busy)
    assert signed_in(store, token) is not None
    assert tokens.owner_of(store, script) is not None
