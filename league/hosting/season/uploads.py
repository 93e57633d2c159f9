"""The name of an uploaded file, and the settings of its bot."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Self

from games.support.errors import brief, suggestion
from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.season import SeasonSettings, UploadRefusal
from league.hosting.season.servers import SUFFIX
from league.model.bot_files import is_left_out, path_fault

SUFFIXES = (".py", ".zip", SUFFIX)

OPTION = "option."

OPTIONS_MAX = 32
TEXT_MAX = 200

_WORDS = ("class", "file", "source")
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadSettings:
    """The settings of an uploaded bot.

    `attribute` is its class or function, '' for the one that is there; `own` its Python file among
    others, '' for bot.py or main.py. `source` is what the author calls it at home.
    """

    attribute: str = ""
    own: str = ""
    source: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Self:
        """Read the settings of a submission; raise `RefusedUploadError` for ones that do not fit.

        Empty ones count as missing.
        """
        told = {name: value.strip() for name, value in given.items() if value.strip()}
        options = {
            name.removeprefix(OPTION): value
            for name, value in told.items()
            if name.startswith(OPTION)
        }
        for name, value in told.items():
            if name not in _WORDS and not name.startswith(OPTION):
                near = suggestion(name, _WORDS)
                raise _unsuitable(
                    f"unknown setting {brief(name)}{near}: expected {', '.join(_WORDS)} or "
                    f"{OPTION}NAME"
                )
            if len(value) > TEXT_MAX or not value.isprintable():
                raise _unsuitable(f"setting {brief(name)} is no text of {TEXT_MAX} letters")
        if len(options) > OPTIONS_MAX or not all(map(_NAME.fullmatch, options)):
            raise _unsuitable(f"expected at most {OPTIONS_MAX} options, each named in one word")
        attribute, own = told.get("class", ""), told.get("file", "")
        if attribute and not attribute.isidentifier():
            raise _unsuitable(f"class {brief(attribute)} is not the name of a class or function")
        if own and ("/" in own or path_fault(own) or not own.endswith(".py")):
            raise _unsuitable(f"file {brief(own)} is not a Python file at the top of the folder")
        return cls(attribute=attribute, own=own, source=told.get("source", ""), options=options)

    def to_dict(self) -> dict[str, str]:
        """Return the settings as a submission keeps them."""
        words = {"class": self.attribute, "file": self.own, "source": self.source}
        options = {f"{OPTION}{name}": value for name, value in self.options.items()}
        return {name: value for name, value in words.items() if value} | options

    def words_at_home(self, file_name: str) -> str:
        """Return the bot and its options as the author writes them for a command at home."""
        source = self.source or file_name
        if self.own and not source.endswith(".py"):
            source = f"{source.rstrip('/').removesuffix('.zip')}/{self.own}"
        words = [f"{source}:{self.attribute}" if self.attribute else source]
        for name, value in self.options.items():
            words += ["--option", f"{name}={value}"]
        return shlex.join(words)


def check_command(settings: SeasonSettings, upload: UploadSettings, file_name: str) -> str:
    """Return the command that shows at home what the check of a submission shows."""
    game, move_ms = shlex.quote(settings.game), round(settings.move_s * 1000)
    bot = upload.words_at_home(file_name)
    memory = f"--memory {settings.memory_mb}M"
    return f"league check {bot} --game {game} --move-time {move_ms}ms {memory}"


def file_name_of(name: str) -> str:
    """Return the name of an uploaded file without folders; raise `RefusedUploadError`."""
    last = re.split(r"[/\\]", name.strip())[-1]
    if not last or is_left_out(PurePosixPath(last)) or path_fault(last):
        raise _unsuitable(f"{brief(name)} is not a file name")
    if not last.endswith(SUFFIXES):
        raise _unsuitable(
            f"{brief(last)} is not a Python file or zip: upload a .py file, or a folder as a zip; "
            f"the address of a web server is a {SUFFIX} file"
        )
    return last


def _unsuitable(text: str) -> RefusedUploadError:
    return RefusedUploadError(text, UploadRefusal.UNSUITABLE)
