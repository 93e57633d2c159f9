"""Seeds derived from seeds, the same on every machine and worker."""

import hashlib


def seed_of(seed: int, *path: int | str) -> int:
    """Return the seed at `path` below `seed`: 0 to 2**53 - 1, which JSON keeps exactly."""
    text = ":".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 11
