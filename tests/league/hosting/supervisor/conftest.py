"""Hosted leagues on both kinds of database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.league.cluster import a_cluster
from tests.league.hosting.supervisor.story import Story
from tests.league.postgres import emptied

SERVER = "server and cluster"


@pytest.fixture(params=["file", pytest.param(SERVER, marks=pytest.mark.slow)])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    """Prepare a story on a file, or on PostgreSQL with a Dask cluster of two workers."""
    if request.param == SERVER:
        db = emptied(request.getfixturevalue("postgres"))
        with a_cluster(tmp_path, 2) as cluster:
            yield Story(tmp_path, db, cluster)
    else:
        yield Story(tmp_path, str(tmp_path / "league.db"))
