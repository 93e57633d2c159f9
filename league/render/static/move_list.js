// The list of moves of a replay: the move that is shown, and the ways from row to row.
const list = document.getElementById("moves");

function showMove(ply) {
  // The list is one stop of the Tab key: the move that is shown, or the first one.
  const held = list.querySelector("[tabindex='0']"), isHere = held === document.activeElement;
  held?.removeAttribute("aria-current");
  held?.setAttribute("tabindex", "-1");
  const move = list.querySelector(`[data-ply="${ply}"]`), next = move ?? list.querySelector("[data-ply]");
  next?.setAttribute("tabindex", "0");
  if (isHere) next?.focus({ preventScroll: true });
  if (!move) {
    list.scrollTop = 0;
    return;
  }
  move.setAttribute("aria-current", "step");
  const { top } = move.getBoundingClientRect();
  list.scrollTop += top - list.getBoundingClientRect().top - list.clientHeight / 2;
}

// The ply above or below the one that is shown, or the nearest in that row.
function rowFrom(step, ply) {
  const cell = list.querySelector("[tabindex='0']").closest("td"), row = cell.parentElement;
  const other = row.parentElement.rows[row.sectionRowIndex + step];
  return Number((other?.cells[cell.cellIndex]?.firstChild ?? other?.querySelector("a"))?.dataset.ply ?? ply);
}

list.removeAttribute("tabindex");
for (const each of list.querySelectorAll("[data-ply]")) each.setAttribute("tabindex", "-1");

export { rowFrom, showMove };
