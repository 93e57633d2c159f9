"""The page that replays a match, in a real browser."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.analysis.replay import Replay, load_replay
from league.model.records import Limits, ReportRecord
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.render import replay_page as replay_module
from league.render.match_charts import chance_chart, score_chart
from league.render.packed_boards import pack
from league.render.replay_page import board as board_of
from league.render.replay_page import replay_data, replay_page
from league.store.store import open_store
from league.tournament.create import create_tournament
from tests.browser import NARROW, WIDE, fits, resize
from tests.league.in_process import run_here

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=alert(1)>"
GAMES = ("connectfour", "tictactoe", "pacman?rounds=3", "breakthrough?columns=4&rows=5")


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Replay]:
    """Play a match of each game and return them replayed."""
    folder = tmp_path_factory.mktemp("league")
    found = {}
    with open_store(str(folder / "league.db"), create=True) as store:
        for name, spec in {"ab": "iterative:depth=3", "rnd": "random", "gr": "greedy"}.items():
            register(store, name, spec, options={}, is_checked=False)
        for game in GAMES:
            limits = Limits(depth=3, start_s=20)
            row = create_tournament(
                store,
                TournamentSpec(
                    game=game, bots=["ab", "rnd", "gr"], rounds=1, limits=limits, seed=5
                ),
            )
            run_here(store, row.id)
            replays = (load_replay(store, match) for match in store.matches.numbers(row.id))
            found[game] = next(replay for replay in replays if "ab" in replay.names)
    return found


def written(folder: Path, replay: Replay) -> Path:
    """Write a match's page and return its file."""
    file = folder / "match.html"
    file.write_text(replay_page(replay), encoding="utf-8")
    return file


def told(page: "Page") -> str:
    """Return the line below the board."""
    return str(page.evaluate("document.getElementById('told').textContent"))


def board(page: "Page") -> str:
    """Return the drawing that is shown."""
    return str(page.evaluate("document.getElementById('board').shadowRoot.innerHTML"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_every_ply_is_shown_and_fits(
    quiet: "Page",
    tmp_path: Path,
    replays: dict[str, Replay],
    game: str,
    size: tuple[int, int],
) -> None:
    replay = replays[game]
    file = written(tmp_path, replay)
    assert file.stat().st_size < 150_000
    resize(quiet, size)
    quiet.goto(file.as_uri() + "#0")
    seen = []
    for frame in replay.frames:
        assert told(quiet).startswith("Starting" if not frame.ply else f"{frame.ply}. ")
        seen.append(board(quiet))
        quiet.keyboard.press("ArrowRight")
    assert seen[0] != seen[-1]
    assert fits(quiet)
    drawn = board_of(replay.frames[-1])
    for element in ("<rect", "<circle", "<path", "<text"):
        assert seen[-1].count(element) == drawn.count(element)


def test_keys_buttons_the_slider_and_links_lead_to_a_ply(
    quiet: "Page", tmp_path: Path, replays: dict[str, Replay]
) -> None:
    replay = replays["connectfour"]
    last = len(replay.frames) - 1
    quiet.goto(written(tmp_path, replay).as_uri() + "#0")
    quiet.keyboard.press("End")
    assert told(quiet).startswith(f"{last}. ")
    quiet.keyboard.press("Home")
    assert told(quiet) == "Starting position"
    quiet.click("#next")
    assert told(quiet).startswith("1. ")
    assert quiet.evaluate("location.hash") == "#1"
    quiet.click("#moves [data-ply='3']")
    assert told(quiet).startswith("3. ")
    assert quiet.evaluate("document.querySelector('[aria-current=step]').dataset.ply") == "3"
    quiet.evaluate(
        "const slider = document.getElementById('slider'); slider.value = 5;"
        "slider.dispatchEvent(new Event('input'))"
    )
    assert told(quiet).startswith("5. ")
    quiet.evaluate("location.hash = '#2'; window.dispatchEvent(new HashChangeEvent('hashchange'))")
    assert told(quiet).startswith("2. ")
    swing = replay.biggest_swing()
    assert swing is not None
    quiet.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'b'}))")
    assert told(quiet).startswith(f"{swing}. ")
    quiet.keyboard.press(" ")
    assert quiet.evaluate("document.getElementById('play').ariaLabel") == "Pause (space)"
    quiet.keyboard.press(" ")
    assert quiet.evaluate("document.getElementById('play').ariaLabel") == "Play (space)"


