"""Verify every stored match against the rules and its tournament's schedule."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.support.errors import InputError
from games.support.game import CHANCE, State, Tablebase
from games.support.moves import draw_move, words_of
from games.support.references import place_in_game
from games.support.specs import find_game
from league.execution.worker import MatchJob
from league.match.adjudication import Adjudicated, Adjudicator, open_tables
from league.match.clocks import Clocks
from league.match.play import chance_of
from league.match.replay import Frame, frames_of
from league.match.scores import scores_after_fault, scores_of
from league.model.document import Id, document
from league.model.errors import DatabaseError, LeagueError
from league.model.records import Limits, MatchRecord, Termination, TournamentConfig, in_ticks
from league.store.rows import MatchRow, TournamentRow
from league.store.store import Store
from league.tournament.planner import Planner, rules_changed


@document("VerifyFault", "match finding=text")
@dataclass(frozen=True, slots=True)
class VerifyFinding:
    """A fault of a match, or of the whole league."""

    match: Id | None
    text: str


def verify(
    store: Store,
    tournament: int | None = None,
    on_match: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[int, list[VerifyFinding]]:
    """Check every match, or a tournament's; return the number of matches and the violations.

    `on_match` gets the number done and the total.
    """
    try:
        rows = (
            [store.tournaments.get(tournament)]
            if tournament is not None
            else store.tournaments.all()
        )
    except DatabaseError as error:
        return 0, [VerifyFinding(None, str(error))]
    total = sum(row.played for row in rows)
    done = skipped = 0
    findings: list[VerifyFinding] = []
    for row in rows:
        try:
            planner = None if row.config.is_imported else Planner(store, row.id)
            changed = rules_changed(row.config)
            if planner is not None:
                findings += _against_results(row, planner)
        except InputError as error:
            # The others can still be checked.
            findings.append(VerifyFinding(None, f"tournament {row.id}: {error}"))
            done, skipped = done + row.played, skipped + row.played
            on_match(done, total)
            continue
        if wrong := store.totals.wrong(row.id):
            text = f"{wrong} totals are not those of its matches: 'league ratings recompute'"
            findings.append(VerifyFinding(None, f"tournament {row.id}: {text}"))
        try:
            tables = open_tables(find_game(row.config.game), row.config.adjudication)
        except InputError as error:
            # Without them, endings that they decided are not checked.
            tables = None
            findings.append(VerifyFinding(None, f"tournament {row.id}: {error}"))
        in_matches: list[VerifyFinding] = []
        repeats = _Repeats(store, row.id)
        matches = store.matches.numbers(row.id)
        for match, found in zip(matches, store.matches.records(matches), strict=True):
            texts = _check(found, planner, tables, repeats)
            in_matches += [VerifyFinding(match, text) for text in texts]
            done += 1
            on_match(done, total)
        if changed and in_matches:
            # Without such matches the rules are the same: only the text of their file changed.
            findings.append(VerifyFinding(None, f"tournament {row.id}: {changed}"))
        findings += in_matches
    return done - skipped, findings


def _against_results(row: TournamentRow, planner: Planner) -> list[VerifyFinding]:
    """Compare the planned encounters with those that the format makes from the results."""
    schedule = planner.schedule
    kept, made = set(schedule.encounters), set(schedule.remade())
    if schedule.format.lag is None:
        # Stages are remade without those who have withdrawn since.
        gone = {who for who, _ in row.config.withdrawn}
        kept = {each for each in kept if gone.isdisjoint(each.entrants)}
    texts = [f"{each} is planned, but does not follow from the results" for each in kept - made]
    if row.is_finished:
        if lost := len(made - kept):
            texts.append(f"{lost} encounters that follow from the results are not planned")
        more = schedule.plan(1)
        if more:
            texts.append(f"it is finished, but {len(more)} encounters more follow from the results")
        elif not row.total == row.played == schedule.planned:
            texts.append(
                f"{row.total} matches in its row, {schedule.planned} planned, {row.played} played"
            )
    return [VerifyFinding(None, f"tournament {row.id}: {text}") for text in texts]


class _Repeats:
    """Checks that matches said to repeat others of their tournament do, in order of number."""

    def __init__(self, store: Store, tournament: int) -> None:
        self._repeats = store.matches.repeats(tournament)
        self._lines: set[tuple[object, ...]] = set()

    def check(self, stored: MatchRow, record: MatchRecord) -> list[str]:
        if not self._repeats:
            return []
        moves = tuple(each.move for each in record.moves)
        line = record.versions, record.game, record.opening, moves
        if stored.key in self._repeats and line not in self._lines:
            return ["it repeats no match of its tournament, but its row says so"]
        self._lines.add(line)
        return []


def _check(
    found: tuple[MatchRow, MatchRecord] | LeagueError,
    planner: Planner | None,
    tables: Tablebase | None,
    repeats: _Repeats,
) -> list[str]:
    """Check a match; an imported one, without a planner, only against the rules."""
    if isinstance(found, LeagueError):
        return [str(found)]
    stored, record = found
    texts = [*_against_row(stored, record), *repeats.check(stored, record)]
    try:
        if planner is None:
            frames = list(frames_of(record))
            texts += [*_against_line(record, frames), *_against_file(record, frames[-1].state)]
        else:
            texts += _against_tournament(stored, record, planner, tables)
    except InputError as error:
        texts.append(f"its moves can't be played: {error}")
    except Exception as error:
        where = place_in_game(error)
        if where is None:
            raise
        texts.append(f"the game fails: {where}")
    return texts


def _against_tournament(
    stored: MatchRow, record: MatchRecord, planner: Planner, tables: Tablebase | None
) -> Iterator[str]:
    job = planner.job(stored.key) if planner.has(stored.key) else None
    yield from _against_schedule(stored, record, job)
    frames = list(frames_of(record))
    yield from _against_line(record, frames)
    if job is not None and job.game == record.game:
        config = planner.config.time_scaled(stored.time_factor)
        own = config.limits.by_seat(
            len(job.versions), config.handicaps_of([version.id for version in job.versions])
        )
        yield from _against_clocks(record, frames, own)
    yield from _against_rules(record, frames, planner.config, tables)


def _against_line(record: MatchRecord, frames: list[Frame]) -> list[str]:
    """Compare the moves that people read with those of the record."""
    texts = [frame.before.text(frame.played) for frame in frames if frame.before is not None]
    line = words_of(texts)
    return [] if record.notation == line else ["its line of moves is not that of its record"]


def _against_file(record: MatchRecord, last: State) -> list[str]:
    """Check a match from a file, without schedule, seed or clock; trust an early end."""
    outcome, placing = last.outcome(), last.placing()
    texts = []
    is_ruled = record.termination is Termination.RULES
    if is_ruled != (outcome is not None) or record.utilities != outcome:
        texts.append(f"ended by {record.termination}, which its last position does not bear out")
    if placing is not None and record.scores != scores_of(placing, last.game.sides):
        texts.append(f"scores {record.scores!r}, which its last position does not bear out")
    return texts


def _against_schedule(stored: MatchRow, record: MatchRecord, job: MatchJob | None) -> list[str]:
    if job is None:
        return [f"encounter {stored.key} is not in the tournament's schedule"]
    scheduled = tuple(version.id for version in job.versions)
    pairs = {
        "seats": (record.versions, scheduled),
        "seed": (record.seed, job.seed),
        "opening": (record.opening, job.opening),
        "game": (record.game, job.game),
    }
    return _differing(pairs, "{} {!r}, but the schedule says {!r}")


def _against_row(stored: MatchRow, record: MatchRecord) -> list[str]:
    pairs = {
        "scores": (stored.scores, record.scores),
        "termination": (stored.termination, record.termination),
        "utilities": (stored.utilities, record.utilities),
        "moves made for bots": (stored.stand_ins, record.stand_ins),
        "fault": (stored.fault_seat, record.fault_seat),
        "plies": (stored.plies, len(record.opening) + len(record.moves)),
        "seats": (tuple(each.version for each in stored.versions), record.versions),
    }
    return _differing(pairs, "{} {!r} in its row, {!r} in its record")


def _differing(pairs: Mapping[str, tuple[object, object]], text: str) -> list[str]:
    return [text.format(name, *pair) for name, pair in pairs.items() if pair[0] != pair[1]]


def _against_clocks(
    record: MatchRecord, frames: list[Frame], limits: Sequence[Limits]
) -> list[str]:
    """Recompute the clocks of the match from the times of its moves."""
    clocks = Clocks(limits)
    # Without a time control, every move has the same time.
    fixed_s = [
        clocks.budget(seat).allowed_s if each.control is None else None
        for seat, each in enumerate(limits)
    ]
    texts = []
    for frame in frames:
        if frame.record is None or frame.seat is None or frame.is_luck:
            continue
        allowed_s, wall_ns = fixed_s[frame.seat], frame.record.wall_ns
        if allowed_s is None:
            allowed_s = clocks.budget(frame.seat).allowed_s
        # A move that the game played for a bot may have been waited for in vain.
        if frame.record.fault is None and not 0 <= wall_ns <= allowed_s * 1e9:
            took = f"the move of ply {frame.ply} took {wall_ns / 1e9:.3f} s"
            texts.append(f"{took}, {allowed_s:.6g} s were allowed")
        clocks.spend(frame.seat, wall_ns)
    seat, wall = record.fault_seat, record.fault_wall_ns
    if record.termination is Termination.TIME_FORFEIT and seat is not None and wall is not None:
        allowed_s = clocks.budget(seat).allowed_s
        if wall < in_ticks(int(allowed_s * 1e9)):
            texts.append(f"lost on time after {wall / 1e9:.3f} s, {allowed_s:.6g} s were allowed")
    return texts


def _against_luck(record: MatchRecord, frames: list[Frame]) -> list[str]:
    """Redraw luck's moves, which follow from the match's seed."""
    if not find_game(record.game).has_chance:
        return []
    luck = chance_of(record.seed)
    texts = []
    for before, after in pairwise(frames[len(record.opening) :]):
        if before.state.to_move == CHANCE:
            drawn = before.state.text(draw_move(before.state, luck))
            if drawn != after.move:
                texts.append(f"luck drew {after.move} at ply {after.ply}, its seed gives {drawn}")
    return texts


def _against_reports(
    record: MatchRecord, frames: list[Frame], judge: Adjudicator
) -> tuple[Adjudicated | None, list[str]]:
    """Replay the reports; return the adjudication at the match's end, and the violations."""
    last = frames[-1]
    for frame in frames[len(record.opening) + 1 :] if judge.hears else ():
        if frame.record is None or frame.seat is None or frame.is_luck:
            continue
        verdict = judge.hear(frame.seat, frame.record.report, frame.ply, frame.state)
        if verdict is None or (frame is last and last.state.outcome() is not None):
            continue
        if frame is last and record.termination is Termination.ADJUDICATED:
            return verdict, []
        return None, [f"was settled at ply {frame.ply} and not ended there: {verdict.detail}"]
    return None, []


