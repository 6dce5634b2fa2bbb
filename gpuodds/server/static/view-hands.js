// The equity of each hand of a range: a grid and a sortable table, both with what a file of them has.
/** @import { SpotRequest, View } from "./types.js" */
import { NAMES, cardsIn, nameOf } from "./cards.js";
import { newBar, newRegion, newTable, setHeat } from "./charts.js";
import { copyText, h, rove, stopAt } from "./dom.js";
import { combos, percent } from "./format.js";
import { classOf, hasGrid, ranksOf } from "./games.js";
import { client } from "./request.js";
import { isHand, state } from "./state.js";
import { answer } from "./stream.js";

/** @typedef {{ hand: string, weight: number, equity: number, win: number, tie: number }} Hand */
/** @typedef {{ name: string, combos: number, weight: number, equity: number, win: number, tie: number }} Group */

const COLUMNS = /** @type {const} */ (["name", "combos", "equity", "win", "tie"]);
const HEADS = { name: "Hands", combos: "Combos", equity: "Equity", win: "Win", tie: "Tie" };
/** In hi-lo games a hand wins all of the pot or a part of it. */
const HI_LO_HEADS = { ...HEADS, win: "Scoop", tie: "Part" };
/** The column that the tables of this visit are sorted by, and whether upward. */
const order = { column: /** @type {keyof typeof HEADS} */ ("equity"), isUp: false };

/**
 * Returns the means of the hands that share a name, weighted by their weights.
 * @param {Hand[]} hands
 * @param {(hand: string) => string} name
 * @returns {Group[]}
 */
function groups(hands, name) {
  /** @type {Record<string, Group>} */
  const found = {};
  for (const { hand, weight, equity, win, tie } of hands) {
    const group = (found[name(hand)] ||= { name: name(hand), combos: 0, weight: 0, equity: 0, win: 0, tie: 0 });
    group.combos += 1;
    group.weight += weight;
    group.equity += weight * equity;
    group.win += weight * win;
    group.tie += weight * tie;
  }
  const means = Object.values(found);
  for (const group of means) for (const part of /** @type {const} */ (["equity", "win", "tie"])) group[part] /= group.weight;
  return means;
}

/** @param {Group[]} rows */
function sort(rows) {
  const by = order.column;
  const sign = order.isUp ? -1 : 1; // names descend from A to Z, as they are read
  return [...rows].sort((a, b) => sign * (by === "name" ? a.name.localeCompare(b.name) : b[by] - a[by]) || b.equity - a.equity);
}

/** @param {Group[]} rows @param {string} label */
function sortable(rows, label) {
  const box = newRegion(label, h("span"));
  const draw = () => {
    const cells = sort(rows).map((row) => [
      row.name,
      combos(row.combos),
      h("span", {}, percent(row.equity, 4), newBar(row.equity)),
      percent(row.win),
      percent(row.tie),
    ]);
    const heads = state.games[state.spot.game].has_low ? HI_LO_HEADS : HEADS;
    const table = newTable(COLUMNS.map((name) => heads[name]), cells);
    [...table.querySelectorAll("thead th")].forEach((head, at) => {
      const column = COLUMNS[at];
      const isChosen = order.column === column;
      if (isChosen) head.setAttribute("aria-sort", order.isUp ? "ascending" : "descending");
      const onclick = () => {
        order.isUp = isChosen ? !order.isUp : false;
        order.column = column;
        draw();
        /** @type {HTMLElement | null} */ (box.querySelector(`[data-column='${column}']`))?.focus();
      };
      head.replaceChildren(h("button", { type: "button", class: "sort", "data-column": column, onclick }, heads[column]));
    });
    box.replaceChildren(table);
    const stop = table.querySelector("[aria-sort] .sort");
    if (stop) stopAt(box, ".sort", /** @type {HTMLElement} */ (stop));
  };
  draw();
  rove(box, ".sort");
  return box;
}

/** @param {Group[]} rows @param {string} label */
function heat(rows, label) {
  const ranks = ranksOf(state.games[state.spot.game]);
  const by = Object.fromEntries(rows.map((row) => [row.name, row]));
  const cells = NAMES.filter((name) => ranks.includes(name[0]) && ranks.includes(name[1])).map((name) => {
    const row = by[name];
    if (!row) return h("span", { class: "none" }, name);
    const cell = h("span", { title: `${name}: ${percent(row.equity, 4)}` }, h("b", {}, name), h("small", {}, (100 * row.equity).toFixed(1)));
    setHeat(cell, row.equity);
    return cell;
  });
  return h("div", { class: "heat", role: "img", "aria-label": label, style: { "--columns": ranks.length } }, ...cells);
}

/** @param {Hand[]} hands */
const asCsv = (hands) =>
  ["hand,weight,equity,win,tie", ...hands.map((one) => [one.hand, one.weight, one.equity, one.win, one.tie].join(","))].join("\n");

/**
 * Returns the hands of a player's range, best first. Where all players have known hands, the answer has them.
 * @param {SpotRequest} request
 * @param {number} place
 * @param {AbortSignal} signal
 * @returns {Promise<Hand[]>}
 */
async function handsOf(request, place, signal) {
  if (request.hands.every(isHand) && answer.found && !answer.isStale) {
    const { equity, win, tie } = answer.found.players[place];
    return [{ hand: cardsIn(request.hands[place]).join(""), weight: 1, equity, win, tie }];
  }
  const found = await client.equity(request.hands, { ...request.options, by_hand: true, signal });
  return found.players[place].by_hand || [];
}

/** @type {View} */
export const hands = {
  name: "hands",
  label: "Hands",
  title: "equity of each hand",
  async make({ request, place, whose, signal }) {
    const by = await handsOf(request, place, signal);
    const isGrid = hasGrid(state.games[request.options.game]);
    const rows = groups(by, isGrid ? nameOf : classOf);
    const onclick = () => copyText(asCsv(by), `CSV of ${by.length.toLocaleString("en")} hands`);
    const tools = h("div", { class: "line" }, h("button", { type: "button", id: "copy-csv", onclick }, "Copy as CSV"));
    const label = `${whose}: equity of each hand`;
    return h("div", {}, isGrid ? heat(rows, label) : null, tools, sortable(rows, `${label}, as a table`));
  },
};
