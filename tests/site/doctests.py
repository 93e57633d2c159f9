"""An extension of griffe that shows the examples of docstrings as Python sessions."""

import re
from typing import Any

from griffe import Extension, Object

SESSION = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)


class Doctests(Extension):
    """Fences each session, because Markdown takes `>>>` for quotations."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Fence the sessions in the docstring of an object."""
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = SESSION.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
