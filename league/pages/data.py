"""What all pages share, whoever draws them."""

import json
from typing import Any


def script_data(data: Any) -> str:
    """Write JSON for an element of a page: no HTML parser can take it for the element's end."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
