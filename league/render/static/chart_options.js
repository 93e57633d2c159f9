// What uPlot is told of a chart: its axes, colours, bands and marks; and its values in words.
const WHOLE = [...Array(9).keys()].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

const ONE = { matches: "match", plies: "ply", "pairs of matches": "pair of matches" };

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// The colour of a seat, that of its edge, and that of its line, "" where it needs none of its own.
function paintOf(seat) {
  const probe = document.createElement("span");
  probe.className = `dot wears-${seat}`;
  document.body.append(probe);
  const style = getComputedStyle(probe), found = [style.backgroundColor, ...["--seat-edge", "--seat-line"].map((name) => style.getPropertyValue(name))];
  probe.remove();
  return found;
}

// A line with an edge is drawn twice: the edge below, and wider.
function hasEdgeLine(data, line) {
  const [, edge, own] = line.colour ? paintOf(line.colour) : ["", "", ""];
  return !data.bars && edge !== "" && own === "";
}

function written(data, line, at) {
  const value = line.values[at], error = line.errors[at], ends = line.ends[at];
  if (value == null) return "–";
  if (line.told.length) return line.told[at];
  const told = value.toLocaleString("en", { minimumFractionDigits: data.digits, maximumFractionDigits: data.digits, useGrouping: line.name in ONE || Math.abs(value) >= 1e4 });
  const around = error != null ? ` ±${error.toFixed(data.digits)}`
    : ends ? ` (${ends.map((end) => end.toFixed(data.digits)).join("–")}${data.unit})` : "";
  return `${told}${data.unit}${around}`.replaceAll("-", "−");
}

// "1,260 matches", but "ply 12".
function counted(name, told) {
  return name in ONE ? `${told} ${told === "1" ? ONE[name] : name}` : `${name} ${told}`;
}

function told(data, at, placeIn) {
  const values = data.lines.map((line) => counted(line.name, written(data, line, placeIn(line))));
  return `${counted(data.xName, data.xTold[at])}: ${values.join(", ")}`;
}

