// The next card: how each one that can come changes the equity of the player in focus; a click deals it.
/** @import { EquityAnswer, ReportRow } from "./gpuodds.js" */
/** @import { SpotRequest, View, ViewContext } from "./types.js" */
import { cardText } from "./card-text.js";
import { SUITS, SUIT_NAMES, cardsIn } from "./cards.js";
import { estimateNote, setHeat } from "./charts.js";
import { h, rove } from "./dom.js";
import { percent, signed } from "./format.js";
import { ranksOf } from "./games.js";
import { Problem } from "./gpuodds.js";
import { client, eachInTurn, once, patiently } from "./client.js";
import { isHand, nameOfSeat, setCards, state } from "./state.js";
import { answer } from "./stream.js";

const SECONDS = 0.5; // that an answer may take to count; beyond, it is sampled for as long

/**
 * The equities of all players after each card; null where it cannot come.
 * @typedef {{ by: Record<string, number[] | null>, isExact: boolean }} After
 */

/** Whether an error is one of the question, not of the server. @param {unknown} error */
const isRefused = (error) => error instanceof Problem && [400, 422].includes(error.problem.status);

/**
 * Asks once for all turn cards. Cards that the server counts as one class differ in suits alone, and only one class of
 * a rank can have several: a flop has no two pairs of suits that are alike.
 * @param {SpotRequest} request @param {string[]} board @param {string[]} deck @param {AbortSignal} signal
 * @returns {Promise<After | null>} null where it is not counted
 */
async function inOne({ hands, options }, board, deck, signal) {
  const { opponents, dead, game, folded } = options;
  if (board.length !== 3 || folded) return null;
  try {
    const { rows } = await client.turns(hands, { opponents, dead, game, board: board.join(""), signal });
    const equities = (/** @type {ReportRow} */ row) => (row.equity_1 === null ? null : hands.map((_, at) => row[`equity_${at + 1}`]));
    const by = Object.fromEntries(rows.map((row) => [row.turn || "", row]));
    const found = deck.map((card) => {
      const row = by[card] || rows.find((one) => one.turn?.[0] === card[0] && one.weight > 1);
      return [card, row ? equities(row) : null];
    });
    return { by: Object.fromEntries(found), isExact: true };
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}

/** Asks for one card after another. @param {SpotRequest} request @param {string[]} board @param {string[]} deck @param {AbortSignal} signal @returns {Promise<After>} */
async function oneByOne({ hands, options }, board, deck, signal) {
  /** @type {After} */
  const found = { by: {}, isExact: true };
  await eachInTurn(deck, async (card) => {
    try {
      const after = { ...options, board: board.join("") + card, time_limit: SECONDS, signal };
      const next = await patiently(() => client.equity(hands, after), signal);
      found.by[card] = next.players.map(({ equity }) => equity);
      found.isExact &&= next.exact;
    } catch (error) {
      // Bad input here means a card that cannot come: every hand of some range contains it.
      if (!(error instanceof Problem) || error.problem.status !== 400) throw error;
    }
  });
  return found;
}

/**
 * Returns the next cards of a board of three or four; null where that would take a request for each card.
 * @param {ViewContext} context
 * @param {boolean} [isShort] whether one request has to do, without words
 * @returns {Promise<HTMLElement | null>}
 */
export async function nextCards({ request, place, signal }, isShort = false) {
  const { hands, options } = request;
  // The board as the server reads it, which takes more notations than the page.
  const answered = /** @type {EquityAnswer} */ (answer.found && !answer.isStale ? answer.found : await client.equity(hands, { ...options, signal }));
  const board = cardsIn(answered.board);
  if (board.length < 3 || board.length > 4) return h("p", {}, "Put three or four cards on the board.");
  const known = new Set([...board, ...cardsIn(options.dead), ...hands.filter(isHand).flatMap(cardsIn)]);
  const ranks = ranksOf(state.games[options.game]).split("");
  const deck = ranks.flatMap((rank) => SUITS.split("").map((suit) => rank + suit)).filter((card) => !known.has(card));
  const ask = async () => (await inOne(request, board, deck, signal)) || (isShort ? null : oneByOne(request, board, deck, signal));
  const found = await once(["cards", hands, options], ask, (one) => one?.isExact === true);
  if (!found) return null;
  const { by, isExact } = found;
  const now = answered.players[place].equity;
  const changes = deck.flatMap((card) => (by[card] ? [Math.abs(/** @type {number[]} */ (by[card])[place] - now)] : []));
  const most = Math.max(0.005, ...changes);
  const rows = SUITS.split("").map((suit) =>
    h("div", { role: "group", "aria-label": SUIT_NAMES[suit], class: "suit-row" }, ...ranks.map((rank) => cellOf(rank + suit, by[rank + suit]?.[place], now, most, board))),
  );
  const table = h("div", { class: "next", style: { "--columns": ranks.length } }, ...rows);
  rove(table, ".deal");
  const sorted = deck.filter((card) => by[card]).sort((a, b) => /** @type {number[]} */ (by[b])[place] - /** @type {number[]} */ (by[a])[place]);
  const figure = (/** @type {string} */ card) => h("span", {}, cardText(card), ` ${signed(100 * (/** @type {number[]} */ (by[card])[place] - now))}`);
  const ends = h("p", { class: "ends" }, "Best ", ...sorted.slice(0, 4).map(figure), " worst ", ...sorted.slice(-4).reverse().map(figure));
  if (isShort) return table;
  const words = `${percent(now, 4)} now; changes in points, ${deck.length - sorted.length ? "dashes cannot come" : "of every card"}.`;
  return h("div", {}, h("p", { class: "soft" }, words), isExact ? null : estimateNote(), table, sorted.length ? ends : null);
}

/** @type {View} */
export const cards = {
  name: "cards",
  label: "Next card",
  title: ({ seat }) => `change of the equity of ${nameOfSeat(seat.id)}; a click deals the card`,
  ofAll: true,
  make: async (context) => (await nextCards(context)) || h("p", {}, "No card can come."),
};

/**
 * Returns the cell of a card: the change of the equity, or a dash if it cannot come.
 * @param {string} card @param {number | undefined} equity @param {number} now the equity before it @param {number} most the largest change @param {string[]} board
 */
function cellOf(card, equity, now, most, board) {
  if (equity === undefined) return h("span", { class: "deal none", "aria-label": `${card} cannot come` }, cardText(card), h("small", {}, "–"));
  const change = equity - now;
  const title = `${card}: ${percent(equity, 4)}, ${signed(100 * change, 4)}`;
  const onclick = () => setCards("board", board.join("") + card);
  const cell = h("button", { type: "button", class: "deal", id: `deal-${card}`, title, "aria-label": `Deal ${title}`, onclick }, cardText(card), h("small", {}, signed(100 * change, 1)));
  setHeat(cell, 0.5 + change / most / 2);
  return cell;
}

