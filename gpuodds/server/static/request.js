// The request that the current spot is.
/** @import { SpotRequest } from "./types.js" */
import { filteredText } from "./filters.js";
import { nameOfSeat, state } from "./state.js";
import { isPartOfHand } from "./parts.js";

/**
 * Returns the request for the current spot: the players at the seats that are not empty. An answer has its
 * players in this order.
 * @returns {SpotRequest}
 */
export function currentRequest() {
  const { opponents, game } = state.spot;
  const filled = state.spot.seats.filter(({ text }) => text.trim() && !isPartOfHand(text));
  const [seats, folded] = [filled.filter((one) => !one.isFolded), filled.filter((one) => one.isFolded)];
  const hands = seats.map(filteredText);
  const empty = seats.find((_, at) => hands[at] === "");
  const options = { opponents, board: state.spot.board.trim(), dead: state.spot.dead.trim(), game };
  const all = folded.length ? { ...options, folded: folded.map((seat) => seat.text.trim()) } : options;
  const isWaiting = hands.includes(null);
  const lack = isWaiting ? "filtering …" : empty ? `No hand of ${nameOfSeat(empty.id)} passes the filters.` : "";
  return { seats, folded, hands: hands.map((hand) => hand || ""), options: all, isWaiting, lack };
}

/**
 * Returns what a request lacks, or nothing.
 * @param {SpotRequest} request
 */
export function missing({ hands, options, lack }) {
  if (lack) return lack;
  if (!hands.length) return "Add a hand or a range.";
  return hands.length + options.opponents < 2 ? "Add another player, or a random opponent." : "";
}
