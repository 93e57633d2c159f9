"""An intake in a process of its own: `python -m tests.league.season.intake_process FILE`."""

import sys

from league.model.records import Isolation
from league.season import intake
from league.seats.process.isolation import why_no_sandbox
from league.store.store import open_store

if __name__ == "__main__":
    level = Isolation.LIMITS if why_no_sandbox() else Isolation.SANDBOX
    with open_store(sys.argv[1]) as store:
        intake.serve(store, checkers=2, isolation=level)
