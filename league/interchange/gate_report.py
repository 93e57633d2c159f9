"""The result of a gate as files: Markdown for people, JUnit for the pages of CI services."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping

from games.support.printable import printable
from league.analysis.gate import GateLine, GateResult, GateVerdict
from league.interchange.markdown_text import marked, table
from league.render.text.gate import HEAD, cells, headline, lost_matches, lost_told, rates, reasons


def markdown(found: GateResult, links: Mapping[int, str]) -> str:
    """Write the summary as the Markdown of GitHub; `links` are addresses of replays by match."""
    return "\n".join(_parts(found, links))


def _parts(found: GateResult, links: Mapping[int, str]) -> Iterator[str]:
    yield f"## Gate: {marked(headline(found))}\n"
    if found.verdict is GateVerdict.UNFIT:
        yield "".join(f"    {printable(line)}\n" for line in found.reason.splitlines())
        return
    yield table(HEAD, [[marked(str(cell)) for cell in cells(x)] for x in found.lines])
    if undecided := reasons(found):
        yield "".join(f"- {marked(each)}\n" for each in undecided)
    yield f"{marked(rates(found))}\n"
    if lost := lost_matches(found):
        yield f"### Some matches that {marked(found.change)} lost\n"
        for line, each in lost:
            name = f"match {each.match}"
            linked = f"[{name}](<{links[each.match]}>)" if each.match in links else name
            shown = f"`league replay {each.match}`" if each.match not in links else ""
            told = f"against {line.opponent}, {lost_told(each)}"
            yield f"- {linked} {marked(told)} {shown}".rstrip()
        yield ""


def junit(found: GateResult) -> str:
    """Write a test case for each opponent, or for the check that the change does not pass."""
    cases = [_case(found, line) for line in found.lines]
    if found.verdict is GateVerdict.UNFIT:
        case = ET.Element("testcase", classname="league.gate", name="check")
        _tell(case, "failure", headline(found), found.reason)
        cases = [case]
    failures, skipped = (
        sum(case.find(kind) is not None for case in cases) for kind in ("failure", "skipped")
    )
    whole = ET.Element("testsuites")
    suite = ET.SubElement(
        whole,
        "testsuite",
        name="league gate",
        tests=f"{len(cases)}",
        failures=f"{failures}",
        skipped=f"{skipped}",
        time=f"{sum(line.play_s for line in found.lines):.1f}",
    )
    suite.extend(cases)
    ET.indent(whole)
    text = ET.tostring(whole, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _case(found: GateResult, line: GateLine) -> ET.Element:
    name = f"{found.change} is not weaker than {line.opponent}"
    place = f"league.gate.{line.game}"
    case = ET.Element(
        "testcase", classname=printable(place), name=printable(name), time=f"{line.play_s:.1f}"
    )
    told = "\n".join(f"{head}: {cell}" for head, cell in zip(HEAD, cells(line), strict=True))
    if line.verdict is GateVerdict.WEAKER:
        _tell(case, "failure", str(line.verdict), told)
    elif line.verdict is GateVerdict.UNDECIDED:
        _tell(case, "skipped", f"undecided: {line.reason}", told)
    else:
        ET.SubElement(case, "system-out").text = printable(told, keep_lines=True)
    return case


def _tell(case: ET.Element, kind: str, message: str, text: str) -> None:
    said = ET.SubElement(case, kind, message=printable(message))
    said.text = printable(text, keep_lines=True)
