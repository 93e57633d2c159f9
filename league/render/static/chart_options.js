// What uPlot is told of a chart: its axes, colours, bands and marks; and its values in words.
const WHOLE = [...Array(9).keys()].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// The colour of a seat, and that of its edge, "" where it needs none.
function paintOf(seat) {
  const probe = document.createElement("span");
  probe.className = `dot wears-${seat}`;
  document.body.append(probe);
  const style = getComputedStyle(probe), found = [style.backgroundColor, style.getPropertyValue("--seat-edge")];
  probe.remove();
  return found;
}

// A line with an edge is drawn twice: the edge below, and wider.
const hasEdgeLine = (data, line) => !data.bars && line.colour !== "" && paintOf(line.colour)[1] !== "";

function written(data, line, at) {
  const value = line.values[at], error = line.errors[at], ends = line.ends[at];
  if (value == null) return "–";
  if (line.told.length) return line.told[at];
  const told = value.toLocaleString("en", { minimumFractionDigits: data.digits, maximumFractionDigits: data.digits, useGrouping: Math.abs(value) >= 1e4 });
  const around = error != null ? ` ±${error.toFixed(data.digits)}`
    : ends ? ` (${ends.map((end) => end.toFixed(data.digits)).join("–")}${data.unit})` : "";
  return `${told}${data.unit}${around}`.replaceAll("-", "−");
}

function told(data, at, placeIn) {
  const values = data.lines.map((line) => `${line.name} ${written(data, line, placeIn(line))}`);
  return `${data.xName} ${data.xTold[at]}: ${values.join(", ")}`;
}

// Whether a line runs through a box of the drawing.
function crosses(plot, data, { left, right, top, bottom }) {
  return data.lines.some(({ values }) => {
    const points = values.flatMap((value, at) => value == null ? [] : [[plot.valToPos(data.x[at], "x", true), plot.valToPos(value, "y", true)]]);
    return points.slice(1).some(([x, y], at) => {
      const [x0, y0] = points[at], height = (across) => y0 + (y - y0) * Math.max(0, Math.min(1, (across - x0) / (x - x0)));
      const ends = [height(left), height(right)];
      return x > left && x0 < right && Math.max(...ends) > top && Math.min(...ends) < bottom;
    });
  });
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
  for (const [number, line] of data.lines.entries()) {
    const [stroke, edge] = line.colour ? paintOf(line.colour) : [colour(`--line${number}`), ""];
    strokes.push(stroke);
    const dash = !line.colour && number > 2 ? [7, 4] : undefined;
    if (hasEdgeLine(data, line)) series.push({ label: "", stroke: edge, width: 4, points: { show: false } });
    series.push({ label: line.name, stroke: data.bars && edge || stroke, width: data.bars && edge ? 1 : 2, dash,
      points: { show: !data.bars && data.x.length < 40, size: 5, stroke: edge || stroke, fill: edge ? stroke : undefined },
      fill: data.bars ? stroke : undefined, paths: data.bars ? uPlot.paths.bars({ size: [0.7, 24] }) : undefined });
    if (line.ends.length) {
      // Wide intervals would squeeze many lines: the axis follows the lines, and cuts their bands.
      const side = { label: "", stroke: "transparent", width: 0, points: { show: false }, auto: !many };
      series.push({ ...side }, { ...side });
      const tint = `color-mix(in srgb, ${stroke} 14%, transparent)`;
      bands.push({ series: [series.length - 2, series.length - 1], fill: () => (!many || number === chosen ? tint : "transparent") });
    }
  }
  const bounds = (plot) => {
    const { ctx, bbox } = plot, right = bbox.left + bbox.width;
    const placed = data.bounds.map(({ name, at }) => [name, Math.round(plot.valToPos(at, "y", true))]);
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour("--accent");
    ctx.setLineDash([6, 4]);
    for (const [, y] of placed) {
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(right, y);
      ctx.stroke();
    }
    // Marks of the first values stand at the left end. A name stands above its bound at the right end, or
    // where the lines leave room: below, or at the left. Where they leave none, a halo parts it from them.
    ctx.textAlign = "left";
    ctx.textBaseline = "bottom";
    ctx.font = `${12 * devicePixelRatio}px system-ui`;
    ctx.strokeStyle = colour("--card");
    ctx.lineWidth = 5 * devicePixelRatio;
    ctx.lineJoin = "round";
    ctx.setLineDash([]);
    for (const [name, y] of placed) {
      const wide = ctx.measureText(name).width, high = 16 * devicePixelRatio;
      const places = [right - 6 - wide, bbox.left + 6].flatMap((left) => [y, y + high].map((bottom) => ({ left, right: left + wide, top: bottom - high, bottom })));
      const place = places.find((each) => each.bottom <= bbox.top + bbox.height && !crosses(plot, data, each)) ?? places[0];
      ctx.strokeText(name, place.left, place.bottom - 3);
      ctx.fillText(name, place.left, place.bottom - 3);
    }
    ctx.restore();
  };
  // The name of each line stands at its right end, pushed down where names would overlap.
  const room = many && width > 400 ? 96 : 0;
  const names = (plot) => {
    if (!room) return;
    const { ctx, bbox } = plot, high = 14 * devicePixelRatio;
    const found = data.lines.map(({ name, values }, number) => ({ name, number, value: values.findLast((each) => each != null) }))
      .filter(({ value }) => value != null).map((each) => ({ ...each, y: plot.valToPos(each.value, "y", true) })).sort((one, other) => one.y - other.y);
    ctx.save();
    ctx.font = `${12 * devicePixelRatio}px system-ui`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    let least = bbox.top;
    for (const [place, { name, number, y }] of found.entries()) {
      const at = Math.min(Math.max(y, least), bbox.top + bbox.height - (found.length - 1 - place) * high);
      least = at + high;
      let text = name;
      while (text.length > 1 && ctx.measureText(text).width > (room - 10) * devicePixelRatio) text = `${text.slice(0, -2)}…`;
      ctx.fillStyle = strokes[number];
      ctx.fillText(text, bbox.left + bbox.width + 8 * devicePixelRatio, at);
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
      values: (plot, ticks) => ticks.map((tick) => tick.toLocaleString("en", { useGrouping: Math.abs(tick) >= 1e4 }).replace("-", "−")) }],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    hooks: { draw: [bounds, names], setCursor: [(plot) => { if (plot.cursor.idx != null) say(plot.cursor.idx); choose(plot); }] },
  };
}

function columns(data) {
  const found = [data.x];
  for (const line of data.lines) {
    // uPlot joins the values around what is undefined, and breaks the line at null.
    const values = line.values.map((value, at) => value ?? (line.breaks.includes(at) ? null : undefined));
    if (hasEdgeLine(data, line)) found.push(values);
    found.push(values);
    if (!line.ends.length) continue;
    found.push(...[1, 0].map((end) => line.ends.map((ends) => ends && ends[end])));
  }
  return found;
}

export { columns, optionsOf, told, written };
