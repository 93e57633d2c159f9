"""Train the Zstandard dictionary of match records on the matches of leagues.

    python -m benchmarks.train_dictionary dictionary-2.bin league.db...

Take leagues with matches of all games, by bots that report different things.
"""

import sys
from pathlib import Path

from league.model.zstandard import zstd_module
from league.store.record_codec.record import record_columns
from league.store.store import open_store

SIZE = 8192
"""A larger one saves no more than a hundredth."""


def main(path: str, *leagues: str) -> None:
    """Write the dictionary."""
    samples = []
    for league in leagues:
        with open_store(league, read_only=True) as store:
            samples += [
                record_columns(each) for *_, each in store.results.records(store.matches.numbers())
            ]
    dictionary = zstd_module().train_dict(samples, SIZE)
    Path(path).write_bytes(dictionary.dict_content)
    print(f"{len(dictionary.dict_content)} bytes from {len(samples)} matches")


if __name__ == "__main__":
    main(*sys.argv[1:])
