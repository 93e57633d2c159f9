"""Where the matches of a tournament begin: drawn, or read from a file."""

from league.openings.book import BookOpenings, pack, unpack
from league.openings.choice import openings_of, repeated
from league.openings.contract import Opening, Openings
from league.openings.drawn import DrawnOpenings, is_open
from league.openings.files import read_book

__all__ = [
    "BookOpenings",
    "DrawnOpenings",
    "Opening",
    "Openings",
    "is_open",
    "openings_of",
    "pack",
    "read_book",
    "repeated",
    "unpack",
]
