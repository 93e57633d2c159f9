const tree = document.querySelector(".tree");
// The drawing may be wider than the window, and the best line far from the root in its middle.
if (tree) {
  const [root, first = root] = tree.querySelectorAll(".n.pv");
  const box = (first ?? tree.firstElementChild).getBoundingClientRect();
  tree.scrollLeft += (box.left + box.right) / 2 - tree.getBoundingClientRect().left - tree.clientWidth / 2;
}

// A narrow window shows a small part of the drawing: there the outline is the one to read.
const outline = document.querySelector("[data-open-if-narrow]");
if (outline && matchMedia("(max-width: 40rem)").matches) outline.open = true;
