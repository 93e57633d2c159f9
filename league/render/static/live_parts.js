// Puts a newer drawing of a part into the page: only the elements that differ are touched.
import { redraw } from "./charts.js";
import { draw, piecesOf, slide } from "./drawn_board.js";

// What stays the same is left alone: a focus, an open part, a place that was scrolled to.
function same(before, now) {
  if (now.matches?.("img[data-key=board]")) return board(before, now);
  if (before.nodeType !== now.nodeType || before.nodeName !== now.nodeName) return before.replaceWith(now);
  if (before.nodeType !== Node.ELEMENT_NODE) {
    if (before.data !== now.data) before.data = now.data;
    return;
  }
  if (before.matches("[data-chart]")) return chart(before, now);
  for (const { name } of [...before.attributes]) {
    if (!now.hasAttribute(name) && !(name === "open" && before.matches("details"))) before.removeAttribute(name);
  }
  for (const { name, value } of now.attributes) {
    if (before.getAttribute(name) !== value && !(name === "open" && before.matches("details"))) before.setAttribute(name, value);
  }
  children(before, [...now.childNodes]);
}

// The script of the charts has added to the figure: only its numbers, its title and its table change.
function chart(before, now) {
  const [old, fresh] = [before, now].map((figure) => figure.querySelector("script"));
  if (old.textContent === fresh.textContent) return;
  const keys = ({ textContent }) => JSON.stringify(JSON.parse(textContent).lines.map(({ name, colour }) => [name, colour]));
  if (keys(old) !== keys(fresh)) return before.replaceWith(now);
  old.textContent = fresh.textContent;
  for (const part of ["figcaption", "table"]) {
    const [one, other] = [before, now].map((figure) => figure.querySelector(part));
    if (one) same(one, other);
  }
  redraw(before);
}

// As a picture, each position would be a document that the browser makes anew.
let drawn_ms = 0;

// The page gives the board the width that it needs, and the moves the rest.
function fit(board, ratio) {
  const replay = board.closest(".replay");
  replay.style.setProperty("--ratio", ratio);
  replay.classList.add("sized");
}

const first = document.querySelector(".replay .board img");
first?.decode().then(() => fit(first, first.naturalWidth / first.naturalHeight), () => {});

function board(before, now) {
  let host = before;
  if (before.matches("img")) {
    host = document.createElement("div");
    host.dataset.key = "board";
    host.role = "img";
    before.replaceWith(host);
  }
  const pieces = piecesOf(host), source = now.getAttribute("src");
  host.ariaLabel = now.alt;
  const placed = draw(host, decodeURIComponent(source.slice(source.indexOf(",") + 1)));
  host.closest(".stage").classList.add("drawn");
  const { width, height } = host.shadowRoot.querySelector("svg").viewBox.baseVal;
  fit(host, width / height);
  // Where moves come quickly nobody could follow the pieces.
  if (pieces.length && Date.now() - drawn_ms > 1000) slide(pieces, placed);
  drawn_ms = Date.now();
}

function children(parent, wanted) {
  const keyed = new Map([...parent.children].filter((each) => each.dataset?.key).map((each) => [each.dataset.key, each]));
  let at = parent.firstChild;
  for (const now of wanted) {
    const twin = now.dataset?.key && keyed.get(now.dataset.key);
    if (twin) {
      if (twin === at) at = at.nextSibling;
      else parent.insertBefore(twin, at);
      same(twin, now);
    } else if (at && !at.dataset?.key && at.nodeName === now.nodeName) {
      const next = at.nextSibling;
      same(at, now);
      at = next;
    } else {
      parent.insertBefore(now, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function elements(text) {
  const holder = document.createElement("template");
  holder.innerHTML = text;
  return holder.content;
}

export { children, elements, same };
