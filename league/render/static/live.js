// Keeps the parts of a page up to date: every element with data-topic, by a stream of events.
import { drawCharts } from "./charts.js";
import { Hub } from "./live_hub.js";
import { children, elements, same } from "./live_parts.js";

const settings = document.getElementById("live").dataset;
const address = new URL(settings.events, location.href).href;
const roots = [...document.querySelectorAll("[data-topic]")];
const status = document.getElementById("status");
let ahead = Math.max(0, ...roots.map((root) => Number(root.dataset.now))) - Date.now();

const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < 80;

function change(part, { whole, lines, more }) {
  const list = part.matches(".live-list") ? part.closest(".moves") : null;
  const wasAtEnd = list?.querySelector("button").hidden;
  if (whole !== undefined) children(part, [...elements(whole).childNodes]);
  for (const [key, text] of Object.entries(lines ?? {})) {
    const before = part.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const now = elements(text).firstElementChild;
    if (before && now) same(before, now);
  }
  if (more) {
    for (const each of [...elements(more).children]) {
      const before = part.querySelector(`[data-key="${CSS.escape(each.dataset.key)}"]`);
      if (before) same(before, each);
      else part.append(each);
    }
  }
  if (wasAtEnd) list.scrollTop = list.scrollHeight;
  if (part.querySelector("[data-chart]")) drawCharts(part);
}

// Changes that came while the window was busy are drawn at once: the newest state, and all new moves.
const waiting = new Map();

function take(change) {
  if (!waiting.size) setTimeout(show);
  const before = waiting.get(change.topic);
  waiting.set(change.topic, before ? { ...before, ...change, parts: joined(before.parts, change.parts) } : change);
}

function joined(before, now) {
  const found = { ...before };
  for (const [name, { whole, lines, more }] of Object.entries(now ?? {})) {
    const part = whole === undefined ? found[name] : undefined;
    found[name] = { whole: whole ?? part?.whole, lines: { ...part?.lines, ...lines }, more: [part?.more, more].filter(Boolean).join("\n") };
  }
  return found;
}

function show() {
  const changes = [...waiting.values()];
  waiting.clear();
  // Others still listen; what this window misses now it asks for when somebody comes back.
  if (document.hidden) return;
  for (const each of changes) update(each);
  tick(250);
}

function update({ topic, version, parts, over, now }) {
  for (const root of roots.filter((each) => each.dataset.topic === topic)) {
    ahead = now - Date.now();
    if (version) root.dataset.version = version;
    for (const [name, changes] of Object.entries(parts ?? {})) change(root.querySelector(`[data-part="${name}"]`), changes);
    if (over) root.dataset.over = "";
    // How it ended is read aloud.
    const said = root.querySelector("[data-say]")?.textContent ?? "";
    if (status && status.textContent !== said) status.textContent = said;
    root.dispatchEvent(new CustomEvent("change", { detail: { parts } }));
  }
}

// The time since a move, and the clock that runs, need no messages. Where changes come quickly, they
// move the clock too: a turn between two of them would cost the browser a frame of its own.
let turn;

function tick(next_ms = 100) {
  clearTimeout(turn);
  turn = setTimeout(tick, next_ms);
  const now = Date.now() + ahead;
  for (const each of document.querySelectorAll("time[data-moved]:not([data-clock])")) {
    write(each, `${Math.max(0, Math.round((now - each.dataset.moved) / 1000))} s ago`);
  }
  for (const each of document.querySelectorAll("time[data-clock][data-moved]")) {
    const gone = Math.max(0, (now - each.dataset.moved) / 1000), stood = Number(each.dataset.clock);
    write(each, clock(each.dataset.way === "up" ? stood + gone : Math.max(0, stood - gone)));
  }
}

// The same text written again would be laid out again.
function write(each, text) {
  if (each.textContent !== text) each.textContent = text;
}

function clock(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const tail = String(rest).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

// Says which topics this window shows: to the stream of all windows, or to one of its own.
function teller() {
  if (!globalThis.SharedWorker) {
    const hub = new Hub(address, take);
    return (topics) => hub.want("window", topics ?? []);
  }
  const worker = new SharedWorker(settings.hub, { type: "module", name: "league" });
  worker.port.onmessage = (event) => take(event.data);
  return (topics) => worker.port.postMessage({ address, topics });
}

const tell = teller();

// A window that nobody looks at wants nothing, and comes back to what it has missed.
function listen() {
  const open = document.hidden ? [] : roots.filter((root) => !("over" in root.dataset));
  tell(open.map((root) => [root.dataset.topic, root.dataset.version]));
}

document.addEventListener("visibilitychange", listen);
addEventListener("pagehide", () => tell(null));
addEventListener("pageshow", (event) => event.persisted && location.reload());
// A reader who scrolls back in the list of moves gets a button that leads to the newest one. The list
// also scrolls as the board beside it gets its size: that is nobody's doing.
for (const list of document.querySelectorAll(".live-moves")) {
  const newest = list.querySelector("button");
  const toEnd = () => { list.scrollTop = list.scrollHeight; };
  let high = 0;
  newest.addEventListener("click", toEnd);
  list.addEventListener("scroll", () => { if (list.clientHeight === high) newest.hidden = isAtEnd(list); });
  new ResizeObserver(() => {
    high = list.clientHeight;
    if (newest.hidden) toEnd();
  }).observe(list);
}
tick();
listen();
