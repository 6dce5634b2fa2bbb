// What is known beside the answer: the equity of each hand of each player.
/** @import { HandAnswer } from "./gpuodds.js" */
/** @import { SpotRequest } from "./types.js" */
import { cardsIn } from "./cards.js";
import { hasGrid } from "./games.js";
import { client, once, patiently } from "./client.js";
import { hitsOf } from "./hits-store.js";
import { currentRequest } from "./request.js";
import { emit, isHand, on, state } from "./state.js";
import { answer } from "./stream.js";

/** The equities of hands by the id of the seat, best first, and the request they answer, as text. */
export const hands = { /** @type {Map<number, HandAnswer[]>} */ of: new Map(), request: "" };

/** @param {SpotRequest} request */
const keyOf = (request) => JSON.stringify([request.hands, request.options, request.seats.map(({ id }) => id)]);

/** Whether the equities of hands are those of the current spot. */
export const isFresh = () => hands.request === keyOf(currentRequest());

/** @type {{ key: string, found: Promise<Map<number, HandAnswer[]>>, control: AbortController } | null} */
let asked = null;

/**
 * Returns the equity of each hand of each player, asked once for a request.
 * @param {SpotRequest} request
 * @returns {Promise<Map<number, HandAnswer[]>>}
 */
export function handsOf(request) {
  const key = keyOf(request);
  if (asked?.key === key) return asked.found;
  asked?.control.abort();
  const control = new AbortController();
  const found = ask(request, control.signal).then((each) => {
    hands.of = new Map(request.seats.map(({ id }, at) => [id, each[at]]));
    hands.request = key;
    emit("details");
    return hands.of;
  });
  found.catch(() => asked?.key === key && (asked = null)); // asked again
  asked = { key, found, control };
  return found;
}

/**
 * Where all players have known hands, the answer has their equities.
 * @param {SpotRequest} request
 * @param {AbortSignal} signal
 * @returns {Promise<HandAnswer[][]>}
 */
async function ask(request, signal) {
  if (request.hands.every(isHand) && answer.found && !answer.isStale && answer.request && keyOf(answer.request) === keyOf(request)) {
    return answer.found.players.map((/** @type {any} */ { equity, win, tie }, /** @type {number} */ at) => [
      { hand: cardsIn(request.hands[at]).join(""), weight: 1, equity, win, tie },
    ]);
  }
  const options = { ...request.options, by_hand: true };
  const asking = () => patiently(() => client.equity(request.hands, { ...options, signal }), signal);
  const found = await once(["hands", request.hands, options], asking, ({ exact }) => exact);
  return found.players.map((player) => player.by_hand || []);
}

/** Whether the answer to the current spot is there. */
export const isSettled = () => !answer.isStale && !state.isDragging && (answer.stage === "exact" || answer.stage === "final");

/** Asks for what the grid shows. */
function follow() {
  const { request } = answer;
  if (!request || !isSettled() || !hasGrid(state.games[request.options.game])) return;
  if (state.mode === "equity") handsOf(request).catch(() => {}); // the views tell why they cannot be had
  if (state.mode === "hits" && cardsIn(request.options.board).length >= 3) {
    request.seats.forEach((seat, at) => hitsOf(seat.id, request.hands[at]).catch(() => {}));
  }
}

export function followDetails() {
  on(["answer", "mode"], follow);
}
