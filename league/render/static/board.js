// A board that is drawn by the server: shown with its own style, its pieces moved, pressed.

const STYLE = /<style>([^]*?)<\/style>/g;
const FRAME = `
:host { display: block; position: relative; }
svg { display: block; width: 100%; height: auto; max-height: var(--board-height, 68vh); }
svg.over { position: absolute; inset: 0; height: 100%; max-height: none; }
:host(.turned) .turns { rotate: 180deg; }
:host(.turned) .turns text { transform-box: fill-box; transform-origin: center; rotate: 180deg; }
:host(.turned) .up { rotate: 180deg; }
.place { fill: transparent; cursor: pointer; }
.place.from { touch-action: none; cursor: grab; }
.place:hover { fill: rgb(47 129 214 / .28); }
.place.chosen { fill: rgb(47 129 214 / .45); }
.target { pointer-events: none; fill: rgb(20 30 50 / .45); stroke: rgb(255 255 255 / .8); stroke-width: 1.5; }
.target.ring { fill: none; stroke: rgb(20 30 50 / .55); stroke-width: 4; }
.newest { pointer-events: none; fill: none; stroke: #d4351c; stroke-width: 2; }
.lifted { filter: drop-shadow(0 2px 2px rgb(0 0 0 / .4)); pointer-events: none; }`;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const spot = (piece) => (piece.getAttribute("transform") ?? "translate(0,0)").match(/-?\d+(\.\d+)?/g).map(Number);
const alike = (piece) => piece.outerHTML.replace(/(translate|rotate)\([^)]*\)/g, "");

// Each drawing has a root of its own: its style is for itself alone, and nothing in it can run.
export function draw(host, text) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const before = [...root.querySelectorAll(".piece")];
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...text.matchAll(STYLE)].map((found) => found[1]).join("\n") + FRAME);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML = text.replace(STYLE, "");
  const now = [...root.querySelectorAll(".piece")];
  if (before.length && !calm.matches) slide(before, now);
  return root;
}

// What is new slides from where its like has gone, or drops, or appears.
function slide(before, now) {
  const kept = new Set(before.map((piece) => piece.outerHTML));
  const here = new Set(now.map((piece) => piece.outerHTML));
  const gone = before.filter((piece) => !here.has(piece.outerHTML));
  for (const piece of now) {
    if (kept.has(piece.outerHTML)) continue;
    const [x, y] = spot(piece);
    const twin = gone.findIndex((each) => alike(each) === alike(piece));
    const steps = { opacity: [0.2, 1] };
    if (twin >= 0) {
      const [left, top] = spot(gone.splice(twin, 1)[0]);
      steps.translate = [`${left - x}px ${top - y}px`, "0px 0px"];
      delete steps.opacity;
    } else if (piece.matches(".drop") && !gone.some((each) => String(spot(each)) === String(spot(piece)))) {
      steps.translate = [`0px ${-y}px`, "0px 0px"];
    }
    piece.animate(steps, { duration: 200, easing: "ease-in-out" });
  }
}

