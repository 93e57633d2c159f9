"""Errors that a user of the league can fix.

```
games.support.errors.InputError
└── LeagueError
    ├── NameInUseError       the name of a bot is taken or not allowed
    ├── UnknownRowError      no bot, tournament or match has that name or number
    ├── SpecError            a bot's spec can't be loaded; says where and why
    ├── CheckError           a bot loads but does not play properly
    ├── DatabaseError        the database is missing, damaged or of another revision
    │   └── UnavailableError     it is locked or unreachable, or its disk is full: it may work later
    ├── ConfigError          a config file is unreadable or has unknown settings
    ├── SetupError           a tournament can't be run with these settings
    ├── SettingError         a tournament's setting has a value that does not fit
    └── StoppedError         a tournament had to stop; the matches played so far are stored
```
"""

from games.support.errors import InputError


class LeagueError(InputError):
    """Base of the league's errors: printed as one or two lines without a traceback; exit code 1."""


class NameInUseError(LeagueError):
    """The name of a bot is taken or not allowed."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self.name = name


class UnknownRowError(LeagueError):
    """No row of that `kind` (bot, tournament, match) has the name or number `wanted`.

    `near` is the known name that may be meant.
    """

    def __init__(self, text: str, kind: str, wanted: object, near: str | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.wanted = wanted
        self.near = near


class SpecError(LeagueError):
    """A bot's spec can't be loaded; the text says where in the spec and why."""

    def __init__(self, text: str, spec: str) -> None:
        super().__init__(text)
        self.spec = spec


class CheckError(LeagueError):
    """A bot loads but hangs, fails or plays illegal moves; `in_match` if a match has begun."""

    def __init__(self, text: str, spec: str, *, in_match: bool = False) -> None:
        super().__init__(text)
        self.spec = spec
        self.in_match = in_match


class DatabaseError(LeagueError):
    """The database at `url` can't be used as it is."""

    def __init__(self, text: str, url: str) -> None:
        super().__init__(text)
        self.url = url


class UnavailableError(DatabaseError):
    """The database is locked or unreachable, or its disk is full: it may work later.

    `reason` is the text without the advice.
    """

    def __init__(self, reason: str, url: str, advice: str = "try again") -> None:
        super().__init__(f"{reason}: {advice}", url)
        self.reason = reason


class ConfigError(LeagueError):
    """The config file at `path` can't be read or has unknown settings."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text)
        self.path = path


class SetupError(LeagueError):
    """A tournament can't be run with these settings."""


class SettingError(LeagueError):
    """A tournament's `setting`, by its word, is unknown, missing or has a value that does not fit.

    `reason` is the text without the setting.
    """

    def __init__(self, reason: str, setting: str) -> None:
        super().__init__(f"{setting}: {reason}")
        self.reason = reason
        self.setting = setting


class StoppedError(LeagueError):
    """A tournament had to stop; `tournament` is its number.

    `reason` is the text without advice, '' if a resume would not help. `options` are words that
    `league resume` needs to go on, after a space.
    """

    def __init__(self, text: str, tournament: int, reason: str = "", options: str = "") -> None:
        super().__init__(text)
        self.tournament = tournament
        self.reason = reason
        self.options = options
