// The board beside a search that is stepped through: the position of the node of each step.
import { draw, piecesOf, slide, unpacked } from "./drawn_board.js";

const data = JSON.parse(document.getElementById("boards").textContent);
const host = document.getElementById("position"), told = document.getElementById("position-told");
let shown = null;

document.addEventListener("step", ({ detail: node }) => {
  const place = data.nodes.indexOf(node);
  if (place === shown) return;
  shown = place;
  const before = piecesOf(host);
  slide(before, draw(host, unpacked(data, place)));
  host.ariaLabel = told.textContent = data.told[place];
});