const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// The legal moves of a position by the places to press: a placement's own, else from and to.
// `chosen` gets the moves that were meant: several where from and to don't tell them apart.
export class Pointing {
  constructor(host, { byColumn, onChosen }) {
    this.host = host;
    this.byColumn = byColumn;
    this.onChosen = onChosen;
    this.moves = [];
    this.from = null;
    this.drag = null;
    host.addEventListener("pointermove", (event) => this.#drag(event));
    host.addEventListener("pointerup", (event) => this.#drop(event));
    host.addEventListener("pointercancel", () => this.#release());
  }

  // Take the legal moves of the position that was drawn last, and the point of a placement before.
  show(moves, newest) {
    this.newest = newest;
    const root = this.host.shadowRoot;
    const board = root.querySelector("svg");
    this.cell = Number(board.dataset.cell ?? 40);
    this.board = board;
    this.moves = moves.filter(({ points }) => points.length).map(({ text, points }) => ({
      text,
      from: points.length > 1 ? String(points[0]) : null,
      to: String(points.at(-1)),
    }));
    this.over = svg("svg", { class: board.classList.contains("turns") ? "over turns" : "over", viewBox: board.getAttribute("viewBox"), "aria-hidden": "true" });
    root.append(this.over);
    this.over.addEventListener("pointerdown", (event) => this.#press(event));
    this.choose(null);
  }

  choose(from) {
    this.from = from;
    const froms = new Set(this.moves.map((move) => move.from).filter(Boolean));
    const targets = new Set(this.moves.filter((move) => move.from === from).map((move) => move.to));
    const singles = new Set(this.moves.filter((move) => !move.from).map((move) => move.to));
    // Where a single piece can move, as in a maze, its target alone tells the move.
    const reached = froms.size === 1 ? this.moves.filter((move) => move.from).map((move) => move.to) : [];
    const shown = from ? targets : new Set(reached);
    this.over.replaceChildren();
    if (this.newest) {
      const [x, y] = this.newest;
      this.over.append(svg("rect", { class: "newest", rx: 3, x: x - this.cell / 2, y: y - this.cell / 2, width: this.cell, height: this.cell }));
    }
    for (const place of new Set([...froms, ...shown, ...singles])) {
      const [x, y] = place.split(",").map(Number);
      const [, top, , height] = this.board.getAttribute("viewBox").split(" ").map(Number);
      const isColumn = this.byColumn && singles.has(place);
      this.over.append(svg("rect", {
        class: `place${froms.has(place) ? " from" : ""}${place === from ? " chosen" : ""}`,
        "data-place": place,
        x: x - this.cell / 2, width: this.cell,
        y: isColumn ? top : y - this.cell / 2, height: isColumn ? height : this.cell,
      }));
      if (!shown.has(place)) continue;
      const isHeld = [...this.host.shadowRoot.querySelectorAll(".piece")].some((piece) => String(spot(piece)) === place);
      this.over.append(svg("circle", { class: isHeld ? "target ring" : "target", cx: x, cy: y, r: this.cell * (isHeld ? 0.43 : 0.15) }));
    }
  }

  // Whether a press at that place means something.
  press(place) {
    const meant = (test) => this.moves.filter(test);
    let found = [];
    if (this.from && place !== this.from) found = meant((move) => move.from === this.from && move.to === place);
    if (!found.length) found = meant((move) => !move.from && move.to === place);
    if (!found.length && !this.from && new Set(this.moves.map((move) => move.from)).size === 1) found = meant((move) => move.to === place);
    if (found.length) {
      this.choose(null);
      this.onChosen(found.map((move) => move.text));
    } else {
      this.choose(place !== this.from && this.moves.some((move) => move.from === place) ? place : null);
    }
  }

  #press(event) {
    const place = event.target.dataset.place;
    if (event.button || !place) return this.choose(null);
    event.preventDefault();
    const before = this.from;
    this.press(place);
    if (this.from !== place) return;
    this.drag = { x: event.clientX, y: event.clientY, piece: null, place, wasChosen: before === place };
    this.host.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const drag = this.drag;
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.piece && Math.hypot(x, y) < 6) return;
    drag.piece ??= [...this.host.shadowRoot.querySelectorAll(".piece")].find((piece) => String(spot(piece)) === drag.place);
    if (!drag.piece) return;
    const box = this.board.getBoundingClientRect();
    const [, , width, height] = this.board.getAttribute("viewBox").split(" ").map(Number);
    const scale = Math.max(width / box.width, height / box.height) * (this.host.matches(".turned") ? -1 : 1);
    drag.piece.classList.add("lifted");
    drag.piece.parentNode.append(drag.piece);
    drag.piece.style.translate = `${x * scale}px ${y * scale}px`;
  }

  #drop(event) {
    const drag = this.drag;
    this.#release();
    if (!drag?.piece) return;
    const place = this.host.shadowRoot.elementFromPoint(event.clientX, event.clientY)?.dataset.place;
    if (place && place !== drag.place) this.press(place);
  }

  #release() {
    if (this.drag?.piece) {
      this.drag.piece.style.translate = "";
      this.drag.piece.classList.remove("lifted");
    }
    this.drag = null;
  }
}
