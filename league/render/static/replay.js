import { draw, piecesOf, slide, unpacked } from "./drawn_board.js";
import { rowFrom, showMove } from "./move_list.js";

const data = JSON.parse(document.getElementById("data").textContent);
const last = data.plies.length - 1;
const at = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];
let ply = last, speed = 2, timer = 0, expecting = true;

const BARE = ":host(.bare) .foreseen { display: none; }";
const drawing = (board) => unpacked(data, board);

// Chess is numbered by moves: 12w, 12b.
const addressOf = (ply) => data.plies[ply].at ?? ply;

// What a ply does not tell anew is as it was before.
function newest(told) {
  for (let each = ply; each >= 0; each--) {
    const found = told(data.plies[each]);
    if (found !== undefined) return found;
  }
  return undefined;
}

// A browser takes so many of these a minute and no more; a frame may have no address of its own.
const hasAddress = /^(https?|file):$/.test(location.protocol);
function link() {
  if (timer || !hasAddress) return;
  history.replaceState(null, "", ply < last ? `#${addressOf(ply)}` : location.pathname + location.search);
  if (at("picture")) at("picture").search = `?ply=${ply}`;
}

function showSeats(now) {
  for (const strip of all("[data-seat]")) {
    const seat = Number(strip.dataset.seat);
    strip.classList.toggle("moves-next", now.next === seat);
    strip.querySelector(".strip-turn").textContent = now.next === seat ? "to move" : "";
    strip.querySelector(".strip-has").textContent = newest((each) => each.has)?.[seat] ?? "";
    strip.querySelector(".strip-time").textContent = newest((each) => each.seat === seat ? each.time : undefined) ?? data.times[seat];
  }
  const chance = newest((each) => each.chance);
  if (!at("chance")) return;
  at("share").textContent = chance === undefined ? "" : `${chance}%`;
  at("chance").style.setProperty("--chance", `${chance ?? 50}%`);
  at("chance").setAttribute("aria-label", chance === undefined ? "No chance told yet" : `${data.first} ${chance}%`);
}

function showFacts(now) {
  const facts = data.facts.map((name, place) => [name, now.facts?.[place]]).filter(([, value]) => value);
  at("facts").replaceChildren(...facts.map(([name, value]) => {
    const pair = document.createElement("div");
    pair.dataset.fact = name;
    pair.append(document.createElement("dt"), document.createElement("dd"));
    pair.firstChild.textContent = name === "Depth" && value.includes("/") ? "Depth/selective" : name;
    pair.lastChild.textContent = value;
    return pair;
  }));
  at("brief").textContent = [now.told, ...facts.map((fact) => fact.join(" "))].join(" · ");
}

function showPlots() {
  for (const each of all("[data-plot] .here")) {
    const wide = each.ownerSVGElement.viewBox.baseVal.width;
    const x = ply ? ((ply - 0.5) / Math.max(1, last)) * wide : 0;
    each.setAttribute("x1", x);
    each.setAttribute("x2", x);
  }
  document.dispatchEvent(new CustomEvent("ply", { detail: ply }));
}

// Only those of the move that led to this position.
function showCalls() {
  const calls = all("[data-calls]");
  for (const each of calls) {
    each.open = Number(each.dataset.calls) === ply;
    each.hidden = !each.open;
  }
  if (at("no-calls")) at("no-calls").hidden = calls.some((each) => each.open);
}

function show(wanted) {
  if (wanted !== last) at("opened").hidden = true;
  const steps = Math.max(0, Math.min(last, wanted)) - ply;
  ply += steps;
  const now = data.plies[ply], board = at("board");
  const before = piecesOf(board);
  const pieces = draw(board, drawing(ply), BARE);
  if (Math.abs(steps) === 1) slide(before, pieces, 700 / speed);
  board.classList.toggle("bare", !expecting);
  at("stage").parentElement.classList.toggle("under-way", ply < last);
  at("told").textContent = now.told;
  showFacts(now);
  showCalls();
  at("slider").value = ply;
  at("slider").setAttribute("aria-valuetext", now.at ? now.told : `ply ${ply} of ${last}`);
  const line = expecting ? now.line : "";
  at("line").textContent = line;
  at("line").parentElement.classList.toggle("none", !line);
  at("lines")?.classList.toggle("idle", !now.line);
  if (at("expects")) {
    at("expects").hidden = !expecting || now.expected === undefined;
    if (!at("expects").hidden) draw(at("expected"), drawing(now.expected), BARE);
  }
  showSeats(now);
  showMove(ply);
  showPlots();
  if (at("explain")) {
    at("explain").href = at("explain").href.replace(/[^/]+$/, addressOf(ply));
    // The search that led to a move began in the position before it.
    at("explain-move").hidden = !ply;
    const link = at("explain-move").querySelector("a");
    if (ply) link.href = link.href.replace(/[^/]+$/, addressOf(ply - 1));
  }
  if (ply === last) stop();
  else link();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  at("play").setAttribute("aria-label", "Play (space)");
  at("play").classList.remove("playing");
  link();
}

