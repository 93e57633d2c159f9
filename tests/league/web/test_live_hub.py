"""The script that listens for changes, where the server refuses to send any."""

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

SCRIPT = files("league.render") / "static" / "live_hub.js"

REFUSED = """
const waits = [], streams = [];
globalThis.setTimeout = (then, wait) => { waits.push(wait); };
globalThis.EventSource = class {
  static CLOSED = 2;
  constructor(address) { this.address = address; this.readyState = 2; streams.push(this); }
  close() {}
};
const { Hub } = await import("data:text/javascript," + encodeURIComponent(process.argv[1]));
const hub = new Hub("/events", () => {});
hub.want("window", [["tournament/1", "ab.1"]]);
for (let time = 0; time < 7; time++) {
  streams.at(-1).onerror();
  hub.listen(true);
}
streams.at(-1).onopen();
streams.at(-1).onerror();
console.log(JSON.stringify(waits));
"""


def test_a_refused_stream_is_tried_again_less_and_less_often() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on this machine")
    command = [node, "--input-type=module", "-e", REFUSED, "--", SCRIPT.read_text("utf-8")]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(found) == [3000, 6000, 12000, 24000, 48000, 60000, 60000, 3000]
