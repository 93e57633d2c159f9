"""A replay as a seat saw it."""

from pathlib import Path

import pytest

from league.analysis.replay import Replay
from league.api.league import League
from league.match.replay import UNSEEN
from league.model.errors import SetupError
from league.store.store import open_store
from tests.league.command import league
from tests.league.web.asking import ask


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a league: matches 1 and 2 of Kuhn poker, then phantom tic-tac-toe, then Othello."""
    folder = tmp_path_factory.mktemp("cup")
    for name in ("ann", "bob"):
        league(folder, "register", name, "random", "--no-check")
    for game in ("kuhn", "phantom_tictactoe", "othello"):
        league(folder, "run", "--game", game, "--bots", "ann,bob", "--rounds", "1", "--seed", "3")
    return folder


def replay(folder: Path, match: int) -> Replay:
    """Return a match."""
    with League(str(folder / "league.db"), read_only=True) as found:
        return found.match(match).replay(show=False).value


def test_a_seat_sees_its_own_card_and_the_bets(cup: Path) -> None:
    whole = replay(cup, 1)
    seen = whole.seen_by("Second")
    own, other = whole.frames[2].move, whole.frames[1].move
    assert [frame.move for frame in seen.frames[1:3]] == [UNSEEN, f"you have {own}"]
    assert seen.frames[3].move == f"First: {whole.frames[3].move}"
    assert seen.frames[4].move == whole.frames[4].move
    told = "".join(frame.state.render() for frame in seen.frames[:4])
    assert f"have {other}" not in told


def test_what_is_hidden_on_a_board_stays_hidden(cup: Path) -> None:
    whole = replay(cup, 3)
    for seat, name in enumerate(whole.seat_names):
        seen = whole.seen_by(name)
        assert len(seen.frames) == len(whole.frames)
        for before, frame in zip(seen.frames, seen.frames[1:], strict=False):
            if frame.seat == seat:
                assert frame.move == whole.frames[frame.ply].move
            elif frame is not seen.frames[-1]:
                assert frame.move == UNSEEN
                assert frame.state.render() == before.state.render()
                assert frame.wire == ""
                assert frame.record is not None
                assert (frame.record.move, frame.record.report) == ("", None)
        assert not seen.record.log
        assert not seen.record.notation


def test_a_seat_has_three_names(cup: Path) -> None:
    whole = replay(cup, 1)
    for seat in ("1", "second", whole.names[1].upper()):
        assert whole.seen_by(seat).viewer == 1


def test_a_seat_that_is_not_there_is_named(cup: Path) -> None:
    with pytest.raises(SetupError, match=r"no seat 'carl' in match 1.*; there are: 0, 1, First"):
        replay(cup, 1).seen_by("carl")
    with pytest.raises(SetupError, match="in Othello everybody sees everything"):
        replay(cup, 5).seen_by("0")


def test_the_command_shows_it(cup: Path) -> None:
    said = league(cup, "replay", "1", "--plain", "--seen-by", "Second")
    assert UNSEEN in said
    assert "you have" in said
    assert "no seat 'carl'" in league(cup, "replay", "1", "--seen-by", "carl", code=1)


def test_the_page_of_a_match_shows_it(cup: Path) -> None:
    with open_store(str(cup / "league.db"), read_only=True) as store:
        whole, seen, other = (
            ask(store, f"/matches/1{query}")[1] for query in ("", "?seat=1", "?seat=9")
        )
        plain = ask(store, "/matches/5?seat=0")[1]
    assert 'href="?seat=1"' in whole
    assert "luck: …" in seen
    assert "luck: …" not in whole
    assert "luck: …" not in other
    assert "The whole truth" not in plain
