"""The parts that all pages share."""

import base64
import hashlib
import json
import re
from importlib.resources import files
from typing import Any


def script_data(data: Any) -> str:
    """Write JSON for a script element, escaped so that no HTML parser ends the element early."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def static(name: str) -> str:
    """Return the text of a static file."""
    return (files("league.render") / "static" / name).read_text("utf-8")


def page_style(page: str) -> str:
    """Return the style of one page: what all pages share, and its own style sheet."""
    shared, *parts = re.split(r"(?=/\* Page: )", static("style.css"))
    # The last part goes on with what is for all pages again.
    rest = [part.partition("\n@media print") for part in parts]
    common = [f"{mark}{text}" for _, mark, text in rest if mark]
    return "".join([shared, *common, static(f"{page}.css")])


def bundled(*names: str) -> str:
    """Return static scripts as one module: what one imports from another stands before it."""
    text = "".join(static(name) for name in names)
    return re.sub(r"^(import|export) \{.*;\n", "", text, flags=re.MULTILINE)


def policy_of(style: str, script: str = "") -> str:
    """Return a content security policy that allows only this style and this script."""
    policy = f"default-src 'none'; base-uri 'none'; img-src data:; style-src {_hash(style)}"
    return f"{policy}; script-src {_hash(script)}" if script else policy


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
