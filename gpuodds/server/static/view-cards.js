// The equity after each card that can come next.
/** @import { View } from "./types.js" */
import { cardText } from "./card-text.js";
import { SUITS, cardsIn } from "./cards.js";
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
  async make({ request, place, whose, signal }) {
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
    const cells = SUITS.split("").flatMap((suit) =>
      ranks.map((rank) => {
        const value = found[rank + suit];
        const cell = h(
          "span",
          { class: value === undefined ? "none" : null, title: value === undefined ? "" : `${rank + suit}: ${percent(value, 4)}` },
          cardText(rank + suit),
          h("small", {}, value === undefined ? "–" : (100 * value).toFixed(0)),
        );
        if (value !== undefined) setHeat(cell, value);
        return cell;
      }),
    );
    const label = `${whose}: equity by the next card`;
    const grid = h("div", { class: "heat", role: "img", "aria-label": label, style: { "--columns": ranks.length } }, ...cells);
    return h("div", {}, isExact ? null : estimateNote(), grid);
  },
};
