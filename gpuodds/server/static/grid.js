// The grid of starting hands: the weights of the range in focus as fill height, painted by strokes.
import { knownCards } from "./board.js";
import { painted, strokeWeight, touched } from "./brush.js";
import { COMBOS, NAMES } from "./cards.js";
import { openCombos } from "./combos.js";
import { $, all, button, h, rove, targetOf } from "./dom.js";
import { hasGrid, ranksOf } from "./games.js";
import { range, setWeights } from "./range.js";
import { beginDrag, endDrag, game, on, state } from "./state.js";

const CELL = "[role='gridcell']";
/** @type {HTMLElement[]} */
let cells = [];
/** The weight of the stroke that is being drawn, null between strokes. @type {number | null} */
let brush = null;
let pointer = ""; // the kind of pointer that went down last

/** @param {string} name */
function paint(name) {
  if (!range.weights || brush === null) return;
  const [weights, weight] = [range.weights, brush];
  const combos = touched(name);
  if (combos.some((combo) => (weights[combo] || 0) !== weight)) setWeights(painted(weights, combos, weight));
}

/** @param {string} name */
function toggle(name) {
  if (!range.weights) return;
  brush = strokeWeight(range.weights, touched(name));
  paint(name);
  brush = null;
}

/** @type {typeof range.shown | null} */
let shown = null; // what the grid shows, and without which cards
let without = "";

function drawGrid() {
  const weights = range.shown;
  const gone = new Set(knownCards(state.focus));
  const cards = [...gone].join("");
  if (weights === shown && cards === without) return; // a stroke tells of its text, then of its weights
  [shown, without] = [weights, cards];
  for (const cell of cells) {
    const name = /** @type {string} */ (cell.dataset.name);
    const combos = COMBOS[name];
    let [sum, isMixed, left] = [0, false, 0];
    for (const combo of combos) {
      if (!gone.has(combo.slice(0, 2)) && !gone.has(combo.slice(2))) left += 1;
      const weight = weights[combo] || 0;
      sum += weight;
      isMixed ||= weight !== (weights[combos[0]] || 0);
    }
    const key = `${sum} ${isMixed} ${left}`;
    if (cell.dataset.key === key) continue;
    cell.dataset.key = key;
    const mean = sum / combos.length;
    cell.style.setProperty("--part", `${100 * mean}%`);
    cell.dataset.mixed = String(isMixed);
    cell.dataset.gone = String(left === 0);
    cell.title = `${name}: ${+(100 * mean).toFixed(2)} %, ${left} of ${combos.length} combos left`;
    cell.setAttribute("aria-selected", String(mean > 0));
    cell.setAttribute("aria-label", `${name}, ${Math.round(100 * mean)} %${isMixed ? ", combos differ" : ""}`);
  }
}

let drawn = ""; // the game whose grid is there

function drawGame() {
  if (drawn === state.spot.game) return;
  drawn = state.spot.game;
  const ranks = ranksOf(game());
  $("grid").style.setProperty("--columns", String(ranks.length));
  for (const part of all(".of-grid")) part.hidden = !hasGrid(game());
  for (const cell of cells) {
    const name = cell.dataset.name || "";
    cell.hidden = !ranks.includes(name[0]) || !ranks.includes(name[1]);
  }
  for (const row of all("[role='row']", $("grid"))) row.hidden = !row.querySelector("[role='gridcell']:not([hidden])");
}

/** @param {PointerEvent} event */
const isTap = (event) => event.pointerType === "touch" && button("drag-paint").getAttribute("aria-pressed") !== "true";

export function startGrid() {
  for (let row = 0; row < 13; row += 1) {
    const made = NAMES.slice(13 * row, 13 * row + 13).map((name) =>
      h("span", { role: "gridcell", "data-name": name, "data-kind": name[2] || "pair", tabindex: -1 }, name),
    );
    cells.push(...made);
    $("grid").append(h("div", { role: "row" }, ...made));
  }
  rove($("grid"), CELL, (from, isEnd) => {
    const row = all(`${CELL}:not([hidden])`, /** @type {HTMLElement} */ (from.parentElement));
    return isEnd ? row[row.length - 1] : row[0];
  });
  $("grid").addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
    const cell = targetOf(event, CELL);
    if (!cell || event.button !== 0 || !event.isPrimary || isTap(event)) return;
    event.preventDefault();
    cell.focus(); // a field that the user was typing in is taken first
    if (!range.weights) return;
    brush = strokeWeight(range.weights, touched(cell.dataset.name || ""));
    beginDrag();
    paint(cell.dataset.name || "");
  });
  $("grid").addEventListener("pointermove", (event) => {
    if (brush === null || !state.isDragging) return; // between strokes, or taken back
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(`#grid ${CELL}`);
    if (cell) paint(/** @type {HTMLElement} */ (cell).dataset.name || "");
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    window.addEventListener(kind, () => {
      if (brush === null) return;
      brush = null;
      endDrag();
    });
  }
  // A finger taps; it scrolls the page unless dragging is to paint.
  $("grid").addEventListener("click", (event) => {
    const cell = targetOf(event, CELL);
    if (cell && pointer === "touch" && button("drag-paint").getAttribute("aria-pressed") !== "true") toggle(cell.dataset.name || "");
  });
  $("grid").addEventListener("contextmenu", (event) => {
    const cell = targetOf(event, CELL);
    if (!cell) return;
    event.preventDefault();
    if (!state.isDragging) openCombos(cell);
  });
  $("grid").addEventListener("keydown", (event) => {
    const cell = targetOf(event, CELL);
    if (!cell) return;
    if (event.key === " ") toggle(cell.dataset.name || "");
    else if (event.key === "Enter") openCombos(cell);
    else return;
    event.preventDefault();
  });
  button("drag-paint").addEventListener("click", () => {
    const isOn = button("drag-paint").getAttribute("aria-pressed") !== "true";
    button("drag-paint").setAttribute("aria-pressed", String(isOn));
    $("grid").dataset.drag = String(isOn);
  });
  on(["spot", "games"], drawGame);
  on(["spot", "range"], drawGrid);
}
