// The equity after each card that can come next.
/** @import { View } from "./types.js" */
import { SUITS, SUIT_NAMES, SYMBOLS, cardsIn } from "./cards.js";
import { estimateNote, setHeat } from "./charts.js";
import { h } from "./dom.js";
import { percent } from "./format.js";
import { ranksOf } from "./games.js";
import { Problem } from "./gpuodds.js";
import { client, eachInTurn, patiently } from "./request.js";
import { isHand, state } from "./state.js";
import { answer } from "./stream.js";

const SECONDS = 0.5; // that an answer may take to count; beyond, it is sampled for as long

/** @type {View} */
export const cards = {
  name: "cards",
  label: "Next card",
  title: "equity by the next card",
  async make({ request, place, signal }) {
    const { hands, options } = request;
    // The board as the server reads it, which takes more notations than the page.
    const answered = answer.found && !answer.isStale ? answer.found : await client.equity(hands, { ...options, signal });
    const board = cardsIn(answered.board);
    if (board.length < 3 || board.length > 4) return h("p", {}, "Put three or four cards on the board.");
    const known = new Set([...board, ...cardsIn(options.dead), ...hands.filter(isHand).flatMap(cardsIn)]);
    const ranks = ranksOf(state.games[options.game]).split("");
    const deck = ranks.flatMap((rank) => SUITS.split("").map((suit) => rank + suit)).filter((card) => !known.has(card));
    /** @type {Record<string, number>} */
    const found = {};
    let isExact = true;
    await eachInTurn(deck, async (card) => {
      try {
        const after = { ...options, board: board.join("") + card, time_limit: SECONDS, signal };
        const next = await patiently(() => client.equity(hands, after), signal);
        found[card] = next.players[place].equity;
        isExact &&= next.exact;
      } catch (error) {
        // Bad input here means a card that cannot come: every hand of some range contains it.
        if (!(error instanceof Problem) || error.problem.status !== 400) throw error;
      }
    });
    const now = answered.players[place].equity;
    const rows = ranks.map((rank) =>
      h("tr", {}, h("th", { scope: "row" }, rank), ...SUITS.split("").map((suit) => cellOf(rank + suit, found[rank + suit], now))),
    );
    const suits = SUITS.split("").map((suit) => h("th", { scope: "col", class: suit, "aria-label": SUIT_NAMES[suit] }, SYMBOLS[suit]));
    const table = h("table", { class: "cards" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Card"), ...suits)), h("tbody", {}, ...rows));
    const line = `${percent(now, 4)} now; beside each figure the change in points.`;
    return h("div", {}, h("p", { class: "soft" }, line), isExact ? null : estimateNote(), table);
  },
};

/**
 * Returns the cell of a card: the equity after it and the change, or a dash if it cannot come.
 * @param {string} card
 * @param {number | undefined} equity
 * @param {number} now the equity before it
 */
function cellOf(card, equity, now) {
  if (equity === undefined) return h("td", { class: "none" }, "–");
  const cell = h("td", { title: `${card}: ${percent(equity, 4)}` }, (100 * equity).toFixed(1), h("small", {}, signed(100 * (equity - now))));
  setHeat(cell, equity);
  return cell;
}

/** @param {number} points */
const signed = (points) => `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;
