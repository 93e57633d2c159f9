// Leads from a chart to its ply and back: the ply that is shown, and the blunders, are marked in it.
import { drawn } from "./charts.js";

const figures = [...document.querySelectorAll("[data-chart]")];
let ply = 0;

function marked(figure, className, x) {
  const { plot } = drawn.get(figure);
  const mark = document.createElement("span");
  mark.className = className;
  mark.style.left = `${plot.valToPos(x, "x")}px`;
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
  figure.addEventListener("drawn", () => mark(figure));
  figure.addEventListener("click", (event) => event.target.closest(".u-over") && go());
  figure.addEventListener("keydown", (event) => event.key === "Enter" && event.target.matches(".chart-plot") && go());
  mark(figure);
}

document.addEventListener("ply", (event) => {
  ply = event.detail;
  for (const figure of figures) {
    const { plot } = drawn.get(figure);
    plot.over.querySelector(".chart-here").style.left = `${plot.valToPos(ply, "x")}px`;
  }
});
figures.forEach(listen);
