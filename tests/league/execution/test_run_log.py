"""The log of a run."""

import logging
from pathlib import Path

import pytest

from league.execution.run_log import run_log


def test_a_line_with_half_a_character_is_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with run_log(tmp_path / "run.log") as log:
        log.start()
        logging.getLogger("league").warning("said \udcff")
    assert r"said \udcff" in (tmp_path / "run.log").read_text("utf-8")
    assert capsys.readouterr().err == ""
    # What pytest's processes send one another is UTF-8 too, and they send what was logged.
    caplog.clear()
