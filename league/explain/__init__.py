"""Showing how a search went: as text, as a drawing, as JSON, and as a page that steps."""

from league.explain.drawing import draw_trace
from league.explain.page import page_of, page_policy
from league.explain.table import as_json
from league.explain.text import text_of

__all__ = ["as_json", "draw_trace", "page_of", "page_policy", "text_of"]
