"""An intake in a process of its own.

python -m tests.league.hosting.season.intake_process FILE
"""

import sys

from league.hosting.season import intake
from league.hosting.store.host_store import open_host_store
from league.model.records import Isolation
from league.seats.process.isolation import why_no_sandbox

if __name__ == "__main__":
    level = Isolation.LIMITS if why_no_sandbox() else Isolation.SANDBOX
    with open_host_store(sys.argv[1]) as store:
        intake.serve(store, checkers=2, isolation=level)
