const tree = document.querySelector(".tree");
// The root stands in the middle of a drawing that may be wider than the window.
if (tree) tree.scrollLeft = (tree.scrollWidth - tree.clientWidth) / 2;
