"""Submissions in the database: received, claimed fairly, decided once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.people import Person, TeamStanding
from league.hosting.model.season import NoticeKind, Submission, SubmissionState, UploadRefusal
from league.hosting.store.daily_limit import DAY_MS
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.store.submissions import Verdict
from league.hosting.store.tables import TEAM
from league.model.clock import now
from league.model.errors import UnknownRowError
from league.model.records import BotVersion
from tests.league.hosting.season.hosting import add_author


def submit(store: HostStore, author: Person, at_ms: int = 0, data: bytes = b"x") -> Submission:
    """Let an author submit a file."""
    assert author.team is not None
    return store.submissions.receive(
        author.team, author.id, "bot.py", data, {"class": "Bot"}, at_ms
    )


def version_of(store: HostStore, name: str, text: str) -> int:
    """Register a version that nobody has tried."""
    files = {"bot.py": text.encode()}
    return store.bots.register(BotVersion(name, "bot.py", files=files, digest=text)).id


def accept(store: HostStore, author: Person, text: str, active: int = 2) -> Submission:
    """Let an author submit a bot, and accept it."""
    submit(store, author)
    claimed = store.submissions.claim_next()
    assert claimed is not None
    assert claimed.team == author.team
    verdict = Verdict(
        state=SubmissionState.PLAYING,
        version=version_of(store, author.login, text),
        active=active,
    )
    assert store.submissions.decide(claimed.id, verdict, attempt=claimed.attempts)
    return store.submissions.get(claimed.id)


def test_a_submission_is_kept_as_it_came(fresh_db: HostStore) -> None:
    ann = add_author(fresh_db, "ann")
    made = submit(fresh_db, ann, 5, b"\0\xff")
    assert fresh_db.submissions.get(made.id) == made
    assert fresh_db.submissions.archive(made.id) == b"\0\xff"
    assert (made.team_name, made.person, made.received_ms, made.size) == ("ann", ann.id, 5, 2)
    assert made.state is SubmissionState.RECEIVED
    assert made.settings == {"class": "Bot"}
    with pytest.raises(UnknownRowError, match="no submission 99"):
        fresh_db.submissions.get(99)
    with pytest.raises(UnknownRowError, match="no team 99"):
        fresh_db.submissions.receive(99, None, "bot.py", b"x", {}, 0)


def test_a_receipt_is_synced_to_the_disk(fresh_db: HostStore) -> None:
    def level(is_durable: bool) -> str:
        name = "PRAGMA synchronous" if fresh_db.is_file else "SHOW synchronous_commit"
        with fresh_db.writing(is_durable=is_durable) as connection:
            return str(connection.exec_driver_sql(name).scalar())

    assert level(True) == ("2" if fresh_db.is_file else "on")
    assert level(False) == ("1" if fresh_db.is_file else "on")


def test_receiving_and_deciding_are_durable(
    fresh_db: HostStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = add_author(fresh_db, "ann")
    asked: list[bool] = []
    writing = HostStore.writing

    def noted(self: HostStore, *, is_durable: bool = False) -> object:
        asked.append(is_durable)
        return writing(self, is_durable=is_durable)

    monkeypatch.setattr(HostStore, "writing", noted)
    made = submit(fresh_db, ann)
    fresh_db.submissions.claim_next()
    fresh_db.submissions.decide(made.id, Verdict(state=SubmissionState.REFUSED, message="no"))
    assert asked == [True, False, True]


def test_lists_are_newest_first_and_of_one_team_or_state(fresh_db: HostStore) -> None:
    ann, bob = (add_author(fresh_db, name) for name in ("ann", "bob"))
    made = [submit(fresh_db, each) for each in (ann, bob, ann)]
    numbers = [each.id for each in made]
    assert [each.id for each in fresh_db.submissions.page()] == numbers[::-1]
    assert [each.id for each in fresh_db.submissions.page(ann.team)] == [numbers[2], numbers[0]]
    assert [each.id for each in fresh_db.submissions.page(limit=1, offset=1)] == [numbers[1]]
    assert fresh_db.submissions.page(states=[SubmissionState.REFUSED]) == []
    assert fresh_db.submissions.waiting() == {SubmissionState.RECEIVED: 3}


def test_a_team_may_submit_so_often_in_24_hours(fresh_db: HostStore) -> None:
    ann, bob = (add_author(fresh_db, name) for name in ("ann", "bob"))

    def again(author: Person, at_ms: int) -> Submission:
        assert author.team is not None
        return fresh_db.submissions.receive(
            author.team, author.id, "bot.py", b"x", {}, at_ms, a_day=2
        )

    again(ann, 0)
    again(ann, 1000)
    with pytest.raises(RefusedUploadError, match=r"2 submissions in 24 hours.*1970-01-02 00:00"):
        again(ann, DAY_MS - 1)
    again(bob, DAY_MS - 1)
    again(ann, DAY_MS)
    with pytest.raises(RefusedUploadError) as caught:
        again(ann, DAY_MS + 1)
    assert caught.value.reason is UploadRefusal.TOO_MANY
    assert ann.team is not None
    assert fresh_db.submissions.count_since(ann.team, 1) == 2


def test_uploads_at_once_do_not_exceed_the_limit(target: str) -> None:
    with open_host_store(target, create=True) as store:
        ann = add_author(store, "ann")
        assert ann.team is not None
        team = ann.team

        def again(number: int) -> bool:
            try:
                store.submissions.receive(team, ann.id, "bot.py", b"x", {}, number, a_day=3)
            except RefusedUploadError:
                return False
            return True

        with ThreadPoolExecutor(8) as threads:
            assert sum(threads.map(again, range(8))) == 3


@pytest.mark.slow
def test_a_hundred_uploads_of_one_team_do_not_make_others_wait(fresh_db: HostStore) -> None:
    ann, bob, eve = (add_author(fresh_db, name) for name in ("ann", "bob", "eve"))
    many = [submit(fresh_db, ann, number) for number in range(100)]
    submit(fresh_db, bob, 200)
    order = []
    for at_ms in range(1, 7):
        claimed = fresh_db.submissions.claim_next(at_ms=at_ms)
        if claimed is None:
            break
        order.append(claimed.team_name)
        fresh_db.submissions.decide(
            claimed.id, Verdict(state=SubmissionState.REFUSED, message="no")
        )
        if len(order) in (1, 3):
            submit(fresh_db, ann, 300)
        if len(order) == 2:
            submit(fresh_db, eve, 400)
    # After her first, Ann waits until everybody else had one too.
    assert order == ["ann", "bob", "eve", "ann"]
    assert fresh_db.submissions.get(many[-1].id).state is SubmissionState.REFUSED
    older = fresh_db.submissions.get(many[0].id)
    assert older.state is SubmissionState.REPLACED
    assert "newer upload" in older.message
    assert fresh_db.submissions.archive(older.id) is None


def test_a_team_has_one_submission_with_a_checker_at_a_time(fresh_db: HostStore) -> None:
    ann = add_author(fresh_db, "ann")
    first = submit(fresh_db, ann)
    claimed = fresh_db.submissions.claim_next("a")
    submit(fresh_db, ann)
    assert fresh_db.submissions.claim_next("b") is None
    assert claimed is not None
    assert fresh_db.submissions.claims() == [("a", first.id, 1)]
    fresh_db.submissions.decide(first.id, Verdict(state=SubmissionState.REFUSED, message="no"))
    assert fresh_db.submissions.claim_next("b") is not None


def test_checkers_at_once_get_different_submissions(target: str) -> None:
    with open_host_store(target, create=True) as store:
        authors = [add_author(store, f"team{number}") for number in range(12)]
        for each in authors:
            submit(store, each)
            submit(store, each)
        with ThreadPoolExecutor(6) as threads:
            found = list(
                threads.map(lambda number: store.submissions.claim_next(str(number)), range(16))
            )
        teams = [each.team for each in found if each is not None]
        assert sorted(teams) == [each.team for each in authors]


def test_what_a_dead_checker_had_is_tried_again_and_then_refused(fresh_db: HostStore) -> None:
    ann = add_author(fresh_db, "ann")
    made = submit(fresh_db, ann)
    for attempt in (1, 2):
        claimed = fresh_db.submissions.claim_next("a", at_ms=1000)
        assert claimed is not None
        assert claimed.attempts == attempt
        assert fresh_db.submissions.requeue(["b"], most=2, message="twice") == 0
        assert fresh_db.submissions.requeue(before_ms=1000, most=2, message="twice") == 0
        fresh_db.submissions.renew(["a"], at_ms=2000)
        assert fresh_db.submissions.requeue(before_ms=1500, most=2, message="twice") == 0
        assert fresh_db.submissions.requeue(before_ms=2001, most=2, message="twice") == 1
        assert fresh_db.submissions.requeue(["a"], most=2, message="twice") == 0
    found = fresh_db.submissions.get(made.id)
    assert (found.state, found.message) == (SubmissionState.REFUSED, "twice")
    # The author is told once, by mail.
    notice = fresh_db.notices.next_unmailed()
    assert notice is not None
    assert (notice.team, notice.text.partition("\n\n")[2]) == (made.team, "twice")
    fresh_db.notices.mark_mailed(notice.id)
    assert fresh_db.notices.next_unmailed(notice.id) is None


def test_a_checker_that_lost_its_claim_decides_nothing(fresh_db: HostStore) -> None:
    ann = add_author(fresh_db, "ann")
    made = submit(fresh_db, ann)
    lost = fresh_db.submissions.claim_next("a")
    fresh_db.submissions.requeue(["a"], most=2, message="")
    assert lost is not None
    assert not fresh_db.submissions.advance(lost, SubmissionState.CHECKING)
    again = fresh_db.submissions.claim_next("b")
    assert again is not None
    assert not fresh_db.submissions.advance(lost, SubmissionState.CHECKING)
    assert not fresh_db.submissions.decide(
        made.id, Verdict(state=SubmissionState.REFUSED, message="late"), attempt=lost.attempts
    )
    assert not fresh_db.submissions.release(lost)
    assert fresh_db.submissions.advance(again, SubmissionState.CHECKING)
    assert fresh_db.submissions.release(again)
    assert fresh_db.submissions.get(made.id).attempts == 1


def test_what_a_checker_could_not_give_back_waits_again(fresh_db: HostStore) -> None:
    made = submit(fresh_db, add_author(fresh_db, "ann"))
    for worker in ("a", "a", "b"):
        claimed = fresh_db.submissions.claim_next(worker)
        assert (claimed is None) == (worker == "b")
    assert fresh_db.submissions.claims() == [("a", made.id, 1)]


def test_an_accepted_submission_plays_and_replaces_older_versions(fresh_db: HostStore) -> None:
    ann = add_author(fresh_db, "ann")
    first, second, third = (accept(fresh_db, ann, text) for text in "abc")
    states = [fresh_db.submissions.get(each.id).state for each in (first, second, third)]
    playing = SubmissionState.PLAYING
    assert states == [SubmissionState.REPLACED, playing, playing]
    assert [each.label for each in (first, second, third)] == ["ann@1", "ann@2", "ann@3"]
    assert ann.team is not None
    assert fresh_db.submissions.bot_name_of(ann.team) == "ann"
    assert fresh_db.submissions.archive(third.id) is None


def test_an_unchanged_version_counts_once(fresh_db: HostStore) -> None:
    ann = add_author(fresh_db, "ann")
    first, second, again = (accept(fresh_db, ann, text) for text in "abb")
    states = [fresh_db.submissions.get(each.id).state for each in (first, second, again)]
    playing = SubmissionState.PLAYING
    assert states == [playing, SubmissionState.REPLACED, playing]


def test_a_new_version_lifts_a_suspension_and_nothing_else(fresh_db: HostStore) -> None:
    ann = add_author(fresh_db, "ann")
    for standing, then in (
        (TeamStanding.SUSPENDED, TeamStanding.ACTIVE),
        (TeamStanding.DISQUALIFIED, TeamStanding.DISQUALIFIED),
    ):
        with fresh_db.writing() as connection:
            connection.execute(update(TEAM).values(standing=standing))
        accept(fresh_db, ann, standing)
        with fresh_db.reading() as connection:
            assert connection.execute(select(TEAM.c.standing)).scalar_one() == then


def test_a_new_version_ends_the_notice_of_the_suspension(fresh_db: HostStore) -> None:
    ann, bob = add_author(fresh_db, "ann"), add_author(fresh_db, "bob")
    assert ann.team is not None
    assert bob.team is not None
    for team in (ann.team, bob.team):
        fresh_db.people.update_team(team, standing=TeamStanding.SUSPENDED)
        fresh_db.notices.add(NoticeKind.SUSPENSION, "suspended", team)
    accept(fresh_db, ann, "good")
    shown = fresh_db.notices.page([ann.team, bob.team], at=now() + 1)
    assert [each.team for each in shown if each.kind is NoticeKind.SUSPENSION] == [bob.team]


def test_of_refused_uploads_the_newest_is_kept(fresh_db: HostStore) -> None:
    ann = add_author(fresh_db, "ann")
    made = []
    for _ in range(3):
        made.append(submit(fresh_db, ann))
        fresh_db.submissions.claim_next()
        fresh_db.submissions.decide(
            made[-1].id, Verdict(state=SubmissionState.REFUSED, message="no")
        )
    assert [fresh_db.submissions.archive(each.id) for each in made] == [None, None, b"x"]
