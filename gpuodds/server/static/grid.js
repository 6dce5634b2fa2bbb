// The grids of starting hands, one a seat: the weights of the range as fill, with equities or hits in colour.
/** @import { HandAnswer, HandHits } from "./gpuodds.js" */
/** @import { Weights } from "./types.js" */
import { knownCards } from "./known.js";
import { COMBOS, NAMES, nameOf } from "./cards.js";
import { setHeat } from "./charts.js";
import { hands, isFresh } from "./details.js";
import { $, all, fade, h, rove } from "./dom.js";
import { filteredText, filteredWeights } from "./filters.js";
import { fixed, points } from "./format.js";
import { hasGrid, ranksOf } from "./games.js";
import { knownHits } from "./hits-store.js";
import { GROUPS, groupOf, isPicked, picked } from "./hit-groups.js";
import { hovered } from "./hover.js";
import { rangeOf } from "./range.js";
import { emit, game, nameOfSeat, on, seatOf, state } from "./state.js";
import { store, stored } from "./storage.js";

export const CELL = "[role='gridcell']";
const MODES = /** @type {const} */ (["range", "equity", "hits"]);

/** The grids by the id of the seat. @type {Map<number, { box: HTMLElement, cells: HTMLElement[], game: string }>} */
const grids = new Map();

/**
 * Returns a grid for a seat.
 * @param {number} id
 */
export function newGrid(id) {
  const cells = NAMES.map((name) =>
    h("span", { role: "gridcell", "data-name": name, "data-kind": name[2] || "pair", tabindex: -1 }, h("b", {}, name), h("small")),
  );
  const rows = Array.from({ length: 13 }, (_, row) => h("div", { role: "row" }, ...cells.slice(13 * row, 13 * row + 13)));
  const box = h("div", { class: "grid", id: `grid-${id}`, role: "grid", "aria-multiselectable": "true" }, ...rows);
  rove(box, CELL, (from, isEnd) => {
    const row = all(`${CELL}:not([hidden])`, /** @type {HTMLElement} */ (from.parentElement));
    return isEnd ? row[row.length - 1] : row[0];
  });
  grids.set(id, { box, cells, game: "" });
  return box;
}

/** @param {number} id */
export const dropGrid = (id) => grids.delete(id) && drawn.delete(id);

/** @type {Record<string, { weight: number, equity: number }>} */
const NONE = {};

/** The equity of each starting hand of a list, by its name. @type {WeakMap<HandAnswer[], Record<string, { weight: number, equity: number }>>} */
const means = new WeakMap();

/** @param {HandAnswer[] | undefined} list */
function meansOf(list) {
  if (!list) return NONE;
  let found = means.get(list);
  if (!found) {
    found = {};
    for (const { hand, weight, equity } of list) {
      const one = (found[nameOf(hand)] ||= { weight: 0, equity: 0 });
      one.weight += weight;
      one.equity += weight * equity;
    }
    for (const one of Object.values(found)) one.equity /= one.weight;
    means.set(list, found);
  }
  return found;
}

/** @param {HandHits[] | undefined} list */
const byCombo = (list) => new Map((list || []).map((one) => [one.hand, one]));

/**
 * Returns the bands of a cell in the mode "hits": the shares of its weight in each group, from below.
 * @param {string[]} combos those that are left
 * @param {Weights} weights
 * @param {Map<string, HandHits>} hits
 */
function bandsOf(combos, weights, hits) {
  const sums = GROUPS.map(() => 0);
  let matched = 0;
  for (const combo of combos) {
    const found = hits.get(combo);
    if (!found || !weights[combo]) continue;
    sums[groupOf(found)] += weights[combo];
    if (isPicked(found)) matched += weights[combo];
  }
  return { sums, matched };
}

/** What each grid shows: if all of it is the same, nothing is drawn. @type {Map<number, unknown[]>} */
const drawn = new Map();

/** @param {number} id */
function drawGrid(id) {
  const grid = grids.get(id);
  const seat = seatOf(id);
  if (!grid || !seat || !hasGrid(game())) return;
  const weights = rangeOf(id).shown;
  const gone = new Set(knownCards(id));
  const equities = state.mode === "equity" ? meansOf(hands.of.get(id)) : NONE;
  const found = state.mode === "hits" ? knownHits(id, filteredText(seat) || "") : undefined;
  const passing = filteredWeights(seat) || weights;
  const isFiltered = passing !== rangeOf(id).weights && passing !== weights;
  const pointed = hovered(id);
  const inputs = [weights, passing, [...gone].join(""), equities, found, pointed, state.mode, state.mode === "hits" ? [...picked].join() : ""];
  const before = drawn.get(id);
  if (before && inputs.every((one, at) => one === before[at])) return;
  drawn.set(id, inputs);
  const hits = byCombo(found?.streets.at(-1)?.by_hand);
  for (const cell of grid.cells) {
    const name = /** @type {string} */ (cell.dataset.name);
    const combos = COMBOS[name];
    let [sum, isMixed, isOut] = [0, false, isFiltered];
    const left = [];
    for (const combo of combos) {
      if (!gone.has(combo.slice(0, 2)) && !gone.has(combo.slice(2))) left.push(combo);
      const weight = weights[combo] || 0;
      sum += weight;
      if (isFiltered && passing[combo]) isOut = false;
      isMixed ||= weight !== (weights[combos[0]] || 0);
    }
    const equity = sum > 0 ? equities[name]?.equity : undefined;
    const { sums, matched } = sum > 0 && hits.size ? bandsOf(left, weights, hits) : { sums: [], matched: 0 };
    const key = `${sum} ${isMixed} ${left.length} ${equity} ${sums} ${matched} ${pointed?.has(name)} ${isOut}`;
    if (cell.dataset.key === key) continue;
    cell.dataset.key = key;
    drawCell(cell, { name, mean: sum / combos.length, isMixed, left: left.length, equity, sums, picked: matched });
    cell.dataset.out = String(isOut && sum > 0);
    cell.dataset.hover = String(Boolean(pointed?.has(name)));
  }
}

