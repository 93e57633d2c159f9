// Draws the positions of a match, and moves its pieces from one to the next.
const data = JSON.parse(document.getElementById("data").textContent);
const style = /<style>([^]*?)<\/style>/g;
const frame = `svg { display: block; width: 100%; height: auto; max-height: var(--board-height, 68vh) }
:host(.bare) .foreseen { display: none }
:host(.turned) .turns { rotate: 180deg }
:host(.turned) .turns text { transform-box: fill-box; transform-origin: center; rotate: 180deg }
:host(.turned) .up { rotate: 180deg }`;
const place = (piece) => piece.getAttribute("transform");
const alike = (piece) => piece.outerHTML.replace(/(translate|rotate)\([^)]*\)/g, "");

// A number below 0 stands for so many lines that follow the one before it.
const drawing = (board) => data.boards[board]
  .flatMap((line, place, all) => line < 0 ? data.lines.slice(all[place - 1] + 1, all[place - 1] + 1 - line) : data.lines[line])
  .join("\n");

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
function slide(before, now, most) {
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
    piece.animate(steps, { duration: Math.min(220, most), easing: "ease-in-out" });
  }
}

export { data, draw, slide };
