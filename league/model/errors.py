"""What a user of the league can mend.

```
games.support.errors.InputError
└── LeagueError
    ├── NameInUseError       a bot's name that is taken or not allowed
    ├── UnknownRowError      no bot, tournament or match of that name or number
    ├── SpecError            a bot's spec that can't be loaded, with where and why
    ├── CheckError           a bot that loads but does not play properly
    ├── DatabaseError        a database that is missing, of another revision, locked or damaged
    ├── ConfigError          a config file that can't be read, or says what nobody knows
    ├── SetupError           a tournament that can't be held as asked
    └── StoppedError         a tournament that had to stop; what was played is stored
```
"""

from games.support.errors import InputError


class LeagueError(InputError):
    """The base of the league's own errors: one or two lines, no traceback, exit 1."""


class NameInUseError(LeagueError):
    """A bot's name that is taken, or that is not allowed."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self.name = name


class UnknownRowError(LeagueError):
    """No row of that `kind` (bot, tournament, match) has that name or number."""

    def __init__(self, text: str, kind: str, wanted: object) -> None:
        super().__init__(text)
        self.kind = kind
        self.wanted = wanted


class SpecError(LeagueError):
    """A bot's spec that can't be loaded; the text says where in it, and why."""

    def __init__(self, text: str, spec: str) -> None:
        super().__init__(text)
        self.spec = spec


class CheckError(LeagueError):
    """A bot that loads but hangs, fails or plays illegal moves."""

    def __init__(self, text: str, spec: str) -> None:
        super().__init__(text)
        self.spec = spec


class DatabaseError(LeagueError):
    """A database that can't be used as it is; `url` names it."""

    def __init__(self, text: str, url: str) -> None:
        super().__init__(text)
        self.url = url


class ConfigError(LeagueError):
    """A config file that can't be read, or has settings that don't exist; `path` names it."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text)
        self.path = path


class SetupError(LeagueError):
    """A tournament that can't be held as asked."""


class StoppedError(LeagueError):
    """A tournament that had to stop; `tournament` is its number."""

    def __init__(self, text: str, tournament: int) -> None:
        super().__init__(text)
        self.tournament = tournament
