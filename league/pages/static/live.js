const live = document.getElementById("live");
let events = null;

// One stream a tab, and none for a tab that nobody looks at.
function listen() {
  if (document.hidden) {
    events?.close();
    events = null;
  } else if (!events) {
    events = new EventSource(live.dataset.events);
    events.addEventListener("page", (event) => { live.innerHTML = event.data; });
    events.addEventListener("end", () => { events.close(); document.removeEventListener("visibilitychange", listen); });
  }
}

document.addEventListener("visibilitychange", listen);
listen();
