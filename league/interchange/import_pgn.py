"""Taking matches that were played elsewhere into a league, from PGN files."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Annotated

from games.chess.pgn import match_from_pgn
from games.chess.rules import Chess
from games.support.errors import GameError, InputError, PositionError, UnknownNameError, brief
from games.support.game import Game, State
from games.support.moves import WireMove, encode_move, line_of
from games.support.specs import find_game
from league.interchange.pgn.conflicts import Conflicts
from league.interchange.pgn.files import GameBlock, PgnFile
from league.interchange.pgn.results import RESULTS, UNFINISHED
from league.interchange.pgn.sections import Section, decoded, sections
from league.match.scores import scores_of
from league.model.document import Count, about, document
from league.model.errors import NameInUseError, SetupError
from league.model.names import name_fault
from league.model.records import (
    IMPORT,
    IMPORTED,
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
    Termination,
    TournamentConfig,
)
from league.store.rows import BotRow, TournamentRow
from league.store.store import Store

BATCH = 200
GAME_MAX = 1 << 20
"""A longer game, in bytes of moves and comments, is left out: reading it would take seconds."""

REASONS_MAX = 5
"""Maximum number of skipped games to list one by one."""

_OWN_MOVES = re.compile(r"\{moves: ([^}]*)\}")
_FAULTS = {
    "time forfeit": (Termination.TIME_FORFEIT, "lost on time"),
    "rules infraction": (Termination.ILLEGAL_MOVE, "broke the rules"),
    "illegal move": (Termination.ILLEGAL_MOVE, "broke the rules"),
}
"""Values of the tag Termination about the loser, in lower case."""


@document(
    "ImportedFile",
    "file tournament is_known added matches=read left_out reasons conflicts new known",
)
@dataclass(slots=True)
class Imported:
    """The outcome of the import of a file."""

    file: str
    tournament: int
    _: KW_ONLY
    is_known: Annotated[bool, about("whether the whole file had been imported before")] = False
    added: Annotated[Count, about("new matches")] = 0
    read: Annotated[Count, about("that count")] = 0
    left_out: Annotated[Counter[str], about("games that were skipped, by reason")] = field(
        default_factory=Counter
    )
    reasons: Annotated[list[str], about("the reason for the first of those")] = field(
        default_factory=list
    )
    conflicts: Annotated[list[str], about("games whose tag and moves have different results")] = (
        field(default_factory=list)
    )
    new: Annotated[list[str], about("bots that were created")] = field(default_factory=list)
    known: Annotated[list[str], about("versions that the league can play")] = field(
        default_factory=list
    )


class _LeftOut(Exception):
    """A game that does not count, with the kind of reason."""

    def __init__(self, kind: str, text: str = "") -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """One game of a file; `place` counts from 0, `position` is that of its tags in the block."""

    place: int
    block: GameBlock
    position: int
    tags: Mapping[str, str]
    text: str


def import_file(
    store: Store,
    path: str,
    game: str,
    names: Mapping[str, str],
    on_game: Callable[[int], None] = lambda done: None,
    *,
    is_strict: bool = False,
) -> Imported:
    """Take the matches of a PGN file into the league, as one tournament of format `import`.

    `names` says which bot a name of the file is; other names are bots of that name. Those that the
    league does not know become bots of which only results are known. An import that was
    interrupted goes on, and a complete one changes nothing. `on_game` hears how many games are
    done. Raises `InputError` of every kind before anything is written, and if it `is_strict` for a
    game whose tag and moves have different results.
    """
    rules = find_game(game)
    if rules.seats != 2:
        raise SetupError(f"PGN has two seats, {rules.spec} {rules.seats}: it can't be imported")
    if isinstance(rules, Chess) and rules.needs:
        raise GameError(f"game {rules.name!r} needs {rules.needs}", rules.spec)
    conflicts = Conflicts(path, is_strict)
    source, found = _looked_through(path, conflicts)
    for name in names:
        if name not in found:
            raise UnknownNameError(f"name in {path!r}", name, found)
    bots = {name: names.get(name, name) for name in found}
    known = {bot.name: bot for bot in store.bots.all(include_retired=True)}
    _check_names(known, bots, names.values())
    row = _row(store, rules, source)
    if row.is_finished:
        return Imported(path, row.id, is_known=True)
    with store.tournaments.runner_lock(row.id):
        # Another process may have imported it before this one got the lock.
        row = store.tournaments.get(row.id)
        told = Imported(path, row.id, is_known=row.is_finished, conflicts=conflicts.notes)
        if not row.is_finished:
            _Import(store, row, rules, (bots, known), told).run(path, on_game)
    return told


def _looked_through(path: str, conflicts: Conflicts) -> tuple[str, list[str]]:
    """Return the digest of a file's text, and the names in it; raise where it is no PGN."""
    whole, names = hashlib.sha256(), dict[str, None]()
    file = PgnFile(path)
    for block in file.blocks():
        whole.update(block.text)
        all_sections = list(sections(block.text))
        conflicts.look(block, all_sections)
        for section in all_sections:
            if _is_named(section):
                names.update(dict.fromkeys(_names(section)))
    if file.fault:
        raise SetupError(f"{path}: {file.fault}")
    if not names:
        raise SetupError(f"{path!r}: expected games in PGN with names, found none")
    return whole.hexdigest(), list(names)


