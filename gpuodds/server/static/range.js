// The ranges of the seats: their weights, read by the page or by the server, or painted.
/** @import { RangeEntry, Weights } from "./types.js" */
import { cardsIn, sorted } from "./cards.js";
import { hasGrid, ranksOf } from "./games.js";
import { textOf, weightsOf } from "./ranges.js";
import { client, isGone, once, passing, reason, retryAfter } from "./client.js";
import { isPartOfHand } from "./parts.js";
import { emit, game, isHand, on, setText, state } from "./state.js";

/** @type {RangeEntry} */
const EMPTY = { text: "", game: "", weights: {}, shown: {}, found: null, error: "" };

/** By the id of the seat. @type {Map<number, RangeEntry>} */
const entries = new Map();

/** Returns the range of a seat; by default of the one in focus. */
export const rangeOf = (id = state.focus) => entries.get(id) || EMPTY;

const MAX_KEPT = 100;
/** What was read or painted, by game and text. @type {Map<string, Pick<RangeEntry, "weights" | "found">>} */
const kept = new Map();
let tries = 0; // since the server answered last

/** @param {number} id @param {RangeEntry} entry */
function set(id, entry) {
  entries.set(id, entry.weights ? { ...entry, shown: entry.weights } : entry);
  emit("range");
}

/**
 * @param {string} key
 * @param {Pick<RangeEntry, "weights" | "found">} part
 */
function keep(key, part) {
  kept.set(key, part);
  if (kept.size > MAX_KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
  return part;
}

/**
 * Returns the range of a text that the server need not read, or null.
 * @param {string} text
 * @returns {Pick<RangeEntry, "weights" | "found"> | null}
 */
function readHere(text) {
  const isGrid = hasGrid(game());
  if (!text || isPartOfHand(text)) return { weights: {}, found: null };
  if (isHand(text)) return { weights: isGrid ? { [sorted(cardsIn(text).join(""))]: 1 } : null, found: null };
  const key = `${game().name} ${text}`;
  if (kept.has(key)) return kept.get(key) || null;
  const weights = isGrid ? weightsOf(text, ranksOf(game())) : null;
  return weights && keep(key, { weights, found: null });
}

/** Reads the range of a seat, if it is another than before. @param {number} id @param {string} text */
async function read(id, text) {
  const name = state.spot.game;
  const entry = rangeOf(id);
  if (entries.has(id) && entry.text === text && entry.game === name && !entry.error) return;
  const before = { text, game: name, found: null, error: "" };
  const here = readHere(text);
  if (here) return set(id, { ...before, ...here, shown: {} });
  // Until the new text is read, painting would change the range before it.
  const waiting = { ...before, weights: null, shown: entry.game === name ? entry.shown : {} };
  set(id, waiting);
  const isWanted = () => rangeOf(id).text === text && rangeOf(id).game === name && rangeOf(id).weights === null;
  try {
    const found = await once(["range", text, name], () => client.range(text, { game: name }));
    tries = 0;
    const part = keep(`${name} ${text}`, { weights: hasGrid(state.games[name]) ? found.weights : null, found });
    if (isWanted()) set(id, { ...before, ...part, shown: {} });
  } catch (error) {
    if (!isWanted()) return;
    const isOpen = passing(error) || isGone(error);
    if (isOpen) setTimeout(() => isWanted() && read(id, text), 1000 * retryAfter(error, (tries += 1) - 1));
    set(id, { ...waiting, error: isOpen ? "not read: the server does not answer" : reason(error), shown: {} });
  }
}

/**
 * Gives a seat the range of some weights, as compact text.
 * @param {number} id
 * @param {Weights} weights
 */
export function setWeights(id, weights) {
  const text = textOf(weights, ranksOf(game()));
  keep(`${state.spot.game} ${text}`, { weights, found: null });
  entries.set(id, { text, game: state.spot.game, weights, shown: weights, found: null, error: "" });
  setText(id, text);
  emit("range");
}

export function followRanges() {
  on(["spot"], () => {
    for (const { id, text } of state.spot.seats) read(id, text);
  });
}
