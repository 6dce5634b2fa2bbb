// What is known beside the answer: the equity of each hand of each player, and what the hands have made and draw to.
/** @import { HandAnswer, HandHits, HitsAnswer } from "./gpuodds.js" */
/** @import { Seat, SpotRequest } from "./types.js" */
import { cardsIn } from "./cards.js";
import { hasGrid } from "./games.js";
import { client, currentRequest, patiently } from "./request.js";
import { emit, isHand, on, state } from "./state.js";
import { answer } from "./stream.js";

/** The equities of hands by the id of the seat, best first, and the request they answer, as text. */
export const hands = { /** @type {Map<number, HandAnswer[]>} */ of: new Map(), request: "" };

/** The hits that have come, by the request for them, as text. @type {Map<string, HitsAnswer>} */
const hits = new Map();
const MAX_KEPT = 40;

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
  const found = await patiently(() => client.equity(request.hands, { ...request.options, by_hand: true, signal }), signal);
  return found.players.map((player) => player.by_hand || []);
}

/** @param {Seat} seat @param {SpotRequest} request */
function hitsRequest(seat, request) {
  const { board, dead, game } = request.options;
  const others = request.seats.filter((one) => one.id !== seat.id && isHand(one.text)).flatMap((one) => cardsIn(one.text));
  const text = isHand(seat.text) ? cardsIn(seat.text).join("") : seat.text.trim();
  // Only ranges of two cards are few enough to be listed.
  return { text, options: { board, dead: [dead, ...others].join(" ").trim(), game, by_hand: Boolean(board) && hasGrid(state.games[game]) } };
}

/** The requests on their way. @type {Map<string, Promise<HitsAnswer>>} */
const coming = new Map();

/**
 * Returns the made hands and draws of a seat's range, asked once for a range and a board.
 * @param {Seat} seat
 * @param {SpotRequest} request
 * @param {AbortSignal} signal
 */
export async function hitsOf(seat, request, signal) {
  const { text, options } = hitsRequest(seat, request);
  const key = JSON.stringify([text, options]);
  const known = hits.get(key);
  if (known) return known;
  const sent = coming.get(key) || patiently(() => client.hits(text, options), signal);
  coming.set(key, sent);
  try {
    const found = await sent;
    hits.set(key, found);
    if (hits.size > MAX_KEPT) hits.delete(/** @type {string} */ (hits.keys().next().value));
    emit("details");
    return found;
  } finally {
    coming.delete(key);
  }
}

/**
 * Returns what each hand of a seat has on the last street of the board, if that is known.
 * @param {Seat} seat
 * @returns {HandHits[] | undefined}
 */
export function knownHits(seat) {
  const { text, options } = hitsRequest(seat, currentRequest());
  return hits.get(JSON.stringify([text, options]))?.streets.at(-1)?.by_hand;
}

/** Whether the answer to the current spot is there. */
export const isSettled = () => !answer.isStale && !state.isDragging && (answer.stage === "exact" || answer.stage === "final");

/** Asks for what the grid shows. */
function follow() {
  const { request } = answer;
  if (!request || !isSettled() || !hasGrid(state.games[request.options.game])) return;
  if (state.mode === "equity") handsOf(request).catch(() => {}); // the views tell why they cannot be had
  if (state.mode === "hits" && cardsIn(request.options.board).length >= 3) {
    for (const seat of request.seats) hitsOf(seat, request, new AbortController().signal).catch(() => {});
  }
}

export function followDetails() {
  on(["answer", "mode"], follow);
}
