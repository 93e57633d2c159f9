"""The tables of a hosted league: people, teams, submissions and the season.

Every token is stored as the SHA-256 of its text, in hex. Times are UTC in seconds since 1970;
those whose name ends in `_ms` are in milliseconds.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
)

from league.store.tables import METADATA, child_of, filled, row_id

TOKEN = 64
"""The length of a SHA-256 in hex."""

TEAM = Table(
    "team",
    METADATA,
    row_id(),
    filled("name", String(80)),
    filled("name_folded", String(80), unique=True),
    Column("bot_id", ForeignKey("bot.id", ondelete="SET NULL"), unique=True),
    Column("chosen_version_id", ForeignKey("version.id", ondelete="SET NULL")),
    filled("standing", String(12), server_default="active"),
    filled("standing_reason", Text, server_default=""),
    filled("failed_version", BigInteger, server_default="0"),
    filled("faults_after", BigInteger, server_default="0"),
    filled("created_at", BigInteger),
)
"""Teams. A team has one bot, which bears its name; `name` is all that visitors see of its people.

`standing` is a `TeamStanding` of the model. `chosen_version_id` is the version that plays in the
final, NULL for the newest. `failed_version` is the newest version at its last suspension for
faults, and `faults_after` the newest match then: those faults have been dealt with.
"""

PERSON = Table(
    "person",
    METADATA,
    row_id(),
    filled("login", String(80)),
    filled("login_folded", String(80), unique=True),
    filled("name", String(200), server_default=""),
    filled("email", String(254), server_default=""),
    filled("role", String(12)),
    Column("team_id", ForeignKey("team.id", ondelete="SET NULL")),
    filled("password", Text, server_default=""),
    filled("subject", Text, server_default=""),
    filled("is_active", Integer, server_default="1"),
    filled("created_at", BigInteger),
    Column("seen_at", BigInteger),
    Column("deletion_asked_at", BigInteger),
    Index(None, "team_id"),
    Index(None, "subject"),
)
"""People who may sign in. `password` is an argon2 hash, '' for none yet.

`subject` names the person at an OpenID Connect provider ("https://issuer sub"), '' for none.
"""

SIGN_IN = Table(
    "sign_in",
    METADATA,
    Column("token", String(TOKEN), primary_key=True),
    child_of("person"),
    filled("created_at", BigInteger),
    filled("used_at", BigInteger),
    filled("expires_at", BigInteger),
    Index(None, "person_id"),
)
"""The browsers in which people are signed in."""

PERSONAL_TOKEN = Table(
    "personal_token",
    METADATA,
    row_id(),
    child_of("person"),
    filled("label", String(80)),
    filled("token", String(TOKEN), unique=True),
    filled("created_at", BigInteger),
    Column("used_at", BigInteger),
    Column("expires_at", BigInteger),
    Column("revoked_at", BigInteger),
    Index(None, "person_id"),
)
"""Tokens for scripts and `league push`."""

INVITATION = Table(
    "invitation",
    METADATA,
    Column("token", String(TOKEN), primary_key=True),
    child_of("person"),
    filled("created_at", BigInteger),
    filled("expires_at", BigInteger),
    Column("used_at", BigInteger),
    Index(None, "person_id"),
)
"""One-time links with which people set a password."""

SIGN_IN_FAILURE = Table(
    "sign_in_failure",
    METADATA,
    Column("subject", String(TOKEN), primary_key=True),
    filled("failures", Integer),
    filled("failed_at", BigInteger),
)
"""Failed sign-ins in a row, by the SHA-256 of a login or an address."""

AUDIT = Table(
    "audit",
    METADATA,
    row_id(),
    filled("at_ms", BigInteger),
    Column("person_id", ForeignKey("person.id", ondelete="SET NULL")),
    filled("actor", String(80)),
    filled("action", String(40)),
    filled("subject", Text, server_default=""),
    filled("detail", Text, server_default=""),
    filled("address", String(45), server_default=""),
)
"""Actions of people. `actor` is the login at that time, or "host" for the league itself."""

SUBMISSION = Table(
    "submission",
    METADATA,
    row_id(),
    child_of("team"),
    Column("person_id", ForeignKey("person.id", ondelete="SET NULL")),
    filled("received_ms", BigInteger),
    filled("file_name", String(200)),
    filled("settings", Text, server_default="{}"),
    filled("size", BigInteger),
    filled("digest", String(64)),
    Column("archive", LargeBinary),
    filled("state", String(12)),
    filled("message", Text, server_default=""),
    filled("log", Text, server_default=""),
    filled("attempts", Integer, server_default="0"),
    filled("claimed_by", String(40), server_default=""),
    Column("claimed_ms", BigInteger),
    Column("beat_ms", BigInteger),
    Column("version_id", ForeignKey("version.id", ondelete="SET NULL")),
    Column("decided_ms", BigInteger),
    Index(None, "team_id", "received_ms"),
    Index(None, "state"),
)
"""Submissions. `archive` is the upload as received, NULL once its version is stored.

