"""Views of a search: as text, as a drawing, as JSON, and as a page that steps through it."""

from league.render.search.drawing import draw_trace
from league.render.search.page import page_of, page_policy
from league.render.search.table import as_json
from league.render.search.text import text_of

__all__ = ["as_json", "draw_trace", "page_of", "page_policy", "text_of"]
