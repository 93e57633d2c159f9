"""The folders of examples, documents and test data."""

from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
BAD_BOTS = TESTS / "bad_bots"
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
ENDGAME_TABLES = TESTS / "games" / "chess" / "tables"

with_source = pytest.mark.skipif(
    not (ROOT / "league").is_dir(), reason="reads the source, which is not beside the tests"
)
"""The tests also run from a wheel, in a folder that has all of the checkout but the packages."""
