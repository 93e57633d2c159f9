"""The openings of a tournament's matches: drawn, or read from a file."""

from league.match.openings.book import BookOpenings, pack, unpack
from league.match.openings.choice import openings_of, repeated
from league.match.openings.drawn import DrawnOpenings, is_open
from league.match.openings.files import read_book
from league.match.openings.opening import Opening, Openings

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
