// The equity against each number of random opponents.
/** @import { View } from "./types.js" */
import { estimateNote, newBar, newTable } from "./charts.js";
import { h } from "./dom.js";
import { percent } from "./format.js";
import { client, eachInTurn } from "./request.js";
import { state } from "./state.js";

const MOST = 9;
const SECONDS = 2; // that an answer may take to count; beyond, it is sampled for as long

/** @type {View} */
export const opponents = {
  name: "opponents",
  label: "Opponents",
  title: "equity by the number of random opponents",
  alone: true,
  async make({ request, place, signal }) {
    const { hands, options } = request;
    const max = Math.min(MOST, state.games[options.game].max_players - hands.length);
    const min = hands.length > 1 ? 0 : 1;
    const numbers = Array.from({ length: max - min + 1 }, (_, at) => min + at);
    const ask = (/** @type {number} */ number) => client.equity(hands, { ...options, opponents: number, time_limit: SECONDS, signal });
    const found = await eachInTurn(numbers, ask);
    const rows = numbers.map((number, at) => {
      const { equity, standard_error: error } = found[at].players[place];
      return [String(number), h("span", {}, percent(equity, found[at].exact ? 4 : 2), newBar(equity, error))];
    });
    const table = newTable(["Random opponents", "Equity"], rows);
    return h("div", {}, found.every((one) => one.exact) ? null : estimateNote(), table);
  },
};
