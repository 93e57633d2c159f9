"""Agents written for the Pacman projects of UC Berkeley's CS 188 (J. DeNero and D. Klein).

The modules `game`, `pacman` and `util` have the names and meanings that such agents know from the
projects' own (ai.berkeley.edu), over the rules of `games.pacman`.
"""