/** @param {HTMLElement} cell @param {{ name: string, mean: number, isMixed: boolean, left: number, equity: number | undefined, sums: number[], picked: number }} figures */
function drawCell(cell, { name, mean, isMixed, left, equity, sums, picked: matched }) {
  const small = /** @type {HTMLElement} */ (cell.lastElementChild);
  const all = COMBOS[name].length;
  const total = sums.reduce((so, one) => so + one, 0);
  cell.style.setProperty("--part", `${100 * mean}%`);
  cell.dataset.mixed = String(isMixed);
  cell.dataset.gone = left === all ? "none" : left === 0 ? "all" : "some";
  cell.style.setProperty("--dead", `${(100 * (all - left)) / all}%`);
  cell.dataset.hit = String(matched > 0);
  cell.setAttribute("aria-selected", String(mean > 0));
  if (equity === undefined) delete cell.dataset.heat;
  else setHeat(cell, equity);
  cell.dataset.bands = String(total > 0);
  let from = 0;
  sums.forEach((sum, at) => {
    if (!total) return;
    from += (100 * sum) / total;
    cell.style.setProperty(`--band-${at}`, `${from.toFixed(2)}%`);
  });
  const weight = mean > 0 && mean < 1 ? String(Math.round(100 * mean)) : "";
  const shown = equity !== undefined ? points(equity, 1) : total && matched ? String(+fixed(matched, 1)) : weight;
  if (small.textContent !== shown) small.textContent = shown;
  const words = [`${+points(mean, 2)} %`, `${left} of ${all} combos left`];
  if (equity !== undefined) words.unshift(`equity ${points(equity, 4)} %`);
  if (total) words.push(...GROUPS.flatMap(({ title }, at) => (sums[at] ? [`${title} ${+fixed(sums[at], 2)}`] : [])));
  cell.title = `${name}: ${words.join(", ")}`;
  const spoken = equity === undefined ? "" : `, equity ${points(equity, 1)} %`;
  cell.setAttribute("aria-label", `${name}, ${Math.round(100 * mean)} %${isMixed ? ", combos differ" : ""}${spoken}`);
}

/** Shows the cells of the game's deck. @param {number} id */
function drawGame(id) {
  const grid = grids.get(id);
  if (!grid || grid.game === state.spot.game) return;
  grid.game = state.spot.game;
  drawn.delete(id);
  const ranks = ranksOf(game());
  grid.box.hidden = !hasGrid(game());
  grid.box.style.setProperty("--columns", String(ranks.length));
  for (const cell of grid.cells) {
    const name = cell.dataset.name || "";
    cell.hidden = !ranks.includes(name[0]) || !ranks.includes(name[1]);
  }
  for (const row of all("[role='row']", grid.box)) row.hidden = !row.querySelector(`${CELL}:not([hidden])`);
}

function drawGrids() {
  for (const [id, { box }] of grids) {
    drawGame(id);
    drawGrid(id);
    const label = `${nameOfSeat(id)}: starting hands; space paints, Enter shows the combos, arrows move`;
    if (box.getAttribute("aria-label") !== label) box.setAttribute("aria-label", label);
  }
  fade($("seats"), state.mode === "equity" && !isFresh());
}

/** @param {typeof MODES[number]} mode */
function setMode(mode) {
  state.mode = mode;
  store("mode", mode);
  emit("mode");
}

/** Shows the next mode. */
export const nextMode = () => setMode(MODES[(MODES.indexOf(state.mode) + 1) % MODES.length]);

function drawModes() {
  for (const one of all("[data-mode]", $("modes"))) one.setAttribute("aria-checked", String(one.dataset.mode === state.mode));
}

export function startGrids() {
  state.mode = MODES.find((mode) => mode === stored("mode")) || "equity";
  rove($("modes"), "button");
  $("modes").addEventListener("click", (event) => {
    const mode = MODES.find((one) => event.target instanceof HTMLElement && one === event.target.dataset.mode);
    if (mode) setMode(mode);
  });
  on(["spot"], () => {
    for (const part of all(".of-grid")) part.hidden = !hasGrid(game());
    $("modes").hidden = !hasGrid(game());
  });
  on(["mode"], drawModes);
  on(["spot", "range", "details", "mode", "hover", "answer"], drawGrids);
  drawModes();
}