def _against_rules(
    record: MatchRecord, frames: list[Frame], config: TournamentConfig, tables: Tablebase | None
) -> list[str]:
    last = frames[-1]
    sides = find_game(record.game).sides
    outcome, placing = last.state.outcome(), last.state.placing()
    judge = Adjudicator(config.adjudication, last.state.game, tables)
    verdict, texts = _against_reports(record, frames, judge)
    seat = record.fault_seat
    expected = record.scores
    if seat is not None:
        kind = record.termination
        is_ended = kind.is_fault or kind is Termination.RESIGNATION
        is_ended &= outcome is None and record.utilities is None
        # Before the first move any bot may fail to start; later only the one to move may fail.
        is_ended &= seat == last.state.to_move or (not record.moves and 0 <= seat < len(sides))
        if is_ended:
            # Before the first move more than one side may fail.
            lost = [place for place, score in enumerate(record.scores) if not score]
            failed = [seat] if record.moves else [seat, *lost]
            is_asked = record.fault_wall_ns is not None
            expected = scores_after_fault(last.state, failed, kind, is_asked)
    elif record.termination is Termination.MOVE_LIMIT:
        expected = scores_of((0.0,) * len(sides), sides)
        most = config.limits.max_plies or last.state.game.max_plies
        is_ended = outcome is None and last.ply >= most
    elif record.termination is Termination.ADJUDICATED:
        verdict = verdict or judge.look_up(last.state)
        is_known = tables is not None or not config.adjudication.tablebases
        is_ended = outcome is None and record.utilities is None and len(record.moves) > 0
        is_ended &= verdict is not None or not is_known
        if verdict is not None:
            expected = verdict.scores
    else:
        is_ended = outcome is not None and record.utilities == tuple(outcome)
        if placing is not None:
            expected = scores_of(placing, sides)
    texts += _against_luck(record, frames)
    if not is_ended:
        is_told = record.termination is Termination.ADJUDICATED
        witness = "what its bots told" if is_told else "its last position"
        texts.append(f"ended by {record.termination}, which {witness} does not bear out")
    if record.scores != expected:
        texts.append(f"scores {record.scores!r}, but its end gives {expected!r}")
    return texts
