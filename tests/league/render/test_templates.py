"""Templates of pages, as people read and change them."""

from pathlib import Path

import league

LINE_MAX = 160


def test_no_line_of_a_template_is_too_long() -> None:
    templates = [*Path(league.__file__).parent.rglob("*.html")]
    assert len(templates) > 40
    for path in templates:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            assert len(line) <= LINE_MAX, f"{path}:{number}"
