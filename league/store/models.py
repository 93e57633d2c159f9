"""The tables. `migrations` makes them; a test holds the two against each other."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# SQLite numbers rows by itself only in a column of exactly the type INTEGER.
BigId = BigInteger().with_variant(Integer, "sqlite")


class Model(DeclarativeBase):
    """The base of all tables, with names for every constraint: a migration must name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Setting(Model):
    """One setting of the league."""

    __tablename__ = "setting"

    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class Bot(Model):
    """A registered entrant; `name_folded` keeps names apart that differ by more than case."""

    __tablename__ = "bot"

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    name_folded: Mapped[str] = mapped_column(String(80), unique=True)
    is_retired: Mapped[int] = mapped_column(Integer, default=0)
    games: Mapped[str] = mapped_column(Text)
    """Game specs as a JSON list; empty where the bot plays any."""
    created_at: Mapped[int] = mapped_column(BigInteger)


class Version(Model):
    """One immutable snapshot of a bot; `files` is compressed JSON, path to text in order."""

    __tablename__ = "version"
    __table_args__ = (UniqueConstraint("bot_id", "number"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bot.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column(Integer)
    spec: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text)
    files: Mapped[bytes] = mapped_column(LargeBinary)
    digest: Mapped[str] = mapped_column(String(64))
    folder: Mapped[str] = mapped_column(Text, server_default="")
    created_at: Mapped[int] = mapped_column(BigInteger)


class Tournament(Model):
    """What a tournament was asked to be; what was played of it is in `match`."""

    __tablename__ = "tournament"
    __table_args__ = (Index(None, "game"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    game: Mapped[str] = mapped_column(Text)
    config: Mapped[str] = mapped_column(Text)
    total: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[int] = mapped_column(BigInteger)
    stop_reason: Mapped[str | None] = mapped_column(Text)


class Lineup(Model):
    """Who sat where, once for all matches of a tournament with the same seating ("3,7")."""

    __tablename__ = "lineup"
    __table_args__ = (UniqueConstraint("tournament_id", "versions"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id", ondelete="CASCADE"))
    versions: Mapped[str] = mapped_column(Text)


class LineupSeat(Model):
    """One seat of a lineup, to find a bot's matches by."""

    __tablename__ = "lineup_seat"
    __table_args__ = (Index(None, "version_id"),)

    lineup_id: Mapped[int] = mapped_column(
        ForeignKey("lineup.id", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"))


class Match(Model):
    """One finished match. The unique key is what makes it count once."""

    __tablename__ = "match"
    __table_args__ = (
        UniqueConstraint("tournament_id", "encounter", "rotation"),
        # Holds all that pair totals ask for, so that they never read the table.
        Index("ix_match_totals", "lineup_id", "scores", "termination", "fault_seat"),
        CheckConstraint("plies >= 0", name="plies"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id", ondelete="CASCADE"))
    encounter: Mapped[int] = mapped_column(BigInteger)
    rotation: Mapped[int] = mapped_column(Integer)
    lineup_id: Mapped[int] = mapped_column(ForeignKey("lineup.id", ondelete="CASCADE"))
    scores: Mapped[str] = mapped_column(Text)
    termination: Mapped[str] = mapped_column(String(20))
    fault_seat: Mapped[int | None] = mapped_column(Integer)
    plies: Mapped[int] = mapped_column(Integer)
    wall_ms: Mapped[int] = mapped_column(BigInteger)
    finished_at: Mapped[int] = mapped_column(BigInteger)


class Record(Model):
    """The whole of a match, compressed: see `league.store.codec`."""

    __tablename__ = "record"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("match.id", ondelete="CASCADE"), primary_key=True
    )
    data: Mapped[bytes] = mapped_column(LargeBinary)
