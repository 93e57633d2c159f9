// A board that the server has drawn: shown in a root of its own, its pieces moved to their new places.
const STYLE = /<style>([^]*?)<\/style>/g;
const SHARED = `
:host { display: block; position: relative; }
svg { display: block; width: 100%; height: auto; max-height: var(--board-height, 68vh); }
:host(.turned) .turns { rotate: 180deg; }
:host(.turned) .turns text { transform-box: fill-box; transform-origin: center; rotate: 180deg; }
:host(.turned) .up { rotate: 180deg; }`;
const SLIDE_MS = 220;
const spot = (piece) => (piece.getAttribute("transform") ?? "translate(0,0)").match(/-?\d+(\.\d+)?/g).map(Number);
const alike = (piece) => piece.outerHTML.replace(/(translate|rotate)\([^)]*\)/g, "");

// Show a drawing, with `frame` as a further style, and return its pieces. In the root of its own the
// drawing's style is for itself alone, and nothing in it can run.
function draw(host, text, frame = "") {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...text.matchAll(STYLE)].map((found) => found[1]).join("\n") + SHARED + frame);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML = text.replace(STYLE, "");
  return piecesOf(host);
}

// A drawing of `packed_boards.py`: a number below 0 stands for so many lines that follow the one before it.
function unpacked({ lines, boards }, board) {
  return boards[board].flatMap((line, place, all) => line < 0 ? lines.slice(all[place - 1] + 1, all[place - 1] + 1 - line) : lines[line]).join("\n");
}

function piecesOf(host) {
  return [...(host.shadowRoot?.querySelectorAll(".piece") ?? [])];
}

// Slide each new piece from the place that its like has left; else drop it, or let it appear.
// It takes at most so many milliseconds, and no time for people who ask for less motion.
function slide(before, now, most = SLIDE_MS) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const texts = (pieces) => new Set(pieces.map((piece) => piece.outerHTML));
  const kept = texts(before), here = texts(now);
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
    piece.animate(steps, { duration: Math.min(SLIDE_MS, most), easing: "ease-in-out" });
  }
}

export { draw, piecesOf, slide, spot, unpacked };
