import { piecesOf, spot } from "./drawn_board.js";

// The places of a drawn board that can be pressed, and the moves that a press or a drag means.

const FRAME = `
svg.over { position: absolute; inset: 0; height: 100%; max-height: none; }
.place { fill: transparent; cursor: pointer; }
.place.from { touch-action: none; cursor: grab; }
.place:hover { fill: rgb(47 129 214 / .28); }
.place.chosen { fill: rgb(47 129 214 / .45); }
.target { pointer-events: none; fill: rgb(20 30 50 / .45); stroke: rgb(255 255 255 / .8); stroke-width: 1.5; }
.target.ring { fill: none; stroke: rgb(20 30 50 / .55); stroke-width: 4; }
.newest { pointer-events: none; fill: none; stroke: #d4351c; stroke-width: 2; }
.lifted { filter: drop-shadow(0 2px 2px rgb(0 0 0 / .4)); pointer-events: none; }`;

const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// The legal moves of a position by the places to press: a placement's own, else from and to.
// `chosen` gets the moves that were meant: several where from and to don't tell them apart.
class Pointing {
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
      const isHeld = piecesOf(this.host).some((piece) => String(spot(piece)) === place);
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
    drag.piece ??= piecesOf(this.host).find((piece) => String(spot(piece)) === drag.place);
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

export { FRAME, Pointing };
