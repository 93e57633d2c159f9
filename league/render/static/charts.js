// Draws every figure with data-chart by uPlot, which the page loads before this.
// The arrow keys move from point to point; the values stand below the chart and are read aloud. Where
// there is a legend, they stand in it.
import { columns, counted, optionsOf, told, written } from "./chart_options.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
export const drawn = new Map();

// The style sheet bounds the height.
function sizeOf(place) {
  const width = place.clientWidth, [least, most] = ["minHeight", "maxHeight"].map((each) => parseFloat(getComputedStyle(place)[each]));
  return { width, height: Math.round(Math.max(least, Math.min(most, width * 0.45))) };
}

function draw(figure) {
  const read = () => JSON.parse(figure.querySelector("script").textContent);
  let data = read();
  const place = figure.querySelector(".chart-plot"), line = figure.querySelector(".chart-told");
  let at = -1;
  const legend = figure.querySelector(".legend");
  const values = [...(legend?.children ?? [])].map((key) => key.appendChild(document.createElement("b")));
  const mark = (index, placeIn = () => index) => {
    if (legend) legend.dataset.x = counted(data.xName, data.xTold[index]);
    for (const [number, value] of values.entries()) value.textContent = written(data, data.lines[number], placeIn(data.lines[number]));
    line.textContent = told(data, index, placeIn);
  };
  const say = (index) => { at = index; mark(at); };
  // Until somebody points at a value: of each line the newest one.
  const sayNewest = () => { at = -1; markUntil(Infinity); };
  // Of each line, the newest value until then. A replay reads its own words of a ply aloud.
  const markUntil = (x) => {
    const newest = (values, until) => values.findLastIndex((value, place) => place <= until && value != null);
    const index = Math.max(0, data.x.findLastIndex((each) => each <= x));
    line.ariaLive = "off";
    mark(index, ({ values }) => newest(values, index));
  };
  place.hidden = line.hidden = false;
  figure.querySelector("details")?.removeAttribute("open");
  sayNewest();
  const make = () => {
    place.replaceChildren();
    const plot = new uPlot(optionsOf(data, sizeOf(place), say), columns(data), place);
    plot.root.setAttribute("aria-hidden", "true");
    drawn.set(figure, { plot, make, markUntil, renew });
    figure.dispatchEvent(new CustomEvent("drawn"));
    return plot;
  };
  // The numbers are others now, and whoever reads a value keeps it. Only a reader's own steps are read aloud.
  const renew = () => {
    data = read();
    line.ariaLive = "off";
    const { top } = drawn.get(figure).plot.cursor;
    if (at >= 0 && at < data.x.length && place.matches(":hover, :focus")) say(at);
    else sayNewest();
    const plot = make();
    if (at >= 0) plot.setCursor({ left: plot.valToPos(data.x[at], "x"), top }, false);
  };
  make();
  place.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -data.x.length, End: data.x.length };
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    line.ariaLive = "polite";
    const next = Math.max(0, Math.min(data.x.length - 1, at + steps[event.key]));
    const { plot } = drawn.get(figure);
    plot.setCursor({ left: plot.valToPos(data.x[next], "x"), top: 0 });
    say(next);
  });
  new ResizeObserver(() => {
    // A figure that has left the page is told of its end, too.
    const plot = drawn.get(figure)?.plot;
    if (plot && place.clientWidth && Math.abs(plot.width - place.clientWidth) > 1) make();
  }).observe(place);
}

// Called for a figure whose numbers have changed.
export function redraw(figure) {
  drawn.get(figure)?.renew();
}

// Called again for parts of a page that arrive later.
export function drawCharts(root = document) {
  for (const figure of drawn.keys()) if (!figure.isConnected) drawn.delete(figure);
  for (const figure of root.querySelectorAll("[data-chart]")) if (!drawn.has(figure)) draw(figure);
}

dark.addEventListener("change", () => { for (const { make } of drawn.values()) make(); });
drawCharts();
