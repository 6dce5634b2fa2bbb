// The range of the seat in focus: its weights, read by the server or painted.
/** @import { RangeAnswer } from "./gpuodds.js" */
/** @import { Weights } from "./types.js" */
import { cardsIn, sorted } from "./cards.js";
import { hasGrid, ranksOf } from "./games.js";
import { textOf } from "./ranges.js";
import { client, isGone, isPartOfHand, passing, reason, retryAfter } from "./request.js";
import { emit, game, isHand, on, seat, setText, state } from "./state.js";

export const range = {
  /** The seat, the text and the game that the weights are of. */
  id: 0,
  text: "",
  game: "",
  /** Null until the text is read, and if it cannot be. @type {Weights | null} */
  weights: {},
  /** What the grid shows: the weights, or those before them of the same seat. @type {Weights} */
  shown: {},
  /** The object gpuodds.range/1, if the server read the text. @type {RangeAnswer | null} */
  found: null,
  /** Why the text cannot be read. */
  error: "",
};

const MAX_KEPT = 100;
/** What was read or painted, by game and text. @type {Map<string, Pick<typeof range, "weights" | "found">>} */
const kept = new Map();
let reading = 0;
let tries = 0; // since the server answered last
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {Partial<typeof range>} part */
function set(part) {
  Object.assign(range, part);
  if (range.weights) range.shown = range.weights;
  emit("range");
}

/**
 * @param {string} key
 * @param {Pick<typeof range, "weights" | "found">} part
 */
function keep(key, part) {
  kept.set(key, part);
  if (kept.size > MAX_KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
  return part;
}

/** Reads the range of the seat in focus, if it is another than before. */
async function read() {
  const { id, text } = seat();
  const name = state.spot.game;
  if (range.text === text && range.game === name && !range.error) {
    if (range.id !== id) set({ id });
    return;
  }
  const mine = ++reading;
  clearTimeout(timer);
  const isGrid = hasGrid(state.games[name]);
  const before = { id, text, game: name, found: null, error: "" };
  if (!text || isPartOfHand(text)) return set({ ...before, weights: {} });
  if (isHand(text)) return set({ ...before, weights: isGrid ? { [sorted(cardsIn(text).join(""))]: 1 } : null });
  const key = `${name} ${text}`;
  let part = kept.get(key);
  if (!part) {
    // Until the new text is read, painting would change the range before it.
    set({ ...before, weights: null, shown: range.id === id && range.game === name ? range.shown : {} });
    try {
      const found = await client.range(text, { game: name });
      part = keep(key, { weights: isGrid ? found.weights : null, found });
    } catch (error) {
      if (mine !== reading) return;
      const isOpen = passing(error) || isGone(error);
      if (isOpen) timer = setTimeout(read, 1000 * retryAfter(error, (tries += 1) - 1));
      set({ error: isOpen ? "not read: the server does not answer" : reason(error), shown: {} });
      return;
    }
    tries = 0;
    if (mine !== reading) return;
  }
  set({ ...before, ...part });
}

/**
 * Gives the seat in focus the range of some weights, as compact text.
 * @param {Weights} weights
 */
export function setWeights(weights) {
  reading += 1; // an answer that is older than the stroke is dropped
  const text = textOf(weights, ranksOf(game()));
  keep(`${state.spot.game} ${text}`, { weights, found: null });
  Object.assign(range, { id: state.focus, text, game: state.spot.game, weights, shown: weights, found: null, error: "" });
  setText(state.focus, text);
  emit("range");
}

export function followRange() {
  on(["spot", "focus"], read);
}
