"""Views of a search: as text, as a drawing, and as a page that steps through it."""

from league.render.search.drawing import draw_trace
from league.render.search.page import page_of, steps_of
from league.render.search.text import text_of

__all__ = ["draw_trace", "page_of", "steps_of", "text_of"]
