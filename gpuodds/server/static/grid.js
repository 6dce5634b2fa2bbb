// The grid of starting hands: the weights of the range in focus as fill height.
import { knownCards } from "./board.js";
import { COMBOS, NAMES } from "./cards.js";
import { $, all, h, rove } from "./dom.js";
import { hasGrid, ranksOf } from "./games.js";
import { range } from "./range.js";
import { game, on, state } from "./state.js";

const CELL = "[role='gridcell']";
/** @type {HTMLElement[]} */
let cells = [];

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
  on(["spot", "games"], drawGame);
  on(["spot", "range"], drawGrid);
}