function optionsOf(data, { width, height }, say) {
  const ink = colour("--quiet"), grid = { stroke: colour("--line"), width: 1 };
  const axis = { stroke: ink, grid, ticks: grid, font: "12px system-ui", labelFont: "12px system-ui", labelSize: 18 };
  const series = [{ label: data.xName }];
  const bands = [], strokes = [];
  // Of several bands only that of the line at the pointer is shown: one alone may cover most lines.
  const many = data.lines.filter((line) => line.ends.length).length > 1;
  let chosen = -1;
  const choose = (plot) => {
    const { idx, top } = plot.cursor;
    const far = data.lines.map(({ values }) => idx == null || values[idx] == null ? Infinity : Math.abs(plot.valToPos(values[idx], "y") - top));
    const least = Math.min(...far), nearest = least === Infinity ? -1 : far.indexOf(least);
    if (!many || nearest === chosen) return;
    chosen = nearest;
    plot.redraw(false, false);
  };
  // The edges of thin bars would hide what is within.
  const isThin = data.bars && (width - 100) / (data.x.at(-1) - data.x[0] + 1) < 5;
  for (const [number, line] of data.lines.entries()) {
    const [fill, edge, own] = line.colour ? paintOf(line.colour) : [colour(`--line${number}`), "", ""];
    const stroke = (!data.bars || isThin) && own || fill, bar = data.bars && !isThin && edge;
    strokes.push(stroke);
    const dash = !line.colour && number > 2 ? [7, 4] : undefined;
    if (hasEdgeLine(data, line)) series.push({ label: "", stroke: edge, width: 4, points: { show: false } });
    series.push({ label: line.name, stroke: bar || stroke, width: bar ? 1 : data.bars ? 0 : 2, dash,
      points: { show: !data.bars && data.x.length < 40, size: 5, stroke: edge || stroke, fill: edge ? fill : undefined },
      fill: data.bars ? (isThin ? stroke : fill) : undefined, paths: data.bars ? uPlot.paths.bars({ size: [0.7, 24] }) : undefined });
    if (line.ends.length) {
      // Wide intervals would squeeze many lines: the axis follows the lines, and cuts their bands.
      const side = { label: "", stroke: "transparent", width: 0, points: { show: false }, auto: !many };
      series.push({ ...side }, { ...side });
      const tint = `color-mix(in srgb, ${stroke} 14%, transparent)`;
      bands.push({ series: [series.length - 2, series.length - 1], fill: () => (!many || number === chosen ? tint : "transparent") });
    }
  }
  const bounds = (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colour("--accent");
    ctx.setLineDash([6, 4]);
    for (const { at } of data.bounds) {
      const y = Math.round(plot.valToPos(at, "y", true));
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  };
  // The names of the bounds stand right of the plot, where no line runs, a word below the other.
  const named = data.bounds.map(({ name }) => name.replaceAll(" ", "\n"));
  const longest = Math.max(...named.join("\n").split("\n").map((word) => word.length));
  const bound = { ...axis, side: 1, scale: "y", stroke: colour("--accent"), grid: { show: false }, ticks: { show: false },
    gap: 18, size: 26 + 7 * longest, splits: () => data.bounds.map(({ at }) => at), values: () => named };
  // The name of each line stands at its right end; names that would overlap stand around their mean.
  const room = many && width > 400 ? 96 : 0;
  const names = (plot) => {
    if (!room) return;
    const { ctx, bbox } = plot, high = 14 * devicePixelRatio;
    const found = data.lines.map(({ name, short, values }, number) => ({ name: short || name, number, value: values.findLast((each) => each != null) }))
      .filter(({ value }) => value != null).map((each) => ({ ...each, y: plot.valToPos(each.value, "y", true) })).sort((one, other) => one.y - other.y);
    ctx.save();
    ctx.font = `${12 * devicePixelRatio}px system-ui`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    const blocks = [];
    for (const each of found) {
      let of = [each], top = each.y;
      while (blocks.length && blocks.at(-1).top + blocks.at(-1).of.length * high > top) {
        of = [...blocks.pop().of, ...of];
        const tall = (of.length - 1) * high;
        top = of.reduce((sum, { y }) => sum + y, 0) / of.length - tall / 2;
        top = Math.max(bbox.top, Math.min(top, bbox.top + bbox.height - tall));
      }
      blocks.push({ of, top });
    }
    for (const { of, top } of blocks) {
      for (const [place, { name, number }] of of.entries()) {
        let text = name;
        while (text.length > 1 && ctx.measureText(text).width > (room - 10) * devicePixelRatio) text = `${text.slice(0, -2)}…`;
        ctx.fillStyle = strokes[number];
        ctx.fillText(text, bbox.left + bbox.width + 8 * devicePixelRatio, top + place * high);
      }
    }
    ctx.restore();
  };
  const edges = data.bounds.map((each) => each.at);
  const range = (plot, low, high) => {
    const [least, most] = [Math.min(low, ...edges), Math.max(high, ...edges)];
    return data.bars ? [Math.min(0, least), most * 1.08 || 1] : uPlot.rangeNum(least, most, 0.08, true);
  };
  // The first and the last bar need room for half of their width.
  const half = data.bars && data.x.length > 1 ? (data.x[1] - data.x[0]) / 2 : 0;
  const wide = half ? (plot, low, high) => [low - half, high + half] : undefined;
  return {
    width, height, legend: { show: false }, bands, series, padding: room ? [null, room, null, null] : undefined,
    scales: { x: { time: false, range: wide }, y: { range } },
    // Plies, rounds and matches are whole numbers, though a point for several may lie between.
    axes: [{ ...axis, label: data.xName, size: 34, incrs: WHOLE }, { ...axis, label: `${data.yName}${data.unit && `, ${data.unit.trim()}`}`, size: 56,
      values: (plot, ticks) => ticks.map((tick) => tick.toLocaleString("en", { useGrouping: Math.abs(tick) >= 1e4 }).replace("-", "−")) },
    ...(named.length ? [bound] : [])],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    hooks: { draw: [bounds, names], setCursor: [(plot) => { if (plot.cursor.idx != null) say(plot.cursor.idx); choose(plot); }] },
  };
}

function columns(data) {
  const found = [data.x];
  for (const line of data.lines) {
    // uPlot joins the values around what is undefined, and breaks the line at null. A bar has the room of one x,
    // which uPlot measures between values that are not undefined.
    const values = line.values.map((value, at) => value ?? (data.bars || line.breaks.includes(at) ? null : undefined));
    if (hasEdgeLine(data, line)) found.push(values);
    found.push(values);
    if (!line.ends.length) continue;
    found.push(...[1, 0].map((end) => line.ends.map((ends) => ends && ends[end])));
  }
  return found;
}

export { columns, counted, optionsOf, told, written };
