// The request that the current spot is, and the client that sends requests.
/** @import { SpotRequest } from "./types.js" */
import { token } from "./address.js";
import { Client, Problem } from "./gpuodds.js";
import { state } from "./state.js";

export const client = new Client(undefined, token);

/**
 * Returns the request for the current spot: the players at the seats that are not empty. An answer has its
 * players in this order.
 * @returns {SpotRequest}
 */
export function currentRequest() {
  const { opponents, game } = state.spot;
  const seats = state.spot.seats.filter((seat) => seat.text.trim());
  const options = { opponents, board: state.spot.board.trim(), dead: state.spot.dead.trim(), game };
  return { seats, hands: seats.map((seat) => seat.text.trim()), options };
}

/**
 * Returns what a request lacks, or nothing.
 * @param {SpotRequest} request
 */
export function missing({ hands, options }) {
  if (!hands.length) return "Add a hand or a range.";
  return hands.length + options.opponents < 2 ? "Add another player, or a random opponent." : "";
}

/**
 * Returns an error in one line.
 * @param {unknown} error
 */
export function reason(error) {
  if (error instanceof Problem) return error.message;
  return `The page failed: ${error instanceof Error ? error.message : error}`;
}

/** @type {Record<string, string>} */
const PASSING = { "warming-up": "warming up", busy: "busy" };

/**
 * Returns what the server is, if an error passes by itself and the page asks again: "busy".
 * @param {unknown} error
 */
export function passing(error) {
  if (!(error instanceof Problem)) return "";
  return PASSING[String(error.problem.type).split("/").pop() || ""] || "";
}

/**
 * Returns whether an error means that the server cannot be reached.
 * @param {unknown} error
 */
export const isGone = (error) => error instanceof Problem && error.problem.status === 0;
