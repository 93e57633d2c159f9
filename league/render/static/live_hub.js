// One stream of events for all windows of this browser: browsers allow six connections to a host.
// As a shared worker it serves every window. Where a browser has none, each window has a hub of its own.

// The pause before a refused stream is tried again: longer each time, up to the longest.
const AGAIN_MS = 3000, LONGEST_MS = 60000;

export class Hub {
  // `send` hands a change to all windows; each one knows its own topics.
  constructor(address, send) {
    this.address = address;
    this.send = send;
    this.wishes = new Map();
    this.known = new Map();
    this.stream = null;
    this.opened = "";
    this.again_ms = AGAIN_MS;
  }

  // A window shows these topics, in these versions: [["tournament/7", "1a2b.17"], …].
  want(window, topics) {
    if (topics.length) this.wishes.set(window, topics);
    else this.wishes.delete(window);
    let isBehind = false;
    for (const [topic, version] of topics) {
      if (this.known.has(topic) && !behind(version, this.known.get(topic))) continue;
      isBehind ||= this.known.has(topic);
      this.known.set(topic, version);
    }
    this.listen(isBehind);
  }

  listen(isBehind) {
    const topics = [...new Set([...this.wishes.values()].flat().map(([topic]) => topic))].sort();
    for (const topic of this.known.keys()) if (!topics.includes(topic)) this.known.delete(topic);
    if (!isBehind && this.opened === topics.join(" ")) return;
    this.stream?.close();
    this.stream = null;
    this.opened = topics.join(" ");
    if (!topics.length) return;
    const query = topics.map((topic) => `topic=${topic}~${this.known.get(topic)}`).join("&");
    const stream = this.stream = new EventSource(`${this.address}?${query}`);
    stream.onopen = () => { this.again_ms = AGAIN_MS; };
    stream.onmessage = (event) => this.take(JSON.parse(event.data));
    // A lost connection is made again by the browser; a refused one is tried again here. Whoever has
    // too many live pages is refused until some of them are closed.
    stream.onerror = () => {
      if (stream.readyState !== EventSource.CLOSED) return;
      setTimeout(() => { if (stream === this.stream) this.listen(true); }, this.again_ms);
      this.again_ms = Math.min(2 * this.again_ms, LONGEST_MS);
    };
  }

  take(change) {
    if (change.version) this.known.set(change.topic, change.version);
    this.send(change);
    if (!change.over) return;
    for (const [window, topics] of this.wishes) {
      this.wishes.set(window, topics.filter(([topic]) => topic !== change.topic));
    }
    this.listen(false);
  }
}

// Whether a window's version is older than what the stream has sent already.
function behind(version, known) {
  const [epoch, number] = version.split("."), [other, sent] = known.split(".");
  return epoch !== other || Number(number) < Number(sent);
}

if (typeof SharedWorkerGlobalScope !== "undefined") {
  const ports = new Set();
  let hub = null;
  self.onconnect = ({ ports: [port] }) => {
    ports.add(port);
    port.onmessage = ({ data: { address, topics } }) => {
      hub ??= new Hub(address, (change) => { for (const each of ports) each.postMessage(change); });
      if (topics === null) ports.delete(port);
      hub.want(port, topics ?? []);
    };
  };
}
