// The answer: each player's equity with its bar, what kind of answer it is, and how far it is.
import { INTERVAL, newBar, setBar } from "./charts.js";
import { $, button, h, targetOf } from "./dom.js";
import { percent, whole } from "./format.js";
import { columnsOf, sharesOf } from "./games.js";
import { letterOf, on, setFocus, state } from "./state.js";
import { answer } from "./stream.js";

/** @type {Record<string, string>} */
const BADGES = { exact: "exact", final: "final", estimate: "estimate", rough: "not enough samples" };

/**
 * @typedef {object} Row
 * @property {number} id of the player's seat, 0 for random opponents
 * @property {string} letter
 * @property {string} name
 * @property {number} equity
 * @property {number | null} error
 * @property {(number | null | undefined)[]} shares
 */

/** @returns {Row[]} */
function rows() {
  const { found, ids } = answer;
  const columns = columnsOf(state.games[found.game]);
  /** @type {Row[]} */
  const made = found.players.map((/** @type {any} */ player, /** @type {number} */ at) => ({
    id: ids[at],
    letter: letterOf(ids[at]) || "",
    name: player.hand,
    equity: player.equity,
    error: player.standard_error,
    shares: columns.map(([, of]) => of(player, found)),
  }));
  if (found.opponents) {
    const name = found.opponents > 1 ? `each of ${found.opponents} random` : "random";
    made.push({ id: 0, letter: "", name, equity: found.random_equity, error: null, shares: columns.map(() => undefined) });
  }
  return made;
}

/** @param {number} columns */
function newRow(columns) {
  const head = h("th", { scope: "row" }, h("span", { class: "chip" }), " ", h("span", { class: "name" }));
  const equity = h("td", { class: "equity" }, h("span", { class: "figure" }), h("span", { class: "error-bar" }), newBar(0));
  return h("tr", {}, head, equity, ...Array.from({ length: columns }, () => h("td", { class: "share" })));
}

/** @param {Row} row @param {HTMLElement} line @param {boolean} isExact */
function drawRow(row, line, isExact) {
  const [head, equity, ...shares] = /** @type {HTMLElement[]} */ ([...line.children]);
  const [chip, name] = /** @type {HTMLElement[]} */ ([...head.children]);
  line.dataset.letter = row.letter;
  line.dataset.id = String(row.id);
  line.dataset.chosen = String(row.id === state.focus);
  chip.textContent = row.letter;
  chip.hidden = !row.letter;
  if (name.title !== row.name) {
    name.title = row.name;
    name.replaceChildren(...row.name.split(/(?<=,)/).flatMap((item) => [item, h("wbr")])); // a long name breaks between items
  }
  const [figure, error, meter] = /** @type {HTMLElement[]} */ ([...equity.children]);
  figure.textContent = percent(row.equity, isExact ? 4 : 2);
  error.textContent = row.error ? ` ± ${percent(INTERVAL * row.error)}` : "";
  setBar(meter, row.equity, row.error);
  shares.forEach((cell, at) => {
    const share = row.shares[at];
    cell.textContent = share == null ? "" : percent(share);
  });
}

function drawTable() {
  const table = /** @type {HTMLTableElement} */ ($("result"));
  table.hidden = !answer.found;
  $("shares").hidden = !answer.found;
  if (!answer.found) return;
  const columns = columnsOf(state.games[answer.found.game]);
  const heads = ["Player", "Equity", ...columns.map(([name]) => name)];
  const head = /** @type {HTMLTableSectionElement} */ (table.tHead);
  if (head.textContent !== heads.join("")) {
    head.replaceChildren(h("tr", {}, ...heads.map((name) => h("th", { scope: "col" }, name))));
  }
  const body = table.tBodies[0];
  const every = rows();
  const width = String(columns.length);
  if (body.children.length !== every.length || body.dataset.width !== width) {
    body.replaceChildren(...every.map(() => newRow(columns.length)));
    body.dataset.width = width;
    table.dataset.few = String(every.length < 5); // then names have two lines
  }
  every.forEach((row, at) => drawRow(row, /** @type {HTMLElement} */ (body.children[at]), answer.found.exact));
  const player = answer.found.players[answer.ids.indexOf(state.focus)];
  const shares = player ? sharesOf(player, answer.found, state.games[answer.found.game]) : [];
  const figures = shares.map(([name, share]) => `${name} ${percent(share)}`).join(", ");
  $("shares").textContent = player ? `${letterOf(state.focus)}: ${figures}` : "";
}

