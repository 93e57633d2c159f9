"""What all pages share, whoever draws them."""

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any


def script_data(data: Any) -> str:
    """Write JSON for an element of a page: no HTML parser can take it for the element's end."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def static(name: str) -> str:
    """Return the text of a file that pages need."""
    return (files("league.render") / "static" / name).read_text("utf-8")


def policy_of(style: str, script: str = "") -> str:
    """Return the content policy of a page that holds this style and this script, and no other."""
    policy = f"default-src 'none'; base-uri 'none'; img-src data:; style-src {_hash(style)}"
    return f"{policy}; script-src {_hash(script)}" if script else policy


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
