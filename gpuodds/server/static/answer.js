// The answer over the page: each player by name with combos and equity, one bar split between them, what kind of answer it is.
import { INTERVAL } from "./charts.js";
import { $, BLINK, button, h, targetOf } from "./dom.js";
import { faultId } from "./faults.js";
import { percent, points, whole } from "./format.js";
import { sharesOf } from "./games.js";
import { letterOf, nameOfSeat, on, setFocus, state } from "./state.js";
import { sizeOf } from "./sizes.js";
import { answer } from "./stream.js";

/** @type {Record<string, string>} */
const BADGES = { exact: "exact", final: "final", estimate: "estimate", rough: "not enough samples" };

/**
 * @typedef {object} Row
 * @property {number} id of the player's seat, 0 for random opponents
 * @property {string} name
 * @property {{ text: string, title: string }} size
 * @property {number | null} equity
 * @property {number | null} error
 * @property {number} count of the players that the row is of
 */

/** @returns {Row[]} */
function rows() {
  const { found, ids } = answer;
  /** @type {Row[]} */
  const made = state.spot.seats.map((seat) => {
    const player = seat.isFolded ? null : found?.players[ids.indexOf(seat.id)];
    const size = seat.isFolded ? { text: "folded", title: sizeOf(seat).title } : sizeOf(seat);
    return { id: seat.id, name: nameOfSeat(seat.id), size, equity: player?.equity ?? null, error: player?.standard_error ?? null, count: 1 };
  });
  const { opponents } = state.spot;
  if (opponents) {
    const name = opponents > 1 ? `each of ${opponents} random` : "random";
    const equity = found?.opponents === opponents ? found.random_equity : null;
    made.push({ id: 0, name, size: { text: "", title: "" }, equity, error: null, count: opponents });
  }
  return made;
}

const newRow = () =>
  h(
    "li",
    { class: "player" },
    h("span", { class: "who" }, h("button", { type: "button", class: "name", tabindex: -1 }), h("span", { class: "combos" })),
    h("span", { class: "equity" }, h("span", { class: "figure" }), h("span", { class: "error-bar" })),
  );

/** @param {Row} row @param {HTMLElement} line @param {number} at */
function drawRow(row, line, at) {
  const [who, equity] = /** @type {HTMLElement[]} */ ([...line.children]);
  const [name, combos] = /** @type {HTMLElement[]} */ ([...who.children]);
  const [figure, error] = /** @type {HTMLElement[]} */ ([...equity.children]);
  line.dataset.letter = letterOf(row.id) || "";
  line.dataset.id = String(row.id);
  line.dataset.chosen = String(row.id === state.focus);
  line.style.setProperty("--column", String(at + 1));
  if (name.textContent !== row.name) name.textContent = row.name;
  name.toggleAttribute("disabled", !row.id);
  name.setAttribute("aria-pressed", String(row.id === state.focus));
  combos.textContent = row.size.text;
  combos.title = row.size.title;
  figure.textContent = row.equity === null ? "–" : percent(row.equity);
  figure.title = row.equity === null ? "" : percent(row.equity, 4);
  error.textContent = row.error ? ` ± ${percent(INTERVAL * row.error)}` : "";
}

/** Returns the parts of the bar, from left to right: a letter and a share. @param {Row[]} every @returns {[string, number][]} */
function partsOf(every) {
  const { found, ids } = answer;
  const known = every.filter((row) => row.equity !== null);
  const [a, b] = known;
  const player = found?.players[ids.indexOf(a?.id)];
  // Between two players, what they tie is in the middle.
  if (known.length === 2 && a.count + b.count === 2 && player?.tie != null && player.scoop === undefined) {
    return [[letterOf(a.id) || "", player.win], ["tie", player.tie], [letterOf(b.id) || "", player.lose]];
  }
  return known.map((row) => [letterOf(row.id) || "", row.count * (row.equity || 0)]);
}

/** @param {Row[]} every */
function drawSplit(every) {
  const parts = partsOf(every);
  const bar = $("split");
  if (bar.children.length !== parts.length) bar.replaceChildren(...parts.map(() => h("i")));
  parts.forEach(([letter, share], at) => {
    const part = /** @type {HTMLElement} */ (bar.children[at]);
    part.dataset.letter = letter;
    part.style.setProperty("width", `${100 * share}%`);
  });
}

function drawTable() {
  const list = $("result");
  const every = rows();
  if (list.children.length !== every.length) list.replaceChildren(...every.map(newRow));
  list.style.setProperty("--columns", String(every.length));
  list.dataset.count = every.length === 2 ? "2" : every.length > 5 ? "many" : "few";
  every.forEach((row, at) => drawRow(row, /** @type {HTMLElement} */ (list.children[at]), at));
  drawSplit(every);
  const { found, ids } = answer;
  const player = found?.players[ids.indexOf(state.focus)];
  const shares = player ? sharesOf(player, found, state.games[found.game]) : [];
  const figures = shares.map(([name, share]) => `${name} ${points(share, 2)}`).join(" · ");
  $("shares").textContent = figures && every.length > 2 ? `${nameOfSeat(state.focus)}: ${figures}` : figures;
  const first = player && !answer.isStale ? `${state.spot.seats.find(({ id }) => id === state.focus)?.name || player.hand} ${percent(player.equity, 1)} – ` : "";
  document.title = `${first.length < 40 ? first : `${percent(player.equity, 1)} – `}gpuodds`;
}

/** Returns the text of the status line. */
function status() {
  const { stage, found, text, isStale } = answer;
  if (isStale || !found) return text || (stage === "waiting" ? "computing …" : "");
  if (found.method === "symmetry") return "all players are alike: equal shares";
  const count = whole(found.outcomes);
  if (stage === "exact") return `${found.method === "table" ? "from a table, " : ""}${count} outcomes`;
  const rest = text ? `, ${text}` : "";
  return `${count} deal${count === "1" ? "" : "s"} sampled, 95 % error shown${rest}`;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function drawAnswer() {
  const { stage, error, isStale, found } = answer;
  drawTable();
  const isFresh = found !== null && !isStale;
  $("answer-part").dataset.stage = stage;
  $("result").dataset.old = String(isStale || !found);
  $("result").setAttribute("aria-busy", String(stage === "waiting" || stage === "estimate"));
  const line = status();
  clearTimeout(timer);
  // A badge that goes and comes at each step of a stroke would blink.
  const show = () => {
    $("badge").textContent = isFresh ? BADGES[stage] || "" : "";
    $("answer-part").dataset.shown = isFresh ? stage : "";
    if ($("status").textContent !== line) $("status").textContent = line;
    $("players-part").dataset.old = String(isStale);
  };
  if (stage === "waiting" && !answer.text && $("badge").textContent) timer = setTimeout(show, BLINK);
  else show();
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
  for (const id of ["copy-text", "copy-json", "save-picture"]) button(id).disabled = !isFresh;
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
  const figures = isOver ? rows().flatMap((row) => (row.equity === null ? [] : [`${row.name} ${percent(row.equity, 1)}`])) : [];
  const text = found && isOver ? `${stage}: ${figures.join(", ")}` : line;
  if ($("announce").textContent !== text) $("announce").textContent = text;
}

/** @param {(id: string) => void} focusInput moves the focus to an input, wherever it is */
export function startAnswer(focusInput) {
  button("see-fault").addEventListener("click", () => focusInput(faultId()));
  $("result").addEventListener("click", (event) => {
    const id = Number(targetOf(event, ".player")?.dataset.id);
    if (letterOf(id)) setFocus(id);
  });
  on(["answer", "spot", "focus", "range"], drawAnswer);
}
