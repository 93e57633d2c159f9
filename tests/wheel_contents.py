"""Check what a wheel holds: `python tests/wheel_contents.py dist/*.whl`."""

import sys
import zipfile

WANTED = {
    "bots/iterative.py",
    "bots/py.typed",
    "games/connectfour.py",
    "games/py.typed",
    "league/cli/main.py",
    "league/render/search/page.html",
    "league/render/search/steps.html",
    "league/render/static/live.js",
    "league/render/static/replay.js",
    "league/render/static/report.css",
    "league/render/static/steps.css",
    "league/render/static/steps.js",
    "league/render/static/steps_page.css",
    "league/render/static/style.css",
    "league/render/static/tree.css",
    "league/render/static/tree.js",
    "league/render/templates/base.html",
    "league/render/templates/replay.html",
    "league/render/templates/report.html",
    "league/py.typed",
    "league/migrations/env.py",
    "league/migrations/script.py.mako",
    "league/migrations/versions/0001_first.py",
    "league/seats/process/hosts",
    "league/store/record_codec/dictionary-1.bin",
}


def main(path: str) -> None:
    """Exit with a list of what is missing or does not belong there."""
    names = set(zipfile.ZipFile(path).namelist())
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    missing, strange = WANTED - names, tops - {"bots", "games", "league"}
    stale = {name for name in names if name.endswith((".pyc", ".db", ".log"))}
    if missing or strange or stale:
        sys.exit(f"missing {missing}, strange {strange}, stale {stale}")


if __name__ == "__main__":
    main(sys.argv[1])
