"""The options of a language model."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from games.support.errors import OptionError
from games.support.options import option, options_of, parse_options
from league.model.web_address import is_server_address

KEY_SIGN = "[key]"
"""Stands in a text for the key that it had."""

PART, PART_AT_END = 6, 4
"""So many characters of a key that follow one another betray it, fewer at its end."""

TEMPLATE_FILE = "template.txt"
"""The name under which a version keeps the text of its template."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model is asked; users write the names with hyphens.

    Prices are for a million tokens, in any money. The first three budgets are for one match,
    `budget` is for a tournament.
    """

    url: str = option("", help="address of the provider, up to the version: https://HOST/v1")
    api: str = option("chat", help="form of the requests")
    key_env: str = option("", help="environment variable that has the key")
    key_file: str = option("", help="file that has the key, and that nobody else may read")
    template: str = option("", help="file with the text of the prompt")
    legal: bool = option(True, help="list the legal moves in the prompt")
    history: int = option(10, help="number of moves before the position to tell", low=0)
    structured: bool = option(True, help="ask the provider to enforce the form of the answer")
    retries: int = option(2, help="more tries after an answer that is no move", low=0, high=20)
    answer_tokens: int = option(1024, help="most tokens of an answer", low=1)
    tokens_field: str = option(
        "max_tokens",
        help="name of that limit in requests",
        choices=("max_tokens", "max_completion_tokens"),
    )
    temperature: float | None = option(None, help="temperature of the model", low=0)
    seed: int | None = option(None, help="seed for the provider's draws")
    price_in: float | None = option(None, help="price of the tokens of a prompt", low=0)
    price_out: float | None = option(None, help="price of the tokens of an answer", low=0)
    price_cached: float | None = option(None, help="price of cached tokens of a prompt", low=0)
    max_cost: float | None = option(None, help="most money in a match", low=0)
    max_tokens: int | None = option(None, help="most tokens in a match", low=1)
    max_calls: int | None = option(None, help="most calls in a match", low=1)
    budget: float | None = option(None, help="most money in a tournament", low=0)
    at_once: int = option(4, help="most calls of the provider at the same time", low=1, high=256)
    patience: float = option(120.0, help="seconds to wait for a provider that fails", low=0)

    @classmethod
    def of(cls, options: Mapping[str, str]) -> "ModelSettings":
        """Read the options of a version; raise `OptionError`."""
        declared = tuple(
            replace(each, name=each.name.replace("_", "-")) for each in options_of(cls)
        )
        values: dict[str, Any] = parse_options(declared, options, "a language model")
        found = cls(**{name.replace("-", "_"): value for name, value in values.items()})
        if not is_server_address(found.url):
            raise OptionError("option url: expected an address such as https://HOST/v1", "url")
        if found.key_env and found.key_file:
            raise OptionError("give key-env or key-file, not both", "key-file")
        has_prices = None not in (found.price_in, found.price_out)
        if (found.budget, found.max_cost) != (None, None) and not has_prices:
            raise OptionError("a budget in money needs price-in and price-out", "price-in")
        return found

    @property
    def has_budget(self) -> bool:
        """Whether any limit needs the number of tokens of each call."""
        return (self.budget, self.max_cost, self.max_tokens) != (None, None, None)

    def cost(
        self, tokens_in: int | None, tokens_out: int | None, tokens_cached: int | None
    ) -> float | None:
        """Return the price of a call; None if a price or a number is not known."""
        if None in (self.price_in, self.price_out, tokens_in, tokens_out):
            return None
        cached = tokens_cached or 0
        price_cached = self.price_in if self.price_cached is None else self.price_cached
        fresh = (tokens_in or 0) - cached
        parts = ((fresh, self.price_in), (cached, price_cached), (tokens_out, self.price_out))
        return sum((count or 0) * (price or 0.0) for count, price in parts) / 1e6


class KeyMissingError(Exception):
    """The key of a provider can't be read; the text says why, without the key."""


class ProviderKey:
    """A provider's key, which no `repr`, pickle or error shows."""

    def __init__(self, text: str) -> None:
        self._text = text

    @classmethod
    def of(cls, settings: ModelSettings) -> "ProviderKey":
        """Read the key, '' if none is needed; raise `KeyMissingError`."""
        if settings.key_file:
            return cls(_read_private(Path(settings.key_file)))
        if not settings.key_env:
            return cls("")
        text = os.environ.get(settings.key_env, "").strip()
        if not text:
            raise KeyMissingError(f"environment variable {settings.key_env!r} has no key")
        return cls(text)

    def reveal(self) -> str:
        """Return the key itself, for a request."""
        return self._text

    def hidden_in(self, text: str) -> str:
        """Return a text with the key replaced: a provider may send it back."""
        return text.replace(self._text, KEY_SIGN) if self._text else text

    def struck_from(self, error: str) -> str:
        """Return the text of an error without each word that has a part of the key.

        Providers quote a wrong key with some of its letters replaced.
        """
        return " ".join(KEY_SIGN if self._is_part(word) else word for word in error.split())

    def _is_part(self, word: str) -> bool:
        if not self._text:
            return False
        last = len(self._text) - PART
        parts = {self._text[at : at + PART] for at in range(max(1, last + 1))}
        return "**" in word or self._text[-PART_AT_END:] in word or any(p in word for p in parts)

    def __reduce__(self) -> str:
        raise TypeError("a key stays in its process")


def _read_private(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise KeyMissingError(f"others may read key-file {str(path)!r}: chmod 600 it")
            text = file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise KeyMissingError(f"key-file {str(path)!r} can't be read: {why}") from None
    if not text:
        raise KeyMissingError(f"key-file {str(path)!r} has no key")
    return text
