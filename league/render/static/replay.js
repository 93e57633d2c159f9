"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const last = data.plies.length - 1;
const at = (id) => document.getElementById(id);
// A number below 0 stands for so many lines that follow the one before it.
const drawing = (board) => data.boards[board]
  .flatMap((line, place, all) => line < 0 ? data.lines.slice(all[place - 1] + 1, all[place - 1] + 1 - line) : data.lines[line])
  .join("\n");
const style = /<style>([^]*?)<\/style>/g;
const frame = `svg { display: block; width: 100%; height: auto; max-height: 68vh }
:host(.small) svg { max-height: 12rem; opacity: .75 }
:host(.bare) .foreseen { display: none }
:host(.turned) .turns { rotate: 180deg }
:host(.turned) .turns text { transform-box: fill-box; transform-origin: center; rotate: 180deg }
:host(.turned) .up { rotate: 180deg }`;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const place = (piece) => piece.getAttribute("transform");
const alike = (piece) => piece.outerHTML.replace(/(translate|rotate)\([^)]*\)/g, "");
let ply = 0, speed = 2, timer = 0, expecting = true;

// Each drawing has a root of its own: its style is for itself alone, and nothing in it can run.
function draw(host, board) {
  const root = host.shadowRoot || host.attachShadow({ mode: "open" });
  const text = drawing(board);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...text.matchAll(style)].map((found) => found[1]).join("\n") + frame);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML = text.replace(style, "");
  return [...root.querySelectorAll(".piece")];
}

// What is new slides from where its like has gone, or drops, or appears.
function move(before, now) {
  const texts = (pieces) => new Set(pieces.map((piece) => piece.outerHTML));
  const kept = texts(before), here = texts(now);
  const gone = before.filter((piece) => !here.has(piece.outerHTML));
  for (const piece of now) {
    if (kept.has(piece.outerHTML)) continue;
    const [x, y] = place(piece).match(/-?\d+/g);
    const twin = gone.findIndex((each) => alike(each) === alike(piece));
    const steps = { opacity: [0.2, 1] };
    if (twin >= 0) {
      const [left, top] = place(gone.splice(twin, 1)[0]).match(/-?\d+/g);
      steps.translate = [`${left - x}px ${top - y}px`, "0px 0px"];
      delete steps.opacity;
    } else if (piece.matches(".drop") && !gone.some((each) => place(each) === place(piece))) {
      steps.translate = [`0px ${-y}px`, "0px 0px"];
    }
    piece.animate(steps, { duration: Math.min(220, 700 / speed), easing: "ease-in-out" });
  }
}

// A browser takes so many of these a minute and no more.
function link() {
  if (timer) return;
  history.replaceState(null, "", ply ? `#${ply}` : location.pathname + location.search);
  if (at("picture")) at("picture").search = `?ply=${ply}`;
}

function show(wanted) {
  const steps = Math.max(0, Math.min(last, wanted)) - ply;
  ply += steps;
  const now = data.plies[ply];
  const board = at("board");
  const before = [...(board.shadowRoot?.querySelectorAll(".piece") ?? [])];
  const pieces = draw(board, ply);
  if (Math.abs(steps) === 1 && !calm.matches) move(before, pieces);
  board.classList.toggle("bare", !expecting);
  at("told").textContent = now.told;
  at("has").textContent = now.has;
  at("has").hidden = !now.has;
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
  if (at("explain")) at("explain").href = at("explain").href.replace(/\d+$/, ply);
  if (ply === last) stop();
  else link();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  at("play").textContent = "▷";
  link();
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
  f: () => {
    if (!at("turn")) return;
    const turned = at("board").classList.toggle("turned");
    at("expected").classList.toggle("turned", turned);
    at("turn").setAttribute("aria-pressed", turned);
  },
  "?": () => help(at("help").hidden),
  Escape: () => help(false),
};

function help(shown) {
  at("help").hidden = !shown;
  at("keys").setAttribute("aria-expanded", shown);
}

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
  if (event.key.length > 1) stop();
  does();
});

const buttons = { first: "Home", back: "ArrowLeft", play: " ", next: "ArrowRight", last: "End", turn: "f", keys: "?" };
for (const [id, key] of Object.entries(buttons)) at(id)?.addEventListener("click", () => keys[key]());
// The space bar plays, whatever button was clicked last.
document.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
at("slider").addEventListener("input", (event) => show(Number(event.target.value)));
at("moves").addEventListener("click", (event) => {
  const ply = event.target.closest("button")?.dataset.ply;
  if (ply) show(Number(ply));
});
for (const figure of document.querySelectorAll("[data-plot]")) {
  figure.addEventListener("click", (event) => {
    const box = figure.querySelector("svg").getBoundingClientRect();
    show(Math.round(((event.clientX - box.left) / box.width) * last + 0.5));
  });
}
window.addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
show(Number(location.hash.slice(1)) || 0);
