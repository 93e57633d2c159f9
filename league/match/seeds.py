"""Seeds derived from seeds, the same on every machine and worker."""

import hashlib


def seed_of(seed: int, *path: int | str, salt: str = "") -> int:
    """Return the seed at `path` below `seed`: 0 to 2**53 - 1, which JSON keeps exactly.

    Without a secret `salt`, anybody who guesses `seed` knows it.
    """
    text = ":".join(str(part) for part in (seed, *path))
    digest = hashlib.blake2b(text.encode(), digest_size=8, key=salt.encode()).digest()
    return int.from_bytes(digest) >> 11
