"""A program that speaks `asks`: it takes the last move of each question."""

import sys

for line in sys.stdin:
    words = line.split()
    print("ready" if words == ["begin"] else words[-1], flush=True)
