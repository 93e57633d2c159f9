"""The league: registry, tournaments, referee, ratings and what shows them."""

import os

# Threads of a linear algebra library that wait for one another make fits of 200 bots ten times
# slower; it reads these when numpy is imported, and everything of the league comes through here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")