def test_what_a_bot_expected_is_drawn_beside(
    quiet: "Page", tmp_path: Path, replays: dict[str, Replay]
) -> None:
    replay = replays["connectfour"]
    ply = next(frame.ply for frame in replay.frames if frame.expected is not None)
    quiet.goto(written(tmp_path, replay).as_uri() + "#0")
    for _ in range(ply):
        quiet.keyboard.press("ArrowRight")
    assert quiet.evaluate("document.getElementById('line').textContent") == " ".join(
        replay.frames[ply].line
    )
    small = quiet.evaluate("document.getElementById('expected').shadowRoot.innerHTML")
    assert small.count("<svg") == 1
    assert small != board(quiet)
    quiet.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'e'}))")
    assert quiet.evaluate("document.getElementById('expects').hidden")


def count(page: "Page", selector: str, host: str = "board") -> int:
    """Count what a selector finds in a drawing and can be seen."""
    found = f"document.getElementById('{host}').shadowRoot.querySelectorAll('{selector}')"
    seen = "(each) => getComputedStyle(each).display !== 'none'"
    return int(page.evaluate(f"[...{found}].filter({seen}).length"))


def test_the_last_move_and_those_expected_are_marked_on_the_board(
    quiet: "Page", tmp_path: Path, replays: dict[str, Replay]
) -> None:
    replay = replays["breakthrough?columns=4&rows=5"]
    frame = next(frame for frame in replay.frames if len(frame.line) > 2)
    quiet.goto(written(tmp_path, replay).as_uri() + "#0")
    assert count(quiet, ".last") == count(quiet, ".foreseen") == 0
    for _ in range(frame.ply):
        quiet.keyboard.press("ArrowRight")
    assert count(quiet, ".last rect") == 2
    assert count(quiet, ".foreseen") == min(6, len(frame.line) - 1)
    quiet.keyboard.press("e")
    assert count(quiet, ".foreseen") == 0
    quiet.keyboard.press("e")
    assert count(quiet, ".foreseen") > 0
    assert "piece" in quiet.evaluate("document.querySelector('.strip-has').textContent")


MOVED = """(key) => {
  // At once: what moves does so for a fifth of a second.
  document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  return document.getElementById("board").shadowRoot.getAnimations().map(
    (each) => each.effect.getKeyframes()[0].translate);
}"""


def test_a_piece_slides(quiet: "Page", tmp_path: Path, replays: dict[str, Replay]) -> None:
    replay = replays["breakthrough?columns=4&rows=5"]
    quiet.goto(written(tmp_path, replay).as_uri() + "#0")
    (x, y), (to_x, to_y) = replay.frames[1].marks
    assert quiet.evaluate(MOVED, "ArrowRight") == [f"{x - to_x}px {y - to_y}px"]
    assert quiet.evaluate(MOVED, "ArrowLeft") == [f"{to_x - x}px {to_y - y}px"]
    assert quiet.evaluate(MOVED, "End") == [], "a jump is no move"


def test_a_disc_drops(quiet: "Page", tmp_path: Path, replays: dict[str, Replay]) -> None:
    replay = replays["connectfour"]
    quiet.goto(written(tmp_path, replay).as_uri() + "#0")
    assert quiet.evaluate(MOVED, "ArrowRight") == [f"0px {-replay.frames[1].marks[0][1]}px"]


def test_who_asks_for_less_motion_gets_none(
    quiet: "Page", tmp_path: Path, replays: dict[str, Replay]
) -> None:
    quiet.emulate_media(reduced_motion="reduce")
    quiet.goto(written(tmp_path, replays["connectfour"]).as_uri() + "#0")
    assert quiet.evaluate(MOVED, "ArrowRight") == []


def test_a_board_turns_where_that_makes_sense(
    quiet: "Page", tmp_path: Path, replays: dict[str, Replay]
) -> None:
    def top() -> float:
        found = "document.getElementById('board').shadowRoot.querySelector('text')"
        return float(quiet.evaluate(f"{found}.getBoundingClientRect().top"))

    quiet.goto(written(tmp_path, replays["breakthrough?columns=4&rows=5"]).as_uri() + "#0")
    before = top()
    quiet.click("#turn")
    assert top() < before, "the names of the columns are above the board now"
    assert quiet.evaluate("document.getElementById('turn').ariaPressed") == "true"
    quiet.keyboard.press("f")
    assert top() == before
    quiet.goto("about:blank")
    quiet.goto(written(tmp_path, replays["connectfour"]).as_uri() + "#0")
    before = top()
    quiet.keyboard.press("f")
    assert top() == before
    assert quiet.evaluate("document.getElementById('turn')") is None


