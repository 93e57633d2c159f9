import { draw, piecesOf, slide } from "./drawn_board.js";
import { FRAME, Pointing } from "./pointing.js";

const at = (id) => document.getElementById(id);
const table = at("table");
const frame = JSON.parse(at("data").textContent);
const host = at("board");
const pointing = new Pointing(host, { byColumn: frame.column, onChosen: decide });
let view = frame;
let arrived = performance.now();
let busy = false;
let isListening = false;
// The ply that is looked back at, null for the position in play.
let looking = null;

async function ask(address, options) {
  const answer = await fetch(address, { headers: { Accept: "application/json" }, ...options });
  if (!answer.ok) throw new Error(answer.status === 404 ? "This match has gone: begin another one." : "The league does not answer.");
  return answer.json();
}

async function act(word, text = "") {
  if (busy) return;
  busy = true;
  try {
    const body = new URLSearchParams({ token: table.dataset.token, do: word, text });
    show(await ask(table.dataset.act, { method: "POST", body }));
  } catch (error) {
    complain(error instanceof TypeError ? "The league does not answer." : error.message);
  }
  busy = false;
  listen();
}

// While a bot thinks the answer comes when it has moved.
async function listen() {
  if (isListening || view.phase === "over" || view.phase === "person") return;
  isListening = true;
  let pause = 0;
  try {
    show(await ask(`${table.dataset.position}?known=${view.revision}`));
  } catch (error) {
    complain("The league does not answer.");
    pause = 2000;
  }
  isListening = false;
  setTimeout(listen, pause);
}

// The match may have ended while nobody saw this tab.
async function lookAgain() {
  call(false);
  if (view.phase !== "person" || busy) return;
  try {
    show(await ask(table.dataset.position));
  } catch (error) {
    complain(error.message);
  }
}

// A tab in the background says by its title that it is the person's turn.
function call(isCalling) {
  document.title = document.title.replace(/^(● )?/, isCalling ? "● " : "");
}

async function look(ply) {
  if (ply >= view.plies.length) {
    looking = null;
    paint(view);
    return;
  }
  looking = Math.max(0, ply);
  const { revision } = view;
  try {
    const found = await ask(`${table.dataset.position}?ply=${looking}`);
    if (looking === found.ply && revision === view.revision) paint({ ...found, moves: [], status: `After ply ${found.ply} of ${view.plies.length}: ${found.position}` });
  } catch (error) {
    complain("The league does not answer.");
  }
}

function paint(drawn) {
  const isFirst = !host.shadowRoot, before = piecesOf(host);
  const now = draw(host, drawn.board, FRAME);
  if (!isFirst) slide(before, now);
  host.setAttribute("role", "img");
  host.setAttribute("aria-label", drawn.position);
  pointing.show(drawn.moves, drawn.newest);
  at("status").textContent = drawn.status;
  at("now").hidden = looking === null;
  mark();
}

function mark() {
  const here = looking ?? view.plies.length;
  for (const [number, row] of [...at("plies").querySelectorAll("li")].entries()) {
    if (number === here - 1) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  }
}

function complain(text) {
  at("wrong").textContent = text;
  at("wrong").hidden = !text;
}

function decide(texts) {
  if (texts.length === 1) return act("move", texts[0]);
  const dialog = at("which");
  const choice = dialog.querySelector(".buttons");
  choice.replaceChildren(...texts.map((text) => button(text, () => { dialog.close(); act("move", text); })));
  dialog.showModal();
}

function button(text, does) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", does);
  return made;
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function tick() {
  const here = view.phase === "over" ? 0 : view.since_s + (performance.now() - arrived) / 1000;
  for (const strip of document.querySelectorAll("[data-seat]")) {
    const seat = Number(strip.dataset.seat);
    const isMover = view.mover === seat;
    strip.classList.toggle("to-move", isMover);
    strip.querySelector("[data-score]").textContent = view.results?.[seat] ?? "";
    strip.querySelector("[data-used]").textContent = clock(view.used_s[seat] + (isMover ? here : 0));
  }
  at("thinking").hidden = !view.limit_s || here < 0.25;
  if (view.limit_s) at("thinking").value = Math.min(1, here / view.limit_s);
}

