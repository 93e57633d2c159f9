import { data, draw, slide } from "./replay_board.js";

const last = data.plies.length - 1;
const at = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let ply = 0, speed = 2, timer = 0, expecting = true;

// What a ply does not tell anew is as it was before.
function newest(told) {
  for (let each = ply; each >= 0; each--) {
    const found = told(data.plies[each]);
    if (found !== undefined) return found;
  }
  return undefined;
}

// A browser takes so many of these a minute and no more; a frame may have no address of its own.
function link() {
  if (timer || !/^(https?|file):$/.test(location.protocol)) return;
  history.replaceState(null, "", ply ? `#${ply}` : location.pathname + location.search);
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
  at("chance").style.setProperty("--chance", `${chance ?? 50}%`);
  at("chance").setAttribute("aria-label", chance === undefined ? "No chance told yet" : `${data.first} ${chance}%`);
}

function showMove() {
  document.querySelector("#moves [aria-current]")?.removeAttribute("aria-current");
  const move = document.querySelector(`#moves [data-ply="${ply}"]`);
  const list = at("moves");
  if (!move) {
    list.scrollTop = 0;
    return;
  }
  move.setAttribute("aria-current", "step");
  const { top } = move.getBoundingClientRect();
  list.scrollTop += top - list.getBoundingClientRect().top - list.clientHeight / 2;
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

function show(wanted) {
  const steps = Math.max(0, Math.min(last, wanted)) - ply;
  ply += steps;
  const now = data.plies[ply], board = at("board");
  const before = [...(board.shadowRoot?.querySelectorAll(".piece") ?? [])];
  const pieces = draw(board, ply);
  if (Math.abs(steps) === 1 && !calm.matches) slide(before, pieces, 700 / speed);
  board.classList.toggle("bare", !expecting);
  at("told").textContent = now.told;
  at("slider").value = ply;
  at("slider").setAttribute("aria-valuetext", `ply ${ply} of ${last}`);
  const line = expecting ? now.line : "";
  at("line").textContent = line;
  at("line").parentElement.classList.toggle("none", !line);
  if (at("expects")) {
    at("expects").hidden = !expecting;
    at("expected").classList.toggle("none", now.expected === undefined);
    if (expecting && now.expected !== undefined) draw(at("expected"), now.expected);
  }
  showSeats(now);
  showMove();
  showPlots();
  if (at("explain")) at("explain").href = at("explain").href.replace(/\d+$/, ply);
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
  const address = location.href.replace(/#.*/, "") + (ply ? `#${ply}` : "");
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
  if (place.matches?.("input:not([type=range]), select, textarea, .scroll:not(#moves)")) return;
  // A button that was reached by keys does what it says; one that was clicked lets the space play.
  if (event.key === " " && place.matches?.("button:focus-visible, summary")) return;
  if (/^[0-9]$/.test(event.key)) {
    if (event.key === "0") return stop();
    at("speed").value = speed = Number(event.key);
    return play();
  }
  const does = keys[event.key];
  if (!does) return;
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
at("link")?.addEventListener("click", copy);
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
const asked = () => (/^#\d{1,6}$/.test(location.hash) ? Number(location.hash.slice(1)) : null);
window.addEventListener("hashchange", () => asked() !== null && show(asked()));

const [, , wide, high] = data.lines[0].match(/viewBox="([^"]*)"/)?.[1].split(" ").map(Number) ?? [0, 0, 1, 1];
at("stage").style.setProperty("--ratio", wide / high);
at("board").replaceChildren();
show(asked() ?? 0);