function play() {
  if (ply === last) show(0);
  clearInterval(timer);
  timer = setInterval(() => show(ply + 1), 1000 / speed);
  at("play").setAttribute("aria-label", "Pause (space)");
  at("play").classList.add("playing");
}

function help(shown) {
  at("help").hidden = !shown;
  at("keys").setAttribute("aria-expanded", shown);
}

async function copy() {
  const address = location.href.replace(/#.*/, "") + (ply < last ? `#${addressOf(ply)}` : "");
  try {
    await navigator.clipboard.writeText(address);
    at("copied").textContent = "Copied.";
  } catch {
    // Without a secure address a page may not write there: then people copy it themselves.
    at("copied").textContent = address;
  }
}

const keys = {
  ArrowLeft: () => show(ply - 1),
  ArrowRight: () => show(ply + 1),
  Home: () => show(0),
  End: () => show(last),
  " ": () => (timer ? stop() : play()),
  b: () => data.swing !== null && show(data.swing),
  n: () => data.blunders.length && show(data.blunders.find((each) => each > ply) ?? data.blunders[0]),
  e: () => {
    expecting = !expecting;
    at("lines")?.setAttribute("aria-pressed", expecting);
    show(ply);
  },
  ArrowUp: () => show(rowFrom(-1, ply)),
  ArrowDown: () => show(rowFrom(1, ply)),
  f: () => {
    if (!at("turn")) return;
    const turned = at("board").classList.toggle("turned");
    at("expected")?.classList.toggle("turned", turned);
    at("stage").classList.toggle("turned", turned);
    at("turn").setAttribute("aria-pressed", turned);
  },
  "?": () => help(at("help").hidden),
  Escape: () => help(false),
};

document.addEventListener("keydown", (event) => {
  const place = event.target;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (place.matches?.("input:not([type=range]), select, textarea, .scroll:not(#moves), .log")) return;
  // A button that was reached by keys does what it says; one that was clicked lets the space play.
  if (event.key === " " && place.matches?.("button:focus-visible, summary")) return;
  if (/^[0-9]$/.test(event.key)) {
    if (event.key === "0") return stop();
    at("speed").value = speed = Number(event.key);
    return play();
  }
  const does = keys[event.key];
  // Up and down scroll the page, but in the list they lead from row to row.
  if (!does || (/Up|Down/.test(event.key) && !place.closest?.("#moves"))) return;
  event.preventDefault();
  if (event.key.length > 1) stop();
  does();
});
document.addEventListener("keyup", (event) => {
  if (event.key === " " && event.target.matches?.("button:not(:focus-visible)")) event.preventDefault();
});

const buttons = { first: "Home", back: "ArrowLeft", play: " ", next: "ArrowRight", last: "End", turn: "f", lines: "e", swing: "b", blunder: "n", keys: "?" };
for (const [id, key] of Object.entries(buttons)) {
  at(id)?.addEventListener("click", () => {
    if (key.length > 1) stop();
    keys[key]();
  });
}
at("opened").querySelector("button").addEventListener("click", () => {
  at("play").focus({ preventScroll: true });
  play();
});
at("link").addEventListener("click", copy);
at("link").hidden = !hasAddress;
at("speed").addEventListener("change", (event) => {
  speed = Number(event.target.value);
  if (timer) play();
});
at("slider").addEventListener("input", (event) => show(Number(event.target.value)));
document.addEventListener("click", (event) => {
  const found = event.target.closest("[data-ply]");
  if (!found || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  show(Number(found.dataset.ply));
});
document.addEventListener("go", (event) => { stop(); show(event.detail); });
for (const figure of all("[data-plot]")) {
  figure.addEventListener("click", (event) => {
    const box = figure.querySelector("svg").getBoundingClientRect();
    show(Math.round(((event.clientX - box.left) / box.width) * last + 0.5));
  });
}

// A finger that strokes the board sideways steps; up and down it scrolls the page.
let begin = null;
at("board").addEventListener("pointerdown", (event) => { begin = event.pointerType === "mouse" ? null : event; });
at("board").addEventListener("pointerup", (event) => {
  if (!begin) return;
  const [across, down] = [event.clientX - begin.clientX, event.clientY - begin.clientY];
  begin = null;
  if (Math.abs(across) < 30 || Math.abs(across) < 2 * Math.abs(down)) return;
  stop();
  show(ply + (across < 0 ? 1 : -1));
});

// Other words behind the number sign, such as those of the skip link, are none of ours.
function asked() {
  const word = location.hash.slice(1), place = data.plies.findIndex((each) => each.at === word);
  if (place >= 0) return place;
  return /^\d{1,6}$/.test(word) ? Number(word) : null;
}
window.addEventListener("hashchange", () => asked() !== null && show(asked()));

const [, , wide, high] = data.lines[0].match(/viewBox="([^"]*)"/)?.[1].split(" ").map(Number) ?? [0, 0, 1, 1];
at("stage").parentElement.style.setProperty("--ratio", wide / high);
at("board").replaceChildren();
show(asked() ?? last);
