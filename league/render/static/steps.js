"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const events = data.events, last = events.length - 1;
const find = (id) => document.getElementById(id);
const groups = new Map(), parts = new Map(), line = new Set();
for (const each of document.querySelectorAll(".tree [data-n]")) {
  const key = each.dataset.n;
  if (each.classList.contains("pv")) line.add(each);
  if (each.classList.contains("n")) groups.set(key, each);
  else parts.set(key, [...(parts.get(key) || []), each]);
}
let at = 0, timer = 0;

/* A line begins below the texts of its parent, and at its shape as long as there are none. */
function join(key, parent, own) {
  const path = (parts.get(key) || []).find((each) => each.classList.contains("e"))?.querySelector(".edge");
  if (!path) return;
  const shape = parent.querySelector(".shape").getBBox(), texts = parent.querySelectorAll(".value, .window");
  const lows = [shape.y + shape.height, ...[...texts].filter((each) => own && each.textContent).map((each) => each.y.baseVal[0].value + 5)];
  const level = parent.transform.baseVal[0].matrix.f + Math.max(...lows);
  path.setAttribute("d", path.getAttribute("d").replace(/ [\d.]+L/, ` ${level}L`));
}

/* What is known of each node after a number of events: replayed, so that going back is the same. */
function known(upto) {
  const nodes = new Map();
  let path = [];
  for (let i = 0; i <= upto; i++) {
    const { step, node, value } = events[i], key = String(node), fixed = data.nodes[key];
    if (step === "enter" || step === "leaf") {
      while (path.length && path[path.length - 1] !== String(fixed.parent)) path.pop();
      nodes.set(key, { alpha: fixed.alpha, beta: fixed.beta, shown: "", cut: false, done: step === "leaf" });
      if (step === "leaf") nodes.get(key).shown = fixed.worth;
      path.push(key);
      continue;
    }
    const own = nodes.get(key);
    path = path.slice(0, path.indexOf(key) + 1);
    if (step === "alpha") own.alpha = value;
    if (step === "beta") own.beta = value;
    if (step === "cut") own.cut = true;
    if (step === "leave") { own.done = true; own.shown = fixed.worth; }
    else own.shown = "… " + value;
  }
  return { nodes, path };
}

function show(index, follow = true) {
  at = Math.max(0, Math.min(last, index));
  const { nodes, path } = known(at), event = events[at], now = String(event.node);
  for (const [key, group] of groups) {
    const own = nodes.get(key);
    group.classList.toggle("todo", !own);
    group.classList.toggle("open", Boolean(own) && path.includes(key));
    group.classList.toggle("now", key === now);
    group.classList.toggle("cut", Boolean(own) && own.cut);
    group.querySelector(".value").textContent = own ? own.shown : "";
    const bounds = group.querySelector(".window");
    if (bounds) bounds.textContent = own ? "[" + own.alpha + ", " + own.beta + "]" : "";
    /* Without a value, the window has its place. */
    if (bounds) bounds.setAttribute("y", own?.shown ? 49 : 33);
    for (const part of parts.get(key) || []) {
      const isThere = part.classList.contains("c") ? own && own.cut
        : part.classList.contains("h") ? own && own.done : own;
      part.classList.toggle("todo", !isThere);
    }
  }
  for (const key of groups.keys()) {
    const parent = String(data.nodes[key].parent);
    if (groups.has(parent)) join(key, groups.get(parent), nodes.get(parent));
  }
  /* The best line is known at the end only. */
  for (const each of line) each.classList.toggle("pv", at === last);
  document.querySelector(".said").textContent = event.text;
  find("made").textContent = event.made.toLocaleString("en");
  find("left").textContent = event.left.toLocaleString("en");
  find("step").textContent = (at + 1) + " of " + events.length;
  find("slider").value = at;
  find("slider").setAttribute("aria-valuetext", event.text);
  table(nodes, path);
  if (follow) centre(groups.get(now));
  document.dispatchEvent(new CustomEvent("step", { detail: event.node }));
}

function row(cells, kind) {
  const line = document.createElement("tr");
  for (const text of cells) {
    const cell = line.appendChild(document.createElement(kind));
    cell.textContent = text;
    if (kind === "th") cell.scope = "col";
  }
  return line;
}

function table(nodes, path) {
  const head = ["Move", "Who moves", ...(data.pruning ? ["Window"] : []), "So far"];
  document.querySelector("thead").replaceChildren(row(head, "th"));
  document.querySelector("tbody").replaceChildren(...path.map((key) => {
    const own = nodes.get(key), fixed = data.nodes[key];
    const bounds = data.pruning ? ["[" + own.alpha + ", " + own.beta + "]"] : [];
    return row([fixed.move, fixed.mover, ...bounds, own.shown.replace("… ", "")], "td");
  }));
}

function centre(group) {
  const frame = document.querySelector(".tree");
  const box = group.getBoundingClientRect(), outer = frame.getBoundingClientRect();
  const x = (box.left + box.right - outer.left - outer.right) / 2;
  const y = (box.top + box.bottom - outer.top - outer.bottom) / 2;
  if (Math.abs(x) > outer.width * 0.35) frame.scrollLeft += x;
  if (Math.abs(y) > outer.height * 0.35) frame.scrollTop += y;
}

function play(isOn) {
  clearInterval(timer);
  timer = 0;
  if (isOn) {
    if (at === last) show(0);
    timer = setInterval(() => { if (at === last) play(false); else show(at + 1); }, 700);
  }
  find("play").querySelector("path").setAttribute("d", isOn ? "M6 4v12M13 4v12" : "M6 4l10 6-10 6z");
  find("play").setAttribute("aria-label", isOn ? "Pause" : "Play");
}

function go(index) { play(false); show(index); }

find("slider").max = last;
find("slider").addEventListener("input", (event) => go(Number(event.target.value)));
find("first").addEventListener("click", () => go(0));
find("back").addEventListener("click", () => go(at - 1));
find("play").addEventListener("click", () => play(!timer));
find("on").addEventListener("click", () => go(at + 1));
find("last").addEventListener("click", () => go(last));
document.addEventListener("keydown", (event) => {
  /* Space presses the button that has the focus, as everywhere. */
  if (event.key === " " && event.target.closest("button, summary")) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const jumps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last };
  if (event.key in jumps) go(jumps[event.key]);
  else if (event.key === " ") play(!timer);
  else return;
  event.preventDefault();
});
show(0);
