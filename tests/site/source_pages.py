"""The hook that adds pages for the files outside of `docs` to which the pages link."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tests.links import CODE, EXTERNAL, LINK
from tests.paths import DOCS, ROOT

FOLDER = "project"
"""The folder of the site with these pages."""

LANGUAGES = {".c": "c", ".js": "js", ".py": "python", ".rs": "rust", ".service": "ini"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each linked file or folder, and for those that these link to."""
    pages = [DOCS / file.src_uri for file in files.documentation_pages()]
    seen = set()
    while pages:
        page = pages.pop()
        for name in _targets(page):
            if _is_ours(name) and name not in seen:
                seen.add(name)
                files.append(_file(name, config))
                pages += [ROOT / name] if name.endswith(".md") else []
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point the links of a page at the pages of the site."""
    here = page.file.src_uri
    name = posixpath.relpath(here, FOLDER) if here.startswith(f"{FOLDER}/") else f"docs/{here}"
    if not (ROOT / name).is_file():
        return markdown  # made by `_file`, with the links of the site

    def pointed(match: re.Match[str]) -> str:
        target = _target(name, match[1])
        if target is None or (not _is_ours(target) and name.startswith("docs/")):
            return match[0]
        anchor = match[1].partition("#")[2]
        link = posixpath.relpath(_uri(target), posixpath.dirname(here))
        return f"]({link}#{anchor})" if anchor else f"]({link})"

    parts, end = [], 0
    for code in CODE.finditer(markdown):
        parts += [LINK.sub(pointed, markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, LINK.sub(pointed, markdown[end:])])


def _targets(page: Path) -> Iterator[str]:
    name = str(page.relative_to(ROOT))
    for address in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
        if (target := _target(name, address)) is not None:
            yield target


def _target(page: str, address: str) -> str | None:
    """Return the path in the project that a link means; None if it is external or in its page."""
    path = address.partition("#")[0]
    if not path or EXTERNAL.match(address):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path))


def _is_ours(name: str) -> bool:
    return not name.startswith("docs/") and (ROOT / name).exists()


def _uri(name: str) -> str:
    """Return the path in the site's sources of a path in the project."""
    if name.startswith("docs/"):
        return name.removeprefix("docs/")
    if (ROOT / name).is_dir():
        return f"{FOLDER}/{name}/index.md"
    is_page = name.endswith(".md") or not _is_text(name)
    return f"{FOLDER}/{name}" if is_page else f"{FOLDER}/{name}.md"


def _is_text(name: str) -> bool:
    return b"\0" not in (ROOT / name).read_bytes()


def _file(name: str, config: MkDocsConfig) -> File:
    path, uri = ROOT / name, _uri(name)
    if path.is_dir():
        return File.generated(config, uri, content=_listing(name))
    if name.endswith(".md") or not _is_text(name):
        return File.generated(config, uri, abs_src_path=str(path))
    code = path.read_text("utf-8")
    language = LANGUAGES.get(path.suffix, "text")
    return File.generated(config, uri, content=f"# {name}\n\n````{language}\n{code}\n````\n")


def _listing(name: str) -> str:
    """Return a page with all files of a folder, with their text."""
    parts = [f"# {name}"]
    for path in sorted((ROOT / name).iterdir()):
        if path.is_file() and _is_text(f"{name}/{path.name}"):
            language = LANGUAGES.get(path.suffix, "text")
            code = path.read_text("utf-8")
            parts.append(f"## {path.name}\n\n````{language}\n{code}\n````")
    return "\n\n".join(parts) + "\n"
