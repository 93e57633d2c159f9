"""What can go wrong in a hosted league."""

from games.support.counts import counted
from league.hosting.model.season import UploadRefusal
from league.model.errors import LeagueError


class RemoteError(LeagueError):
    """A hosted league can't be reached, or refuses with an HTTP `status`; 0 for no answer."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


class RefusedUploadError(LeagueError):
    """An upload is not received, for `reason`; nothing of it is stored."""

    def __init__(self, text: str, reason: UploadRefusal) -> None:
        super().__init__(text)
        self.reason = reason


class RefusedChallengeError(LeagueError):
    """A challenge is not taken; `is_used_up` if the team has made as many as it may today."""

    def __init__(self, text: str, *, is_used_up: bool = False) -> None:
        super().__init__(text)
        self.is_used_up = is_used_up


class PeopleError(LeagueError):
    """A person, a team or a roster of a hosted league can't be as it was asked for."""


class SignInError(LeagueError):
    """Somebody can't sign in so; the text does not say whether the login exists."""


class LockedError(SignInError):
    """Too many attempts to sign in have failed: the next is taken in `wait_s` seconds."""

    def __init__(self, wait_s: int) -> None:
        minutes = -(-wait_s // 60)
        told = counted(wait_s, "second") if wait_s < 60 else counted(minutes, "minute")
        super().__init__(f"too many attempts to sign in have failed: try again in {told}")
        self.wait_s = wait_s
