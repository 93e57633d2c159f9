// Leads from a chart to its ply and back: the ply that is shown, and the blunders, are marked in it.
import { drawn } from "./charts.js";

const figures = [...document.querySelectorAll("[data-chart]")];
let ply = 0;

// Before the first value and after the last one, the mark stands at the edge of the chart.
function across(plot, x) {
  const { min, max } = plot.scales.x;
  return `${plot.valToPos(Math.max(min, Math.min(max, x)), "x")}px`;
}

function marked(figure, className, x) {
  const { plot } = drawn.get(figure);
  const mark = document.createElement("span");
  mark.className = className;
  mark.style.left = across(plot, x);
  plot.over.append(mark);
  return mark;
}

function mark(figure) {
  const { plot } = drawn.get(figure);
  for (const each of plot.over.querySelectorAll(".chart-here, .chart-blunder")) each.remove();
  marked(figure, "chart-here", ply);
  const told = figure.closest("[data-blunders]")?.dataset.blunders ?? "";
  for (const each of told.split(" ").filter(Boolean)) {
    const [at, chance] = each.split(":").map(Number);
    const found = marked(figure, "chart-blunder", at);
    found.textContent = "??";
    found.style.top = `${plot.valToPos(chance, "y")}px`;
  }
}

function listen(figure) {
  const go = () => {
    const { plot } = drawn.get(figure);
    if (plot.cursor.idx != null) document.dispatchEvent(new CustomEvent("go", { detail: plot.data[0][plot.cursor.idx] }));
  };
  // A new chart knows its scales only after it was drawn.
  figure.addEventListener("drawn", () => requestAnimationFrame(() => mark(figure)));
  figure.addEventListener("click", (event) => event.target.closest(".u-over") && go());
  figure.addEventListener("keydown", (event) => event.key === "Enter" && event.target.matches(".chart-plot") && go());
  mark(figure);
}

document.addEventListener("ply", (event) => {
  ply = event.detail;
  for (const figure of figures) {
    const { plot, markUntil } = drawn.get(figure);
    plot.over.querySelector(".chart-here")?.style.setProperty("left", across(plot, ply));
    markUntil(ply);
  }
});
figures.forEach(listen);
