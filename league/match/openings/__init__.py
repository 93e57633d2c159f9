"""The openings of a tournament's matches: drawn, or read from a file."""

from league.match.openings.allocation import EncounterOpenings
from league.match.openings.book import BookOpenings, pack, unpack
from league.match.openings.choice import openings_of, repeated
from league.match.openings.drawn import PROOF_NODES, DrawnOpenings, is_open, is_proved_won
from league.match.openings.files import Book, BookFile, read_book
from league.match.openings.opening import Opening, Openings

__all__ = [
    "PROOF_NODES",
    "Book",
    "BookFile",
    "BookOpenings",
    "DrawnOpenings",
    "EncounterOpenings",
    "Opening",
    "Openings",
    "is_open",
    "is_proved_won",
    "openings_of",
    "pack",
    "read_book",
    "repeated",
    "unpack",
]
