const tree = document.querySelector(".tree");
// The root stands in the middle of a drawing that may be wider than the window.
if (tree) tree.scrollLeft = (tree.scrollWidth - tree.clientWidth) / 2;

// A narrow window shows a small part of the drawing: there the outline is the one to read.
const outline = document.querySelector("[data-open-if-narrow]");
if (outline && matchMedia("(max-width: 40rem)").matches) outline.open = true;
