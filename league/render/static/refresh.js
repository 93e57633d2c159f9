// Keeps parts of a page fresh: each element with data-refresh asks that address every few seconds
// and takes its own parts, by their ids, from the answer. A part with data-final is the last one.

const parser = new DOMParser();

// Returns whether the parts may change again.
async function refresh(area) {
  const answer = await fetch(area.dataset.refresh, { cache: "no-store" });
  if (!answer.ok) return true;
  const found = parser.parseFromString(await answer.text(), "text/html");
  let mayChange = true;
  for (const part of area.querySelectorAll("[data-part]")) {
    // What somebody uses stays as it is. Parts of an inner area, which has a pace of its own, are
    // taken too: all of a page is of one moment.
    if (part.contains(document.activeElement)) continue;
    const fresh = found.getElementById(part.id);
    if (!fresh) {
      // Another page is there now, as after the first match of a league.
      location.reload();
      return false;
    }
    if (fresh.hasAttribute("data-final")) mayChange = false;
    if (fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes);
  }
  return mayChange;
}

for (const area of document.querySelectorAll("[data-refresh]")) {
  let isBusy = false;
  const timer = setInterval(async () => {
    if (document.hidden || isBusy) return;
    isBusy = true;
    try {
      if (!(await refresh(area))) clearInterval(timer);
    } catch {
      // The server is away: the next round asks again.
    } finally {
      isBusy = false;
    }
  }, 1000 * Number(area.dataset.seconds));
}