/** Returns the text of the status line. */
function status() {
  const { stage, found, text, isStale } = answer;
  if (isStale || !found) return text || (stage === "waiting" ? "computing …" : "");
  if (found.method === "symmetry") return "all players are alike: equal shares";
  const count = whole(found.outcomes);
  if (stage === "exact") return `${found.method === "table" ? "from a table" : "counted"}: all ${count} outcomes`;
  const rest = text ? `, ${text}` : "";
  return `from ${count} deal${count === "1" ? "" : "s"}, 95 % error shown${rest}`;
}

function drawAnswer() {
  const { stage, error, isStale, found } = answer;
  drawTable();
  const isFresh = found !== null && !isStale;
  $("answer-part").dataset.stage = stage;
  $("result").dataset.old = String(isStale);
  $("result").setAttribute("aria-busy", String(stage === "waiting" || stage === "estimate"));
  $("status").dataset.exact = String(stage === "exact");
  $("badge").textContent = isFresh ? BADGES[stage] || "" : "";
  const line = status();
  if ($("status").textContent !== line) $("status").textContent = line;
  announce(line);
  const bar = /** @type {HTMLProgressElement} */ ($("progress"));
  bar.hidden = answer.progress === null || answer.progress >= 1;
  bar.value = answer.progress ?? 0;
  // An error of one input is shown there; a seat that is gone shows none.
  const fault = faultId();
  const isShown = error.text !== "" && !fault;
  $("see-fault").hidden = !fault;
  $("error").hidden = !isShown;
  $("error").textContent = isShown ? error.text : "";
  for (const id of ["copy-text", "copy-json"]) button(id).disabled = !isFresh;
}

/**
 * Tells screen readers the end of each change, not the steps to it.
 * @param {string} line
 */
function announce(line) {
  const { stage, isStale, found } = answer;
  const isOver = stage === "exact" || stage === "final";
  const isTold = isOver ? !isStale : stage === "waiting" ? answer.text !== "" : stage !== "estimate";
  if (!isTold || state.isDragging) return;
  const figures = isOver ? rows().map((row) => `${row.letter || row.name} ${percent(row.equity, 1)}`) : [];
  const text = found && isOver ? `${stage}: ${figures.join(", ")}` : line;
  if ($("announce").textContent !== text) $("announce").textContent = text;
}

/** Returns the id of the input that the answer's error is shown at, or "". */
export function faultId() {
  const { text, where } = answer.error;
  if (!text || where === "" || (typeof where === "number" && !letterOf(where))) return "";
  if (typeof where === "string") return where;
  return state.isByText && where === state.focus ? "range-text" : `seat-${where}`;
}

/**
 * Shows the answer's error at an input, `#ID` with `#ID-error`, or takes it away.
 * @param {string} id
 */
export function showFault(id) {
  const isShown = faultId() === id;
  $(id).setAttribute("aria-invalid", String(isShown));
  const line = $(`${id}-error`);
  line.hidden = !isShown;
  line.textContent = isShown ? answer.error.text : "";
}

export function startAnswer() {
  button("see-fault").addEventListener("click", () => $(faultId()).focus());
  // A row leads to its player; by key, the seats do.
  $("result").addEventListener("click", (event) => {
    const id = Number(targetOf(event, "tr")?.dataset.id);
    if (letterOf(id)) setFocus(id);
  });
  on(["answer", "games", "spot", "focus"], drawAnswer);
}