def test_moves_have_their_times_and_scroll_by_themselves(
    quiet: "Page", tmp_path: Path, replays: dict[str, Replay]
) -> None:
    played = replays["connectfour"]
    moves = tuple(replace(each, wall_ns=1_500_000) for each in played.record.moves)
    record = replace(played.record, moves=moves)
    replay = replace(played, record=record, read_bots=lambda: played.bots)
    resize(quiet, NARROW)
    quiet.goto(written(tmp_path, replay).as_uri() + "#0")
    quiet.keyboard.press("End")
    last = str(quiet.evaluate("document.querySelector('[aria-current=step]').textContent")).split()
    assert last[:2] == [f"{len(replay.frames) - 1}.", replay.frames[-1].move]
    assert last[-1] in ("µs", "ms", "s")
    assert quiet.evaluate("scrollY") == 0, "the page stays where it is"
    quiet.keyboard.press("?")
    assert quiet.evaluate("document.getElementById('help').checkVisibility()")
    quiet.keyboard.press("Escape")
    assert not quiet.evaluate("document.getElementById('help').checkVisibility()")


def with_reports(replay: Replay, *reports: ReportRecord | None) -> Replay:
    """Return a match cut after the moves with these reports."""
    moves = [
        replace(move, report=report)
        for move, report in zip(replay.record.moves, reports, strict=False)
    ]
    record = replace(replay.record, moves=tuple(moves))
    return replace(replay, record=record, read_bots=lambda: replay.bots)


def test_a_line_breaks_where_a_bot_gave_no_score(replays: dict[str, Replay]) -> None:
    told, none = ReportRecord(score=1.0), None
    replay = with_reports(replays["connectfour"], told, told, none, told, told, told, told)
    chart = chance_chart(replay)
    first = replay.frames[len(replay.record.opening) + 1].ply
    assert list(chart.x) == list(range(first, first + 7))
    assert [list(line.breaks) for line in chart.lines if line.breaks] == [[2]]
    assert chart.title.endswith("; a line breaks where its bot gave none")
    assert replay_page(replay).count('<polyline class="wears-') == 3


def test_scores_have_one_sign_and_a_bot_without_scores_is_told(
    replays: dict[str, Replay],
) -> None:
    told = ReportRecord(score=-109.0)
    replay = with_reports(replays["connectfour"], None, told, None, told, None, told)
    chart = score_chart(replay)
    (line,) = chart.lines
    assert list(line.values) == [-109.0] * 3
    assert set(line.told) == {"−109"}, "as the panel writes it"
    silent = next(name for name in replay.names if name != line.name)
    for each in (chart, chance_chart(replay)):
        assert each.title.endswith(f"; {silent} gives no score")


def test_a_certain_end_is_a_word_and_a_chance_says_of_what_it_is(
    replays: dict[str, Replay],
) -> None:
    replay = with_reports(
        replays["connectfour"],
        ReportRecord(score=100_000.0, text="won, pure"),
        ReportRecord(score=-100_000.0, text="lost"),
        ReportRecord(score=0.0, text="pure"),
        ReportRecord(score=0.0, text="lost, compiled"),
    )
    plies = replay_data(replay)["plies"][-4:]
    assert [each["facts"][0] for each in plies] == ["win", "loss", "0 (50% to win)", "loss"]
    told = [each["told"].partition(" · ")[2] for each in plies]
    assert told == ["won", "lost", "", "lost"]


@pytest.mark.slow
def test_a_game_for_points_has_scores_and_no_chances(replays: dict[str, Replay]) -> None:
    replay = replays["pacman?rounds=3"]
    assert replay.scores()
    assert not replay.chances
    assert not replay.blunders()
    assert "Score told by each bot for itself" in replay_page(replay)
    text = replay_page(replays["connectfour"])
    assert "Chance of Red to win" in text


def test_the_file_needs_nothing_else_and_has_the_style_of_no_other_page(
    replays: dict[str, Replay],
) -> None:
    text = replay_page(replays["connectfour"])
    assert "import {" not in text
    assert "export {" not in text
    assert "/* Page: replay */" in text
    assert text.count("/* Page: ") == 1
    assert "@media print" in text


def test_scripts_are_small() -> None:
    folder = Path(replay_module.__file__).parent / "static"
    assert max(len(file.read_bytes()) for file in folder.glob("*.js")) < 10_000


def test_names_and_texts_are_never_markup(
    quiet: "Page", tmp_path: Path, replays: dict[str, Replay], monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = replays["tictactoe"]
    monkeypatch.setattr(Replay, "names", (HOSTILE, "</script><b>x"))
    quiet.goto(written(tmp_path, replay).as_uri() + "#0")
    quiet.keyboard.press("End")
    assert HOSTILE in quiet.evaluate("document.querySelector('h1').textContent")
    assert quiet.evaluate("document.querySelectorAll('img, b').length") == 0


@given(st.lists(st.lists(st.sampled_from(["a", "b", "<c/>", ""]), min_size=1), max_size=5))
def test_packed_drawings_come_back(drawings: list[list[str]]) -> None:
    texts = ["\n".join(lines) for lines in drawings]
    lines, boards = pack(texts)
    found = ["\n".join(lines[place] for place in board) for board in boards]
    assert found == texts
    assert len(set(lines)) == len(lines)
