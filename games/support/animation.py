"""Animations: drawings in sequence in one SVG document that stores common lines once."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from html import escape
from itertools import pairwise

from games.support.printable import drawable

_PARTS = re.compile(
    r"\s*(?P<head><svg[^>]*>)\s*(<title>.*?</title>\s*)?(<style>(?P<style>.*?)</style>)?\s*"
    r"(?P<body>.*?)\s*</svg>\s*",
    re.DOTALL,
)
_HEAD = '<svg xmlns="http://www.w3.org/2000/svg">'


def film(title: str, drawings: Sequence[str], frame_s: float, last_s: float = 0.0) -> str:
    """Make one document that loops through `drawings`, `frame_s` seconds each.

    The last one stays `last_s` longer. They must be SVG documents of one size and style; lines that
    are elements of their own are stored once. Readers who prefer reduced motion see only the last.
    """
    head, style, frames = _taken_apart(drawings)
    edge = 100 * frame_s / (frame_s * len(frames) + last_s)
    kinds: dict[tuple[int, ...], str] = {}
    body = []
    for line, numbers in _merged(frames):
        if len(numbers) == len(frames):
            body.append(line)
            continue
        kind = kinds.setdefault(numbers, f"s{len(kinds)}")
        end = " end" if numbers[-1] == len(frames) - 1 else ""
        body.append(f'<g class="s {kind}{end}">{line}</g>')
    rules = "\n".join(
        f".{kind}{{animation-name:{kind}}}@keyframes {kind}{{{steps}}}"
        for kind, steps in (
            (kind, _keyframes(numbers, edge, len(frames))) for numbers, kind in kinds.items()
        )
    )
    motion = f"""
.s {{ visibility: hidden; animation: {frame_s * len(frames) + last_s:g}s step-end infinite }}
{rules}
@media (prefers-reduced-motion: reduce) {{
  .s {{ animation: none !important }}
  .end {{ visibility: visible }}
}}
"""
    named = f"<title>{escape(drawable(title))}</title>"
    return "\n".join([head, named, f"<style>{style}{motion}</style>", *body, "</svg>"])


def _taken_apart(drawings: Sequence[str]) -> tuple[str, str, list[list[str]]]:
    """Return the first line and the style of the first drawing, and each one's body."""
    head, style = _HEAD, ""
    frames: list[list[str]] = []
    for drawing in drawings:
        parts = _PARTS.fullmatch(drawing)
        body = parts["body"] if parts else drawing
        if parts and not frames:
            head, style = parts["head"], parts["style"] or ""
        lines = list(dict.fromkeys(body.split("\n")))
        frames.append(lines if all(map(_is_element, lines)) else [body])
    return head, style, frames


@cache
def _is_element(line: str) -> bool:
    try:
        ET.fromstring(line)  # noqa: S314 (drawn by a game that we run anyway)
    except ET.ParseError:
        return False
    return True


def _merged(frames: Sequence[Sequence[str]]) -> list[tuple[str, tuple[int, ...]]]:
    """List all lines with their frames, in an order that suits every frame.

    If frames order the same lines differently, each frame becomes one line.
    """
    order = TopologicalSorter[str]()
    numbers: dict[str, list[int]] = {}
    for number, frame in enumerate(frames):
        for line in frame:
            order.add(line)
            numbers.setdefault(line, []).append(number)
        for below, above in pairwise(frame):
            order.add(above, below)
    try:
        return [(line, tuple(numbers[line])) for line in order.static_order()]
    except CycleError:
        return _merged([["\n".join(frame)] for frame in frames])


def _keyframes(numbers: Sequence[int], edge: float, count: int) -> str:
    """Write when a line of these frames is visible; `edge` is one frame's share in percent."""
    seen = {*numbers, count}
    steps = [] if 0 in seen else ["0%{visibility:hidden}"]
    for number in numbers:
        if number - 1 not in seen:
            steps.append(f"{number * edge:.3f}%{{visibility:visible}}")
        if number + 1 not in seen:
            steps.append(f"{(number + 1) * edge:.3f}%{{visibility:hidden}}")
    return "".join(steps)
