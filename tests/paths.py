"""The folders of examples, documents and test data."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
BAD_BOTS = TESTS / "bad_bots"
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
ENDGAME_TABLES = TESTS / "games" / "chess" / "tables"
