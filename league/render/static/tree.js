const tree = document.querySelector(".tree");

// Smaller texts of the drawing, of 13 pixels, could not be read.
const LEAST = 0.85;

// The buttons change the size of the drawing; its middle stays in the middle.
function addZoom() {
  const svg = tree.querySelector("svg"), whole = svg.viewBox.baseVal.width;
  const bar = document.createElement("p");
  bar.className = "buttons tree-zoom";
  let scale = 1, follow = null;
  const zoom = (wanted, rule = null) => {
    follow = rule;
    const across = (tree.scrollLeft + tree.clientWidth / 2) / tree.scrollWidth;
    scale = Math.max(Math.min(0.1, fit()), Math.min(2, wanted));
    svg.setAttribute("width", whole * scale);
    svg.setAttribute("height", svg.viewBox.baseVal.height * scale);
    tree.scrollLeft = across * tree.scrollWidth - tree.clientWidth / 2;
  };
  const button = (text, label, wanted, rule = null) => {
    const made = bar.appendChild(document.createElement("button"));
    made.type = "button";
    made.textContent = text;
    made.ariaLabel = label;
    made.addEventListener("click", () => zoom(wanted(), rule));
  };
  const fit = () => tree.clientWidth / whole;
  button("−", "Smaller", () => scale / 1.25);
  button("+", "Larger", () => scale * 1.25);
  button("Fit", "Fit the whole tree", fit, fit);
  button("100%", "Full size", () => 1);
  const head = tree.parentElement.querySelector(".card-head");
  if (head) head.append(bar);
  else tree.before(bar);
  // A tree opens whole where it can be read so, and else at the least size that can be.
  const open = () => Math.max(LEAST, Math.min(1, fit()));
  zoom(open(), open);
  new ResizeObserver(() => { if (follow) zoom(follow(), follow); }).observe(tree);
}

// The drawing may be wider than the window: it opens with the root and the best move in sight.
if (tree) {
  addZoom();
  const [root, best = root] = [...tree.querySelectorAll(".n.pv")].map((each) => each.getBoundingClientRect());
  const middle = (box) => (box.left + box.right) / 2, room = Math.max(0, tree.clientWidth / 2 - root.width);
  const aside = Math.max(-room, Math.min(room, (middle(best) - middle(root)) / 2));
  tree.scrollLeft += middle(root) + aside - middle(tree.getBoundingClientRect());
}

// A narrow window shows a small part of the drawing: there the outline is the one to read.
const outline = document.querySelector("[data-open-if-narrow]");
if (outline && matchMedia("(max-width: 40rem)").matches) outline.open = true;
