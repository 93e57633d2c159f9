"""The version, which stands in three places."""

import re
import tomllib

from tests.paths import ROOT


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert cited is not None
    assert newest is not None
    assert project["version"] == cited[1] == newest[1]
