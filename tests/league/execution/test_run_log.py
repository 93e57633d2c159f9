"""The log of a run."""

import logging
from pathlib import Path

import pytest

from league.execution.run_log import run_log
from tests.league.disturbances import fill, small_disk


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_full_disk_drops_lines_and_says_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Tracebacks of the logging module filled the pipe of whoever reads, and the run hung."""
    disk = tmp_path / "disk"
    disk.mkdir()
    with small_disk(disk, 1) as reason:
        if reason:
            pytest.skip(reason)
        path, log = disk / "league.log", logging.getLogger("league.test")
        path.touch()
        fill(disk / "filler")
        with run_log(path) as run:
            run.start()
            for _ in range(20):
                log.warning("x" * 4000)
        (disk / "filler").unlink()
        with run_log(path) as run:
            run.start()
            log.warning("room again")
        assert "room again" in path.read_text()
    assert capfd.readouterr().err == ""
