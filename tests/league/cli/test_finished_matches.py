"""The lines about finished matches in redirected output."""

import pytest

from league.cli import progress_bar
from league.cli.progress_bar import PlainLines
from league.model.records import MatchRecord, MoveRecord, Termination
from league.store.record_codec.packed_match import PackedMatch
from league.tournament.progress import ENDED_MAX, Progress


class Plan:
    """A plan of twelve matches."""

    planned = 12

    @property
    def schedule(self) -> "Plan":
        """Itself."""
        return self


def match(
    scores: tuple[float, ...] = (1.0, 0.0),
    termination: Termination = Termination.RULES,
    fault_seat: int | None = None,
    detail: str = "",
) -> PackedMatch:
    """Return a match of tic-tac-toe in which X has the left column."""
    moves = tuple(MoveRecord(move=each, wall_ns=0, cpu_ns=0, over_ns=0) for each in (0, 1, 3, 4, 6))
    return PackedMatch.of(
        MatchRecord(
            game="tictactoe",
            versions=(1, 2),
            seed=1,
            opening=(),
            moves=moves,
            scores=scores,
            termination=termination,
            utilities=None,
            fault_seat=fault_seat,
            detail=detail,
        )
    )


def written(
    capsys: pytest.CaptureFixture[str], *matches: PackedMatch, played_before: int = 3
) -> list[str]:
    """Return the lines about matches that have ended."""
    progress = Progress(Plan(), played_before)  # type: ignore[arg-type]  # all that is asked of it
    lines = PlainLines({1: "toga", 2: "gnu\x1b[31m"})
    for each in matches:
        progress.add(each)
    lines.show(progress)
    return capsys.readouterr().err.splitlines()


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_bar, "LINE_EVERY_S", 0.0)


def test_each_finished_match_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    first, *others = written(
        capsys,
        match(),
        match((0.5, 0.5), Termination.ADJUDICATED, detail="both said 0: a draw"),
        match((0.0, 1.0), Termination.TIME_FORFEIT, 0, "took 3 s"),
    )
    assert first.startswith("4/12 toga – gnu")
    assert "\x1b" not in first
    assert first.endswith(" 1-0, three in a row, 5 plies")
    assert others[0].startswith("5/12 ")
    assert others[0].endswith(" 1/2-1/2, adjudicated: both said 0: a draw, 5 plies")
    assert others[1].endswith(" 0-1, time forfeit of toga: took 3 s, 5 plies")


def test_so_many_matches_that_nobody_reads_their_lines_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (line,) = written(capsys, *[match()] * (ENDED_MAX + 1), played_before=0)
    assert line.startswith(f"{ENDED_MAX + 1}/12 matches")


def test_matches_that_end_after_the_last_line_have_theirs_at_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = Progress(Plan(), 0)  # type: ignore[arg-type]  # all that is asked of it
    lines = PlainLines({1: "toga", 2: "gnu"})
    progress.add(match())
    lines.show(progress)
    monkeypatch.setattr(progress_bar, "LINE_EVERY_S", 3600.0)
    progress.add(match())
    lines.show(progress)
    assert len(capsys.readouterr().err.splitlines()) == 1
    lines.finish()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress_bar, "LINE_EVERY_S", 0.0)
    lines.finish()
    lines.finish()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("2/12 toga – gnu")


def test_nothing_is_repeated_while_no_match_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert written(capsys) == []
