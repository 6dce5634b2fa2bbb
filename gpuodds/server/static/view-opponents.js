// The equity against each number of random opponents.
/** @import { View } from "./types.js" */
import { estimateNote, newBar, newTable } from "./charts.js";
import { h } from "./dom.js";
import { percent } from "./format.js";
import { client, eachInTurn, patiently } from "./client.js";
import { nameOfSeat, state } from "./state.js";

const MOST = 9;
const SECONDS = 2; // that an answer may take to count; beyond, it is sampled for as long

/** @type {View} */
export const opponents = {
  name: "opponents",
  label: "Opponents",
  title: ({ seat }) => `equity of ${nameOfSeat(seat.id)} by the number of random opponents`,
  alone: true,
  async make({ request, place, signal }) {
    const { hands, options } = request;
    const max = Math.min(MOST, state.games[options.game].max_players - hands.length);
    const min = hands.length > 1 ? 0 : 1;
    const numbers = Array.from({ length: max - min + 1 }, (_, at) => min + at);
    const cells = numbers.map(() => h("span", {}, "…"));
    const table = newTable(["Random opponents", "Equity"], numbers.map((number, at) => [String(number), cells[at]]));
    const box = h("div", {}, table);
    const ask = async (/** @type {number} */ number) => {
      const spot = { ...options, opponents: number, time_limit: SECONDS, signal };
      const found = await patiently(() => client.equity(hands, spot), signal);
      const { equity, standard_error: error } = found.players[place];
      cells[number - min].replaceChildren(percent(equity, found.exact ? 4 : 2), newBar(equity, error));
      if (!found.exact && box.firstChild === table) box.prepend(estimateNote());
    };
    await eachInTurn(numbers, ask);
    return box;
  },
};
