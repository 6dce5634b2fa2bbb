// What a range has made and what it draws to, by street; the range can be filtered by it.
/** @import { HandHits, StreetHits } from "./gpuodds.js" */
/** @import { View } from "./types.js" */
import { cardsIn, nameOf } from "./cards.js";
import { newRegion } from "./charts.js";
import { $, all, h, note, rove } from "./dom.js";
import { combos, percent } from "./format.js";
import { hasGrid } from "./games.js";
import { range, setWeights } from "./range.js";
import { client } from "./request.js";
import { isHand, state } from "./state.js";

/** The categories that are picked, of made hands and draws; kept while the page is open. @type {Set<string>} */
const picked = new Set();

/**
 * Returns the combos that have one of the categories that are picked.
 * @param {HandHits[]} hands
 */
const matching = (hands) => hands.filter((one) => picked.has(one.made) || one.draws.some((draw) => picked.has(draw)));

/** @param {HandHits[]} hands @param {boolean} isKept whether the matching combos stay, or the others */
function filter(hands, isKept) {
  const matches = new Set(matching(hands).map((one) => one.hand));
  if (!range.weights) return note("The range is not read yet.");
  // The range as it is now: it may have been painted since.
  return setWeights(Object.fromEntries(Object.entries(range.weights).filter(([combo]) => matches.has(combo) === isKept)));
}

/** @param {StreetHits[]} streets */
function newRows(streets) {
  const last = streets[streets.length - 1];
  const canPick = Boolean(last.by_hand); // else there are no hands to filter
  /** @param {"made" | "draws"} part @param {string} title */
  const rows = (part, title) => {
    const names = streets.flatMap((street) => street[part].map((one) => one.name));
    const wanted = [...new Set(names)].filter((name) => streets.some((street) => street[part].some((one) => one.name === name && one.combos > 0)));
    const order = last[part].map((one) => one.name);
    wanted.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    let better = 0; // made hands exclude each other: those so far, from the best
    const lines = wanted.map((name) => {
      const shares = streets.map((street) => street[part].find((one) => one.name === name));
      const now = shares[shares.length - 1];
      better += now?.share || 0;
      const button = { type: "button", class: "pick", "data-hit": name, "aria-pressed": String(picked.has(name)) };
      const label = canPick ? h("button", button, name) : name;
      const cells = shares.map((one) => h("td", {}, one ? percent(one.share, 1) : "–"));
      const head = h("th", { scope: "row", style: { "--part": `${100 * (now?.share || 0)}%` } }, label);
      const sum = h("td", { class: "better" }, part === "made" ? percent(Math.min(1, better), 1) : "");
      return h("tr", {}, head, h("td", {}, now ? combos(now.combos / last.boards) : "–"), ...cells, sum);
    });
    return lines.length ? [h("tr", { class: "part" }, h("th", { scope: "rowgroup", colspan: streets.length + 3 }, title)), ...lines] : [];
  };
  const heads = ["Hand", "Combos", ...streets.map((street) => street.street[0].toUpperCase() + street.street.slice(1))];
  const head = h("tr", {}, ...heads.map((name) => h("th", { scope: "col" }, name)), h("th", { scope: "col", class: "better" }, "Or better"));
  return h("table", { class: "hits" }, h("thead", {}, head), h("tbody", {}, ...rows("made", "Made hands"), ...rows("draws", "Draws")));
}

/** @type {View} */
export const hits = {
  name: "hits",
  label: "Hits",
  title: "made hands and draws",
  alone: true,
  async make({ request, place, signal }) {
    const { board, dead, game } = request.options;
    if (board && cardsIn(board).length < 3) return h("p", {}, "Put three to five cards on the board, or none.");
    const isGrid = hasGrid(state.games[game]); // others have too many hands to list and to filter
    if (!board && !isGrid) return h("p", {}, "Put three to five cards on the board.");
    const others = request.hands.filter((hand, at) => at !== place && isHand(hand)).flatMap(cardsIn);
    const text = isHand(request.hands[place]) ? cardsIn(request.hands[place]).join("") : request.hands[place];
    const gone = [dead, ...others].join(" ").trim();
    const found = await client.hits(text, { board, dead: gone, game, by_hand: Boolean(board) && isGrid, signal });
    const { streets } = found;
    const hands = streets[streets.length - 1].by_hand || [];
    const table = newRows(streets);
    if (!board) return h("div", {}, h("p", { class: "soft" }, "Over all flops. A board gives the streets so far."), newRegion("Made hands and draws", table));
    if (!isGrid) return newRegion("Made hands and draws", table);
    const count = h("span", { id: "hit-count" });
    // The hits of a spot before this one filter nothing.
    const only = (/** @type {boolean} */ isKept) => () => signal.aborted || filter(hands, isKept);
    const keep = h("button", { type: "button", id: "keep-hits", onclick: only(true) }, "Keep only these");
    const drop = h("button", { type: "button", id: "drop-hits", onclick: only(false) }, "Take these away");
    const draw = () => {
      const chosen = matching(hands).reduce((sum, one) => sum + one.weight, 0);
      const whole = hands.reduce((sum, one) => sum + one.weight, 0);
      count.textContent = picked.size ? `${combos(chosen)} of ${combos(whole)} combos` : "Pick hands to filter the range.";
      keep.disabled = !chosen || chosen === whole;
      drop.disabled = keep.disabled;
      for (const one of all("[data-hit]", table)) one.setAttribute("aria-pressed", String(picked.has(one.dataset.hit || "")));
      drawMarks(hands);
    };
    table.addEventListener("click", (event) => {
      const name = event.target instanceof HTMLElement && event.target.dataset.hit;
      if (!name) return;
      if (picked.has(name)) picked.delete(name);
      else picked.add(name);
      draw();
    });
    signal.addEventListener("abort", () => {
      keep.disabled = drop.disabled = true;
      drawMarks([]);
    });
    rove(table, ".pick");
    draw();
    return h("div", {}, h("div", { class: "line" }, keep, drop, count), newRegion("Made hands and draws", table));
  },
};

/**
 * Marks the cells of the grid that have matching combos.
 * @param {HandHits[]} hands
 */
function drawMarks(hands) {
  const cells = new Set(matching(hands).map((one) => nameOf(one.hand)));
  for (const cell of all("[role='gridcell']", $("grid"))) cell.dataset.hit = String(cells.has(cell.dataset.name || ""));
}
