const live = document.getElementById("live");
const status = document.getElementById("status");
let events = null;
let ended = false;

// What somebody has scrolled, opened or focused stays so when a part is drawn anew.
function draw(part, text) {
  const spots = (root) => [...root.querySelectorAll(".scroll, .rounds")];
  const links = (root) => [...root.querySelectorAll("a, summary, [tabindex]")];
  const lefts = spots(part).map((each) => each.scrollLeft);
  const open = [...part.querySelectorAll("details[open]")].map((each) => each.id);
  const focused = links(part).indexOf(document.activeElement);
  part.innerHTML = text;
  spots(part).forEach((each, number) => { each.scrollLeft = lefts[number] ?? 0; });
  open.forEach((id) => { document.getElementById(id)?.setAttribute("open", ""); });
  if (focused >= 0) links(part)[focused]?.focus({ preventScroll: true });
}

function take(event) {
  draw(live.querySelector(`[data-part=${event.type}]`), event.data);
  const said = live.querySelector("[data-say]")?.textContent ?? "";
  if (status.textContent !== said) status.textContent = said;
}

// One stream a tab, and none for a tab that nobody looks at.
function listen() {
  if (document.hidden || ended) {
    events?.close();
    events = null;
  } else if (!events) {
    events = new EventSource(live.dataset.events);
    for (const part of live.querySelectorAll("[data-part]")) events.addEventListener(part.dataset.part, take);
    events.addEventListener("end", () => { ended = true; listen(); });
  }
}

document.addEventListener("visibilitychange", listen);
setInterval(() => {
  if (events) for (const each of live.querySelectorAll("[data-still]")) each.textContent = ++each.dataset.still;
}, 1000);
listen();