function show(found) {
  const isNew = found.revision !== view.revision || !host.shadowRoot;
  if (found.revision < view.revision) return;
  const plies = view.plies.length;
  view = found;
  arrived = performance.now();
  complain(found.wrong ?? "");
  if (isNew) {
    looking = null;
    if (at("which").open) at("which").close();
    list();
    paint(view);
    offer();
    at("report").textContent = view.told;
    const said = [view.plies.length === plies ? "" : view.said, view.phase === "bot" ? "" : view.status];
    at("said").textContent = said.filter(Boolean).join(" ");
    call(view.phase === "person" && document.hidden);
  }
  const isOver = view.phase === "over";
  at("status").dataset.phase = view.phase;
  at("undo").disabled = !view.can_undo;
  for (const id of ["type", "acts", "legal"]) at(id).hidden = isOver;
  at("again").hidden = !isOver;
  at("files").hidden = !view.has_result;
  at("log").textContent = view.log;
  at("log").hidden = !view.log;
  tick();
}

function list() {
  const rows = view.plies.map((ply, number) => {
    const row = document.createElement("li");
    const sign = document.createElement(ply.seat < 0 ? "small" : "span");
    if (ply.seat < 0) sign.textContent = "luck";
    else sign.className = document.querySelector(`[data-seat="${ply.seat}"] .dot`).className;
    if (ply.seat >= 0) sign.setAttribute("aria-hidden", "true");
    const text = button(ply.text, () => look(number + 1));
    const took = document.createElement("small");
    took.className = "quiet";
    took.textContent = ply.took;
    row.append(sign, text, took);
    if (ply.told) row.title = ply.told;
    return row;
  });
  at("plies").firstElementChild.replaceChildren(...rows);
  at("plies").scrollTo(at("plies").scrollWidth, at("plies").scrollHeight);
}

// Every legal move as a button, for those who don't point; those without a place always in sight.
function offer() {
  const made = (moves) => moves.map(({ text }) => button(text, () => act("move", text)));
  at("known").replaceChildren(...view.moves.map(({ text }) => Object.assign(document.createElement("option"), { value: text })));
  const plain = view.moves.filter(({ points }) => !points.length);
  at("plain").replaceChildren(...made(plain));
  at("plain").hidden = !plain.length;
  at("all").replaceChildren(...made(view.moves));
}

at("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = at("text").value.trim();
  if (!text) return;
  act("move", text).then(() => {
    if (at("wrong").hidden) at("text").value = "";
    at("text").focus();
  });
});
at("acts").addEventListener("submit", (event) => {
  const word = event.submitter?.value;
  if (word === "end") return;
  event.preventDefault();
  act(word);
});
const turn = at("turn");
function flip() {
  turn.setAttribute("aria-pressed", host.classList.toggle("turned"));
}
if (turn) {
  turn.hidden = false;
  turn.addEventListener("click", flip);
  if (frame.is_turned) flip();
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || at("which").open) return;
  const here = looking ?? view.plies.length;
  const steps = { ArrowLeft: here - 1, ArrowRight: here + 1 };
  if (event.key === "Escape" && looking !== null) look(Infinity);
  else if (event.key === "Escape") pointing.choose(null);
  // In a field the arrows move the caret.
  else if (event.key in steps && !(event.target.matches("input, select") && event.target.value)) {
    event.preventDefault();
    look(steps[event.key]);
  }
});
at("now").addEventListener("click", () => look(Infinity));
document.addEventListener("visibilitychange", () => document.hidden || lookAgain());
setInterval(tick, 200);
show(frame);
listen();
