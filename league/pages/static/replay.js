"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const last = data.plies.length - 1;
const at = (id) => document.getElementById(id);
const drawing = (board) => data.boards[board].map((line) => data.lines[line]).join("\n");
const style = /<style>([^]*?)<\/style>/g;
const frame = `svg { display: block; width: 100%; height: auto; max-height: 68vh }
:host(.small) svg { max-height: 12rem; opacity: .75 }
:host(.turned) svg { transform: rotate(180deg) }
:host(.turned) :is(text, .piece) { transform-box: fill-box; transform-origin: center; rotate: 180deg }`;
let ply = 0, speed = 2, timer = 0, expecting = true;

// Each drawing has a root of its own: its style is for itself alone, and nothing in it can run.
function draw(host, board) {
  const root = host.shadowRoot || host.attachShadow({ mode: "open" });
  const text = drawing(board);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...text.matchAll(style)].map((found) => found[1]).join("\n") + frame);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML = text.replace(style, "");
}

function show(wanted) {
  ply = Math.max(0, Math.min(last, wanted));
  const now = data.plies[ply];
  draw(at("board"), ply);
  at("told").textContent = now.told;
  at("slider").value = ply;
  at("expects").hidden = !expecting || now.expected === null;
  if (!at("expects").hidden) {
    at("line").textContent = now.line;
    draw(at("expected"), now.expected);
  }
  for (const each of document.querySelectorAll("#moves button")) {
    const here = Number(each.dataset.ply) === ply;
    if (here) {
      each.setAttribute("aria-current", "step");
      const list = at("moves");
      list.scrollTop = each.offsetTop - list.offsetTop - list.clientHeight / 2;
    } else {
      each.removeAttribute("aria-current");
    }
  }
  for (const each of document.querySelectorAll("[data-plot] .here")) {
    const wide = each.ownerSVGElement.viewBox.baseVal.width;
    const x = ply ? ((ply - 0.5) / Math.max(1, last)) * wide : 0;
    each.setAttribute("x1", x);
    each.setAttribute("x2", x);
  }
  history.replaceState(null, "", ply ? `#${ply}` : location.pathname + location.search);
  if (at("explain")) at("explain").href = at("explain").href.replace(/\d+$/, ply);
  if (ply === last) stop();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  at("play").textContent = "▷";
}

function play() {
  if (ply === last) show(0);
  clearInterval(timer);
  timer = setInterval(() => show(ply + 1), 1000 / speed);
  at("play").textContent = "‖";
}

const keys = {
  ArrowLeft: () => show(ply - 1),
  ArrowRight: () => show(ply + 1),
  Home: () => show(0),
  End: () => show(last),
  " ": () => (timer ? stop() : play()),
  b: () => data.swing !== null && show(data.swing),
  e: () => { expecting = !expecting; show(ply); },
  f: () => { for (const each of document.querySelectorAll(".board")) each.classList.toggle("turned"); },
  "?": () => { at("help").hidden = !at("help").hidden; },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (/^[0-9]$/.test(event.key)) {
    if (event.key === "0") return stop();
    speed = Number(event.key);
    return play();
  }
  const does = keys[event.key];
  if (!does) return;
  event.preventDefault();
  if (event.key !== " " && event.key.length > 1) stop();
  does();
});

const buttons = { first: "Home", back: "ArrowLeft", play: " ", next: "ArrowRight", last: "End", keys: "?" };
for (const [id, key] of Object.entries(buttons)) {
  at(id).addEventListener("click", () => keys[key]());
  // The space bar plays, whatever button was clicked last.
  at(id).addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
}
at("slider").addEventListener("input", (event) => show(Number(event.target.value)));
at("moves").addEventListener("click", (event) => {
  if (event.target.dataset.ply) show(Number(event.target.dataset.ply));
});
for (const figure of document.querySelectorAll("[data-plot]")) {
  figure.addEventListener("click", (event) => {
    const box = figure.querySelector("svg").getBoundingClientRect();
    show(Math.round(((event.clientX - box.left) / box.width) * last + 0.5));
  });
}
window.addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
show(Number(location.hash.slice(1)) || 0);