def _is_named(section: Section) -> bool:
    if any(name not in section.tags for name in (b"White", b"Black")):
        return False
    white, black = _names(section)
    return bool(white and black) and white != black and "?" not in (white, black)


def _names(section: Section) -> tuple[str, str]:
    return _name(section.tags[b"White"]), _name(section.tags[b"Black"])


def _name(value: bytes) -> str:
    """Return a name with single spaces."""
    return " ".join(decoded(value).split())


def _check_names(known: Collection[str], bots: Mapping[str, str], chosen: Collection[str]) -> None:
    """Raise `NameInUseError` for a bad name that was `chosen`, or one that differs only by case.

    Games under other bad names are left out, unless the league has a bot of that name.
    """
    taken = {name.casefold(): name for name in known}
    for name, bot in bots.items():
        if bot not in known and (fault := name_fault(bot)):
            if bot in chosen:
                raise NameInUseError(fault, bot)
            continue
        other = taken.setdefault(bot.casefold(), bot)
        if other != bot:
            raise NameInUseError(
                f"name {bot!r} differs from {other!r} only by case: say which bot it is, "
                f"--as {brief(name)}=NAME",
                bot,
            )


def _row(store: Store, rules: Game, source: str) -> TournamentRow:
    """Return the tournament of a file, a new one where it was never imported."""
    for row in store.tournaments.all():
        if row.config.source == source and row.config.game == rules.spec:
            return row
    config = TournamentConfig(
        game=rules.spec,
        entrants=(),
        rounds=1,
        seed=0,
        opening_plies=0,
        limits=Limits(),
        format=IMPORT,
        game_digest=rules.digest,
        source=source,
    )
    return store.tournaments.get(store.tournaments.add(config, None))


class _Import:
    """One file on its way into the store."""

    def __init__(
        self,
        store: Store,
        row: TournamentRow,
        rules: Game,
        bots: tuple[Mapping[str, str], Mapping[str, BotRow]],
        told: Imported,
    ) -> None:
        self._store = store
        self._row = row
        self._rules = rules
        self._bots, self._known = bots
        self._told = told
        self._versions: dict[str, int] = {}

    def run(self, path: str, on_game: Callable[[int], None]) -> None:
        """Store all matches that count, in batches, and close the tournament."""
        batch: list[tuple[MatchKey, MatchRecord, tuple[str, str]]] = []
        for game in _games(path):
            try:
                record, bots = self._record(game)
            except _LeftOut as reason:
                self._leave_out(game, reason, path)
            else:
                batch.append((MatchKey(game.place, 0), record, bots))
            if len(batch) == BATCH:
                self._save(batch)
                batch = []
            on_game(game.place + 1)
        if batch:
            self._save(batch)
        self._close()

    def _save(self, batch: list[tuple[MatchKey, MatchRecord, tuple[str, str]]]) -> None:
        # Only now, and all at once: a bot is added for matches that count.
        self._find_versions([bot for _, _, bots in batch for bot in bots])
        matches = [
            (key, replace(record, versions=tuple(self._versions[bot] for bot in bots)))
            for key, record, bots in batch
        ]
        self._told.added += self._store.matches.save(self._row.id, matches)
        self._told.read += len(batch)

    def _close(self) -> None:
        config = replace(self._row.config, entrants=tuple(sorted(self._versions.values())))
        # Nobody else changes it: this process holds its lock, and commands refuse imports.
        self._store.tournaments.revise(self._row, config, self._told.read, None)
        self._store.tournaments.finish(self._row.id, self._row.revision + 1, self._told.read)

    def _leave_out(self, game: _Played, reason: _LeftOut, path: str) -> None:
        self._told.left_out[reason.kind] += 1
        if str(reason) and len(self._told.reasons) < REASONS_MAX:
            self._told.reasons.append(f"{path} line {game.block.line(game.position)}: {reason}")

    def _record(self, game: _Played) -> tuple[MatchRecord, tuple[str, str]]:
        """Return a match without its versions, and the bots in its seats."""
        tags = game.tags
        for name in ("White", "Black", "Result"):
            if name not in tags:
                raise _LeftOut("unreadable", f"unreadable tag {name}")
        names = tags["White"], tags["Black"]
        if not all(name in self._bots for name in names) or names[0] == names[1]:
            raise _LeftOut("without two names")
        bots = self._bots[names[0]], self._bots[names[1]]
        if bots[0] == bots[1]:
            raise _LeftOut("against itself")
        for name, bot in zip(names, bots, strict=True):
            if bot not in self._known and (fault := name_fault(bot)):
                raise _LeftOut("badly named", f"{fault}; rename it with --as {brief(name)}=NAME")
        score = RESULTS.get(tags["Result"].encode())
        if score is None:
            is_open = tags["Result"] == UNFINISHED.decode()
            kind = "unfinished" if is_open else "unknown result"
            raise _LeftOut(kind, "" if is_open else f"unknown result {brief(tags['Result'])}")
        if len(game.text) > GAME_MAX:
            text = f"a game of {len(game.text):,} characters, at most {GAME_MAX:,} are read"
            raise _LeftOut("too long", text)
        try:
            moves, last = _moves(game, self._rules)
            return _ended(moves, last, (score, 1 - score), tags), bots
        except InputError as error:
            raise _LeftOut("illegal", str(error)) from None

    def _find_versions(self, bots: Sequence[str]) -> None:
        """Find the version of each bot, and add those that the league does not know."""
        missing = []
        for bot in dict.fromkeys(bots):
            if bot not in self._versions:
                found = self._found(bot)
                if found is None:
                    missing.append(BotVersion(bot, IMPORTED))
                else:
                    self._versions[bot] = found
        for version in (
            self._store.bots.register_all(missing, [self._rules.spec]) if missing else ()
        ):
            self._versions[version.name] = version.id

    def _found(self, bot: str) -> int | None:
        """Return the newest version of a bot that the league knows by more than results."""
        row = self._known.get(bot)
        if row is None:
            self._told.new.append(bot)
            return None
        newest = row.versions[-1]
        if newest.spec != IMPORTED:
            self._told.known.append(f"{bot} v{newest.number}")
            return newest.id
        return newest.id if row.is_retired else None


