// An expression: a function that lists what is wrong with the page, in words.
() => {
  const faults = [];
  const told = (element) => element.outerHTML.replace(/\s+/g, " ").slice(0, 90);
  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0 &&
      element.checkVisibility({ visibilityProperty: true });
  };

  // Names: of what a reader aloud stops at.
  const label = (element) =>
    element.getAttribute("aria-label") || element.textContent.trim() || element.getAttribute("alt") ||
    (element.labels && [...element.labels].map((each) => each.textContent).join("")) ||
    (element.getAttribute("aria-labelledby") || "").split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "").join("");
  for (const each of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, progress, [role=img], img, figure svg")) {
    if (!each.closest("[aria-hidden=true]") && !label(each)) faults.push(`no name: ${told(each)}`);
  }
  for (const each of document.querySelectorAll("table")) {
    if (!(each.caption?.textContent.trim() || each.ariaLabel || each.hasAttribute("aria-labelledby"))) faults.push(`a table without a name: ${told(each)}`);
  }
  for (const each of document.querySelectorAll("th")) {
    if (!each.hasAttribute("scope")) faults.push(`a header of nothing (scope): ${told(each)}`);
    if (!label(each)) faults.push(`an empty header: ${told(each)}`);
  }

  // The frame of the page.
  const heads = [...document.querySelectorAll("h1")];
  if (heads.length !== 1) faults.push(`${heads.length} h1`);
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter(isSeen).map((each) => Number(each.tagName[1]));
  levels.forEach((level, place) => {
    if (place && level > levels[place - 1] + 1) faults.push(`a heading of level ${level} after one of ${levels[place - 1]}`);
  });
  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title.trim()) faults.push("no title");
  if (document.querySelectorAll("main").length !== 1) faults.push("not one main part");
  if (!document.querySelector("meta[name=viewport][content*='width=device-width']")) faults.push("no viewport for phones");
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  for (const id of new Set(ids.filter((each, place) => ids.indexOf(each) !== place))) faults.push(`two elements #${id}`);
  if (document.scrollingElement.scrollWidth > innerWidth) faults.push(`${document.scrollingElement.scrollWidth} px in a window of ${innerWidth}`);

  // Contrast, as WCAG 2.2 counts it (1.4.3): whatever a colour is written as, a canvas tells its bytes.
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const bytes = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [red, green, blue, alpha / 255]);
    }
    return known.get(colour);
  };
  const over = ([red, green, blue, alpha], under) =>
    [red, green, blue].map((each, place) => each * alpha + under[place] * (1 - alpha));
  const ground = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) layers.push(bytes(getComputedStyle(each).backgroundColor));
    return layers.reduceRight((under, layer) => over(layer, under), bytes("Canvas").slice(0, 3));
  };
  const light = (colour) => {
    const [red, green, blue] = colour.map((each) => {
      const share = each / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pale = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("script, style, title, [disabled]") || !isSeen(element)) continue;
    const style = getComputedStyle(element);
    const under = ground(element);
    let opacity = 1;
    for (let each = element; each; each = each.parentElement) opacity *= Number(getComputedStyle(each).opacity);
    const [red, green, blue, alpha] = bytes(element instanceof SVGElement ? style.fill : style.color);
    const ink = over([red, green, blue, alpha * opacity], under);
    const [dark, bright] = [light(ink), light(under)].sort((one, other) => one - other);
    const size = parseFloat(style.fontSize);
    const wanted = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const found = (bright + 0.05) / (dark + 0.05);
    if (found < wanted) pale.add(`contrast of ${found.toFixed(2)}: ${told(element)}`);
  }
  return [...faults, ...pale];
}
