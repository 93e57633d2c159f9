"""Bots and their versions."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from games.support.errors import nearest, suggestion
from league.model.clock import now
from league.model.errors import NameInUseError, UnknownRowError
from league.model.names import normal_name
from league.model.records import IMPORTED, BotVersion
from league.store.bot_rows import read_bots
from league.store.database import Queries
from league.store.files_codec import pack_files, unpack_files
from league.store.rows import BotRef, BotRow, BotSpec
from league.store.tables import BOT, LLM_CALL, VERSION

VERSION_SIGN = "@"
"""It stands between a bot's name, which can't hold it, and the number of a version."""

NEWEST = "newest"
"""What stands for the number of a bot's newest version: `main@newest`."""

_VERSION = re.compile(rf"(.+)(?:{VERSION_SIGN}| v)([0-9]{{1,9}})|(.+){VERSION_SIGN}{NEWEST}")


class BotReader(Queries):
    """The bots and their versions: names, and what they are."""

    def all(self, include_retired: bool = False) -> tuple[BotRow, ...]:
        """List the bots by name."""
        with self._db.reading() as connection:
            return read_bots(connection.exec_driver_sql, include_retired)

    def page(
        self, limit: int, offset: int = 0, *, include_retired: bool = False
    ) -> tuple[BotRow, ...]:
        """List a page of the bots by name."""
        with self._db.reading() as connection:
            return read_bots(connection.exec_driver_sql, include_retired, limit, offset)

    def get(self, name: str) -> BotRow:
        """Return the bot with that name, even if retired; raise `UnknownRowError`.

        `name@2`, and `name v2` as tables write it, is the bot with that version alone, and
        `name@newest` with its newest one.
        """
        with self._db.reading() as connection:
            found = {
                bot.name: bot for bot in read_bots(connection.exec_driver_sql, include_retired=True)
            }
        if name not in found:
            name = normal_name(name)
        if name in found:
            return found[name]
        base, number = _split(name)
        if base not in found:
            meant = base or name
            text = f"no bot {name!r}{suggestion(meant, found)}"
            raise UnknownRowError(text, "bot", name, nearest(meant, found))
        bot = found[base]
        if number is None:
            return replace(bot, versions=bot.versions[-1:])
        only = tuple(version for version in bot.versions if version.number == number)
        if not only:
            known = f"{base!r} has versions 1 to {bot.versions[-1].number}"
            raise UnknownRowError(f"no bot {name!r}: {known}", "bot", name, base)
        return replace(bot, versions=only)

    def entrant_names(self, version_ids: Sequence[int], at: int | None = None) -> tuple[str, ...]:
        """Return the names that name these versions; `name@2` for one that is not the newest.

        With `at`, a time in seconds, a version is the newest that was so then, unless another
        version of its bot is among them.
        """
        labels = self.labels(version_ids)
        with self._db.reading() as connection:
            found = {
                bot.name: bot for bot in read_bots(connection.exec_driver_sql, include_retired=True)
            }
        bots = [labels[each].bot for each in version_ids]
        names = []
        for name, each in zip(bots, version_ids, strict=True):
            number = labels[each].number
            newer = [other for other in found[name].versions if other.number > number]
            if at is not None and bots.count(name) == 1:
                newer = [other for other in newer if other.created_at < at]
            names.append(f"{name}{VERSION_SIGN}{number}" if newer else name)
        return tuple(names)

    def version(self, version_id: int) -> BotVersion:
        """Return one version with its files; raise `UnknownRowError`."""
        found = self.versions([version_id])
        if version_id not in found:
            raise UnknownRowError(f"no bot version {version_id}", "version", version_id)
        return found[version_id]

    def versions(self, version_ids: Sequence[int]) -> dict[int, BotVersion]:
        """Return versions with their files, by id."""
        query = (
            select(VERSION, BOT.c.name)
            .join(BOT, BOT.c.id == VERSION.c.bot_id)
            .where(VERSION.c.id.in_(version_ids))
        )
        with self._db.reading() as connection:
            return {row.id: _version(row, row.name) for row in connection.execute(query)}

    def labels(self, version_ids: Iterable[int]) -> dict[int, BotRef]:
        """Return the names that tables show for these versions."""
        query = (
            select(VERSION.c.id, VERSION.c.number, BOT.c.name)
            .join(BOT, BOT.c.id == VERSION.c.bot_id)
            .where(VERSION.c.id.in_(list(version_ids)))
        )
        with self._db.reading() as connection:
            return {
                row.id: BotRef(row.id, row.name, row.number) for row in connection.execute(query)
            }

    def specs(self, version_ids: Iterable[int]) -> dict[int, BotSpec]:
        """Return what versions are, without reading their files."""
        query = select(
            *(VERSION.c.id, VERSION.c.spec, VERSION.c.options, VERSION.c.title, VERSION.c.author)
        )
        with self._db.reading() as connection:
            found = connection.execute(query.where(VERSION.c.id.in_(set(version_ids))))
            return {
                row.id: BotSpec(row.spec, json.loads(row.options), row.title, row.author)
                for row in found
            }


