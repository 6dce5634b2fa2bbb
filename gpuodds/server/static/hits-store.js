// What the hands of ranges have made and draw to: asked once for a range on a board.
/** @import { HitsAnswer } from "./gpuodds.js" */
import { cardsIn } from "./cards.js";
import { client, once, patiently } from "./client.js";
import { hasGrid } from "./games.js";
import { knownHands } from "./known.js";
import { emit, game, isHand, state } from "./state.js";

const MAX_KEPT = 60;

/** What has come, by the request for it, as text. @type {Map<string, HitsAnswer>} */
const kept = new Map();
/** The requests on their way. @type {Map<string, Promise<HitsAnswer>>} */
const coming = new Map();

/** @param {number} id of the seat, whose own cards are not dead to it @param {string} text */
function requestFor(id, text) {
  const board = state.spot.board.trim();
  const others = knownHands().filter((one) => one.id !== id).flatMap(({ cards }) => cards);
  const dead = [state.spot.dead.trim(), ...others].join(" ").trim();
  // Only ranges of two cards are few enough to be listed.
  const options = { board, dead, game: game().name, by_hand: Boolean(board) && hasGrid(game()) };
  return { text: isHand(text) ? cardsIn(text).join("") : text.trim(), options };
}

/**
 * Returns the hits of a range at a seat if they have come.
 * @param {number} id
 * @param {string} text
 */
export const knownHits = (id, text) => kept.get(JSON.stringify(requestFor(id, text)));

/**
 * Returns the hits of a range at a seat.
 * @param {number} id
 * @param {string} text
 * @returns {Promise<HitsAnswer>}
 */
export async function hitsOf(id, text) {
  const request = requestFor(id, text);
  const key = JSON.stringify(request);
  const known = kept.get(key);
  if (known) return known;
  const sent = coming.get(key) || once(["hits", request], () => patiently(() => client.hits(request.text, request.options), new AbortController().signal));
  coming.set(key, sent);
  try {
    const found = await sent;
    kept.set(key, found);
    if (kept.size > MAX_KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
    return found;
  } finally {
    if (coming.delete(key)) emit("details");
  }
}
