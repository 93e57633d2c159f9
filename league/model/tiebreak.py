"""The names of tie-breaks."""

from enum import StrEnum


class Tiebreak(StrEnum):
    """A rule that orders bots with the same points in the table of a tournament."""

    BUCHHOLZ_CUT1 = "buchholz-cut1"
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn-berger"
    DIRECT = "direct"

    @property
    def short(self) -> str:
        """Its acronym, as in the FIDE Handbook."""
        return _SHORT[self]

    @property
    def words(self) -> str:
        """Its name in a sentence."""
        return _WORDS[self]


_SHORT = {
    Tiebreak.BUCHHOLZ_CUT1: "BH-C1",
    Tiebreak.BUCHHOLZ: "BH",
    Tiebreak.SONNEBORN_BERGER: "SB",
    Tiebreak.DIRECT: "DE",
}
_WORDS = {
    Tiebreak.BUCHHOLZ_CUT1: "Buchholz Cut 1",
    Tiebreak.BUCHHOLZ: "Buchholz",
    Tiebreak.SONNEBORN_BERGER: "Sonneborn-Berger",
    Tiebreak.DIRECT: "direct encounter",
}