`state` is a `SubmissionState` of the model; `settings` is a JSON object with the options of the
bot and how it is started; `digest` is the SHA-256 of the upload in hex. `log` is all that the
check found. `claimed_by` is the checker that has it, '' for none, `claimed_ms` is when a checker
last took it, and `beat_ms` is that checker's latest sign of life. `attempts` counts how often it
was taken, and tells one claim from the next.
"""

CHALLENGE = Table(
    "challenge",
    METADATA,
    row_id(),
    child_of("team"),
    Column("rival_id", ForeignKey("bot.id", ondelete="CASCADE"), nullable=False),
    filled("asked_ms", BigInteger),
    filled("seed", BigInteger),
    filled("state", String(12)),
    filled("message", Text, server_default=""),
    filled("attempts", Integer, server_default="0"),
    filled("played", Integer, server_default="0"),
    filled("claimed_by", String(40), server_default=""),
    Column("claimed_ms", BigInteger),
    Column("version_id", ForeignKey("version.id", ondelete="CASCADE")),
    Column("rival_version_id", ForeignKey("version.id", ondelete="CASCADE")),
    Column("move_s", Float),
    Column("decided_ms", BigInteger),
    Index(None, "team_id", "asked_ms"),
    Index(None, "state"),
)
"""Challenges: unrated matches that a team asked for against the bot `rival_id`.

`state` is a `ChallengeState` of the model. The versions and `move_s` are those of its first match,
NULL before that. `claimed_by` is the checker that plays its next match, '' for none, and
`claimed_ms` when one last took it. `attempts` counts how often the next match was taken.
"""

CHALLENGE_MATCH = Table(
    "challenge_match",
    METADATA,
    child_of("challenge", primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    filled("data", LargeBinary),
    filled("moves", Text),
    filled("finished_at", BigInteger),
)
"""The matches of challenges, from 1: `data` and `moves` as in the table `record`.

No match of the table `match` is here, so that nothing of a challenge counts anywhere. The record
has only what the team that asked for it may see.
"""

SEASON = Table(
    "season",
    METADATA,
    row_id(),
    filled("settings", Text),
    filled("state", String(12)),
    filled("created_at", BigInteger),
    Column("frozen_at", BigInteger),
    Column("closed_at", BigInteger),
    Column("final_id", ForeignKey("tournament.id", ondelete="SET NULL")),
    Column("published_at", BigInteger),
    Column("standings", Text),
)
"""Seasons. `settings` is a JSON object (`SeasonSettings`), `state` is a `SeasonState`.

`standings` is NULL in the newest season. When the next one begins, it becomes a JSON object of the
teams that are not active: `{"7": ["withdrawn", "left"]}`.
"""

SEASON_LEG = Table(
    "season_leg",
    METADATA,
    child_of("season", primary_key=True),
    child_of("tournament", primary_key=True),
    filled("number", Integer),
)
"""The tournaments that a season consists of, in order; the last leg is in play.

`number` counts the legs from 1; a gauntlet, which a season's marks ask for, has 0.
"""

NOTICE = Table(
    "notice",
    METADATA,
    row_id(),
    Column("team_id", ForeignKey("team.id", ondelete="CASCADE")),
    filled("at", BigInteger),
    filled("kind", String(20)),
    filled("text", Text),
    Column("ends_at", BigInteger),
    Column("mailed_at", BigInteger),
    Index(None, "team_id"),
)
"""Messages to a team, or to everybody (`team_id` is NULL): announcements, suspensions, results."""

SERVICE = Table(
    "service",
    METADATA,
    Column("name", String(40), primary_key=True),
    filled("pid", Integer),
    filled("started_at", BigInteger),
    filled("beat_at", BigInteger),
    filled("starts", Integer, server_default="0"),
    filled("state", Text, server_default=""),
)
"""The processes of the host and their latest heartbeat; `state` is a JSON object of measures."""

TABLES = (
    TEAM,
    PERSON,
    SIGN_IN,
    PERSONAL_TOKEN,
    INVITATION,
    SIGN_IN_FAILURE,
    AUDIT,
    SUBMISSION,
    CHALLENGE,
    CHALLENGE_MATCH,
    SEASON,
    SEASON_LEG,
    NOTICE,
    SERVICE,
)
