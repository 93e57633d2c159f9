// On a phone, sections that are marked so begin closed; without this script all are open.
const narrow = matchMedia("(max-width: 40rem)");
const folds = [...document.querySelectorAll("details.fold")];

function fold() {
  for (const each of folds) each.open = !narrow.matches;
  show();
}

// A link to a section opens it.
function show() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("details.fold");
  if (!target || target.open) return;
  target.open = true;
  target.scrollIntoView();
}

narrow.addEventListener("change", fold);
addEventListener("hashchange", show);
addEventListener("beforeprint", () => { for (const each of folds) each.open = true; });
fold();
