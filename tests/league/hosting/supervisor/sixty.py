"""Sixty people who submit to one league at about the same time."""

import json
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from urllib.error import HTTPError

from tests.league.hosting.supervisor.story import BROKEN, GOOD, MARKS, Story, hostile
from tests.waiting import PATIENCE_S

HOUSE = ("random", "greedy")
"""The house bots: matches run before anybody has submitted."""

AT_ONCE = 6
"""So many people upload at the same moment."""


class Sixty:
    """Sixty teams of one author each: 42 submit a good bot, 12 a broken one, 6 a hostile one."""

    def __init__(self, story: Story) -> None:
        story.begin("--game", "connectfour", "--name", "AI 2026", "--move-time", "100ms")
        words = ("final-format=swiss", "final-rounds=5", f"house-bots={','.join(HOUSE)}")
        story.command("host", "settings", "submissions-per-day=1000", *words, MARKS)
        self._story = story
        self.tokens = story.add([f"team{number:02}" for number in range(60)])
        self.teams = list(self.tokens)
        bad = {**BROKEN, **hostile()}
        self.bad = set(self.teams[: len(bad)])
        good = {
            f"{team}.py": GOOD.format(f"{number} % len(state.legal_moves())").encode()
            for number, team in enumerate(self.teams[len(bad) :])
        }
        self.files = dict(zip(self.teams, {**bad, **good}.items(), strict=True))

    def send(self, teams: Iterable[str]) -> dict[str, int]:
        """Submit what these teams submit, some at a time; return the confirmed numbers by team."""
        with ThreadPoolExecutor(AT_ONCE) as threads:
            return dict(zip(teams, threads.map(self.confirmed, teams), strict=True))

    def confirmed(self, team: str) -> int:
        """Submit what a team submits, again and again until it is confirmed; return its number."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self._story.send(self.tokens[team], *self.files[team])
            except (OSError, HTTPException) as error:
                is_refused = isinstance(error, HTTPError) and error.code < 500
                if is_refused or time.monotonic() > end_s:
                    raise
            time.sleep(0.2)

    def check_marks(self, expected: Iterable[str] | None = None) -> None:
        """Check that all teams have a row, and `expected` a bot, by default all with a good one."""
        teams = set(self.teams) - self.bad if expected is None else set(expected)
        marks = json.loads(self._story.command("marks", "--json"))
        assert {each["team"] for each in marks if each["version"]} == teams
        assert {each["team"] for each in marks} == set(self.teams)
