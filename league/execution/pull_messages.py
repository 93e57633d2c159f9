"""What a pull worker and the runner send each other, in MessagePack.

Neither side unpickles what the other sends, so that a worker runs no code on the runner's machine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from league.execution.heartbeat import Sign
from league.execution.worker import JobResult, MatchJob
from league.model.records import BotVersion

ASK_BYTES = 1 << 20
"""The most bytes of a request, except for results."""

RESULTS_BYTES = 64 << 20
"""The most bytes of the results of a batch."""

ANSWER_BYTES = 64 << 20
"""The most bytes of an answer: the files of a bot have half as many."""

NAME_MAX = 64
"""The longest name of a machine."""

GAME = 0
"""The number of the game's files, beside those of versions."""

Lease = Annotated[str, Meta(max_length=64)]


class Machine(msgspec.Struct, frozen=True):
    """A worker's machine, which every request names.

    `id` is drawn at the worker's start. `workers` is how many matches it plays at a time, and
    `nodes_per_s` its speed.
    """

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=NAME_MAX)]
    version: Annotated[str, Meta(max_length=200)]
    workers: Annotated[int, Meta(ge=1, le=1024)]
    nodes_per_s: Annotated[float, Meta(gt=0)]


class Request(msgspec.Struct):
    """A request; `held` are the leases that the worker has, which are renewed."""

    machine: Machine
    held: list[Lease] = []


class Ask(Request, kw_only=True):
    """Asks for batches, at most so many as there is `room`.

    A request that is repeated has the same `number`, and gets the same answer.
    """

    number: Annotated[int, Meta(ge=1)]
    room: Annotated[int, Meta(ge=1, le=4096)]


class Hand(Request, kw_only=True):
    """Hands in a batch: its results, or the reason why they are `lost`."""

    lease: Lease
    results: list[JobResult] = []
    lost: Annotated[str, Meta(max_length=2000)] = ""
    hung_at: Sign | None = None


class Alive(Request, kw_only=True):
    """Shows that the worker is alive, and gives batches back that it does not play.

    `live` are packed live matches. A worker that is `leaving`, '' for not, says why.
    """

    returned: list[Lease] = []
    live: list[str] = []
    leaving: Annotated[str, Meta(max_length=2000)] = ""


class AskFiles(Request, kw_only=True):
    """Asks for the files of a version by its id, or of the `GAME`."""

    number: int


class Batch(msgspec.Struct, kw_only=True):
    """The package of some matches.

    Its `versions` are without their files, and its `jobs` without their versions, whose places are
    in `seats`. Each match has `cores_each` cores.
    """

    lease: str
    game: str
    game_digest: str
    cores_each: int
    versions: list[BotVersion]
    jobs: list[MatchJob]
    seats: list[list[int]]


class Answer(msgspec.Struct):
    """The answer to `Alive` and `Hand`.

    `dropped` are leases of the request that are over. `says` is a line for the worker's user.
    """

    dropped: list[str] = []
    says: str = ""


class Offer(Answer, kw_only=True):
    """The answer to `Ask`; if it `is_over`, the runner has no more matches."""

    batches: list[Batch] = []
    is_over: bool = False


class Files(msgspec.Struct):
    """The answer to `AskFiles`."""

    files: dict[str, bytes]


Message = TypeVar("Message", bound=msgspec.Struct)

encode = msgspec.msgpack.encode


def decode(data: bytes, kind: type[Message]) -> Message:
    """Decode a message; raise `ValueError` for anything else."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"not {kind.__name__}: {error}") from None


def pack_jobs(jobs: Sequence[MatchJob]) -> tuple[list[BotVersion], list[MatchJob], list[list[int]]]:
    """Return the versions, the jobs and the seats of a `Batch`."""
    known = {version.id: version for job in jobs for version in job.versions}
    places = {number: place for place, number in enumerate(known)}
    return (
        [replace(version, files={}) for version in known.values()],
        [job._replace(versions=()) for job in jobs],
        [[places[version.id] for version in job.versions] for job in jobs],
    )


def unpack_jobs(batch: Batch, versions: Mapping[int, BotVersion], game: str) -> list[MatchJob]:
    """Return the jobs of a batch, with whole `versions` by id and the game's spec on this machine.

    Raises `ValueError` for a batch whose parts do not fit.
    """
    own = [versions[version.id] for version in batch.versions]
    return [
        job._replace(versions=tuple(own[place] for place in places), game=game)
        for job, places in zip(batch.jobs, batch.seats, strict=True)
    ]
