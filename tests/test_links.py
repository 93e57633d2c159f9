"""The links of the pages, and the pages that the source names."""

from pathlib import Path

import pytest

from tests import links
from tests.paths import ROOT, with_source

PAGE = """# A page

## One `heading`, twice
## One heading, twice

[here](#one-heading-twice-1), [nowhere](#two), [missing](gone.md), `[code](gone.md)`,
[away](https://example.org), [another's](other.md#there), [not there](other.md#here)

```md
[code](gone.md)
```
"""


@with_source
@pytest.mark.parametrize("page", links.PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_internal_links_lead_to_a_page_and_a_heading(page: Path) -> None:
    assert list(links.broken(page)) == []


@pytest.mark.slow
def test_the_source_names_pages_that_exist() -> None:
    assert [
        (str(path), name) for path, name in links.mentions() if not (ROOT / name).exists()
    ] == []


def test_a_broken_link_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    (tmp_path / "other.md").write_text("# There\n")
    assert list(links.broken(page)) == [
        "page.md:6: '#two': page.md has no such heading",
        "page.md:6: 'gone.md': no such file in the project",
        "page.md:7: 'other.md#here': other.md has no such heading",
    ]