class BotTable(BotReader):
    """Storage of bots and versions."""

    def register(self, version: BotVersion, games: Sequence[str] = ()) -> BotVersion:
        """Add a bot, or a new version if it differs from the newest; return the version in use.

        `games` are added to the bot's games; none at all means any. Raises `NameInUseError` if the
        name is a retired bot's or differs from another only by case.
        """
        return self.register_all([version], games)[0]

    def register_all(
        self, versions: Iterable[BotVersion], games: Sequence[str] = ()
    ) -> list[BotVersion]:
        """Register each version as `register` does, all or none."""
        with self._db.writing() as connection:
            return [self._registered(connection, version, games) for version in versions]

    def _registered(
        self, connection: Connection, version: BotVersion, games: Sequence[str]
    ) -> BotVersion:
        bot = connection.execute(
            select(BOT).where(BOT.c.name_folded == version.name.casefold())
        ).one_or_none()
        if bot is None:
            bot_id, newest = self._add_bot(connection, version.name, games), None
        else:
            _check_usable(bot.name, bool(bot.is_retired), version.name)
            bot_id, newest = bot.id, _newest(connection, bot.id)
            merged = _merged(json.loads(bot.games), games)
            connection.execute(
                update(BOT).where(BOT.c.id == bot_id).values(games=json.dumps(merged))
            )
        if newest is not None and newest.is_same_as(version):
            return newest
        return _add_version(connection, bot_id, version, newest.number + 1 if newest else 1)

    def retire(self, name: str) -> None:
        """Exclude a bot from future tournaments; raise `UnknownRowError`."""
        self._set_retired(name, 1)

    def restore(self, name: str) -> None:
        """Bring back a retired bot; raise `UnknownRowError`."""
        self._set_retired(name, 0)

    def rename(self, old: str, new: str) -> None:
        """Give a bot another name; raise `UnknownRowError`, or `NameInUseError` if it is taken."""
        bot = self.get(old)
        folded = new.casefold()
        with self._db.writing() as connection:
            query = select(BOT.c.name).where(BOT.c.name_folded == folded, BOT.c.id != bot.id)
            if taken := connection.execute(query).scalar():
                raise NameInUseError(f"name {new!r} is in use by bot {taken!r}", new)
            connection.execute(
                update(BOT).where(BOT.c.id == bot.id).values(name=new, name_folded=folded)
            )

    def delete(self, bot: BotRow) -> None:
        """Delete a bot that no tournament has as an entrant."""
        with self._db.writing() as connection:
            connection.execute(delete(VERSION).where(VERSION.c.bot_id == bot.id))
            connection.execute(delete(BOT).where(BOT.c.id == bot.id))

    def delete_version(self, version: int) -> None:
        """Delete a version that no tournament has as an entrant; its bot too if it has no other."""
        with self._db.writing() as connection:
            query = select(VERSION.c.bot_id).where(VERSION.c.id == version)
            bot = connection.execute(query).scalar_one()
            connection.execute(delete(VERSION).where(VERSION.c.id == version))
            if _newest(connection, bot) is None:
                connection.execute(delete(BOT).where(BOT.c.id == bot))

    def forget(self, bot: BotRow, name: str) -> None:
        """Keep only the results of a bot, under another name."""
        nothing = dict.fromkeys(("digest", "folder", "title", "author"), "")
        nothing |= {"spec": IMPORTED, "options": "{}"}
        shown = {"name": name, "name_folded": name.casefold(), "games": "[]", "is_retired": 1}
        with self._db.writing() as connection:
            connection.execute(
                update(VERSION)
                .where(VERSION.c.bot_id == bot.id)
                .values(files=pack_files({}), **nothing)
            )
            connection.execute(update(BOT).where(BOT.c.id == bot.id).values(**shown))
            own = select(VERSION.c.id).where(VERSION.c.bot_id == bot.id)
            theirs = update(LLM_CALL).where(LLM_CALL.c.version_id.in_(own))
            connection.execute(theirs.values(prompt="", answer=""))

    def _add_bot(self, connection: Connection, name: str, games: Sequence[str]) -> int:
        added = insert(BOT).values(
            name=name,
            name_folded=name.casefold(),
            is_retired=0,
            games=json.dumps(list(games)),
            created_at=now(),
        )
        bot_id: int = connection.execute(added.returning(BOT.c.id)).scalar_one()
        return bot_id

    def _set_retired(self, name: str, is_retired: int) -> None:
        bot = self.get(name)
        if bot.name != name:
            text = f"{name!r} is a version: only {bot.name!r} with all its versions can be retired"
            raise UnknownRowError(text, "bot", name)
        with self._db.writing() as connection:
            connection.execute(update(BOT).where(BOT.c.id == bot.id).values(is_retired=is_retired))