def _games(path: str) -> Iterator[_Played]:
    place = 0
    for block in PgnFile(path).blocks():
        found = list(sections(block.text))
        ends = [section.position for section in found[1:]] + [len(block.text)]
        for section, end in zip(found, ends, strict=True):
            tags = {decoded(name): decoded(value) for name, value in section.tags.items()}
            for seat in (b"White", b"Black"):
                if seat in section.tags:
                    tags[seat.decode()] = _name(section.tags[seat])
            text = decoded(block.text[section.position : end])
            yield _Played(
                place=place, block=block, position=section.position + 1, tags=tags, text=text
            )
            place += 1


def _moves(game: _Played, rules: Game) -> tuple[tuple[WireMove, ...], State]:
    """Return the moves and the last position; no moves where they are unknown.

    Games other than chess have their moves as this league's own export writes them, or none.
    """
    if isinstance(rules, Chess):
        return match_from_pgn(game.text, rules)
    spec = game.tags.get("Game", rules.spec)
    # By its name it is the game that was asked for: nothing else is ever loaded.
    if spec.partition("?")[0] != rules.spec.partition("?")[0]:
        raise PositionError(f"expected {rules.spec}, got {brief(spec)}")
    written = _OWN_MOVES.search(game.text)
    state, moves = find_game(spec).initial(), list[WireMove]()
    for text in written[1].split() if written else ():
        if state.outcome() is not None:
            raise PositionError(f"ply {len(moves) + 1}: the match is over")
        move = state.parse(text)
        moves.append(encode_move(state, move))
        state = state.play(move)
    return tuple(moves), state


def _ended(
    moves: tuple[WireMove, ...], last: State, scores: tuple[float, ...], tags: Mapping[str, str]
) -> MatchRecord:
    """Return the record of a match; raise `PositionError` where its result is not the board's.

    The league asked nobody for the moves, so they all are its opening.
    """
    outcome, placing = last.outcome(), last.placing()
    record = MatchRecord(
        game=last.game.spec,
        versions=(),
        seed=0,
        opening=moves,
        moves=(),
        scores=scores,
        termination=Termination.RULES,
        notation=line_of(last.game.initial(), moves),
    )
    if outcome is not None and placing is not None:
        if scores != scores_of(placing, last.game.sides):
            raise PositionError(f"result {tags['Result']}, which contradicts the final position")
        return replace(record, utilities=tuple(outcome))
    told = tags.get("Termination", "")
    kind = _FAULTS.get(told.lower())
    if kind is not None and scores != (0.5, 0.5):
        return replace(record, termination=kind[0], fault_seat=scores.index(0.0), detail=kind[1])
    detail = f"as its file says ({brief(told)})" if told else "as its file says"
    return replace(record, termination=Termination.ADJUDICATED, detail=detail)