def is_named(name: str) -> ColumnElement[bool]:
    """Return the condition that a bot's version is the one of a name: `name`, or `name@2`."""
    base, number = _split(name)
    is_version = VERSION.c.number == number
    if number is None:
        others = VERSION.alias()
        newest = select(func.max(others.c.number)).where(others.c.bot_id == BOT.c.id)
        is_version = VERSION.c.number == newest.scalar_subquery()
    return (BOT.c.name == name) | ((BOT.c.name == base) & is_version)


def _split(name: str) -> tuple[str, int | None]:
    """Return the bot and the number of `name@2` or `name v2`, None of `name@newest`.

    '' and 0 for a name alone.
    """
    found = _VERSION.fullmatch(name)
    if found is None:
        return "", 0
    return (found[1], int(found[2])) if found[2] else (found[3], None)


def _check_usable(taken: str, is_retired: bool, name: str) -> None:
    if taken != name:
        raise NameInUseError(
            f"name {name!r} differs from {taken!r} only by case: choose another", name
        )
    if is_retired:
        raise NameInUseError(
            f"bot {name!r} is retired: choose another name, or 'league retire --undo {name}'", name
        )


def _merged(games: list[str], more: Sequence[str]) -> list[str]:
    """Add to a bot's games; a bot that plays any game continues to, unless `more` names some."""
    return [*games, *(game for game in more if game not in games)]


def _newest(connection: Connection, bot_id: int) -> BotVersion | None:
    query = (
        select(VERSION, BOT.c.name)
        .join(BOT, BOT.c.id == VERSION.c.bot_id)
        .where(VERSION.c.bot_id == bot_id)
        .order_by(VERSION.c.number.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _version(row, row.name)


def _add_version(
    connection: Connection, bot_id: int, version: BotVersion, number: int
) -> BotVersion:
    added = insert(VERSION).values(
        bot_id=bot_id,
        number=number,
        spec=version.spec,
        options=json.dumps(dict(version.options)),
        files=pack_files(version.files),
        digest=version.digest,
        folder=version.folder,
        created_at=now(),
        title=version.title,
        author=version.author,
    )
    version_id = connection.execute(added.returning(VERSION.c.id)).scalar_one()
    return replace(version, number=number, id=version_id)


def _version(row: Any, name: str) -> BotVersion:
    return BotVersion(
        name=name,
        spec=row.spec,
        options=json.loads(row.options),
        files=unpack_files(row.files),
        digest=row.digest,
        number=row.number,
        id=row.id,
        folder=row.folder,
        title=row.title,
        author=row.author,
    )
