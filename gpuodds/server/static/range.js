// The range of the seat in focus: its weights, read by the server or painted.
/** @import { Weights } from "./types.js" */
import { cardsIn } from "./cards.js";
import { hasGrid, ranksOf } from "./games.js";
import { textOf } from "./ranges.js";
import { client, reason } from "./request.js";
import { emit, game, isHand, on, seat, setText, state } from "./state.js";

export const range = {
  /** The seat, the text and the game that the weights are of. */
  id: 0,
  text: "",
  game: "",
  /** Null until the text is read, and if it cannot be. @type {Weights | null} */
  weights: {},
  /** The object gpuodds.range/1, if the server read the text. @type {any} */
  found: null,
  /** Why the text cannot be read. */
  error: "",
};

let reading = 0;

/** Reads the range of the seat in focus, if it is another than before. */
async function read() {
  const { id, text } = seat();
  const name = state.spot.game;
  if (range.text === text && range.game === name && !range.error) {
    if (range.id !== id) {
      range.id = id;
      emit("range");
    }
    return;
  }
  const mine = ++reading;
  // Until the new text is read, painting would change the range before it.
  Object.assign(range, { id, text, game: name, weights: text ? null : {}, found: null, error: "" });
  emit("range");
  if (!text) return;
  try {
    const found = await client.range(isHand(text) ? cardsIn(text).join("") : text, { game: name });
    if (mine !== reading) return;
    Object.assign(range, { weights: hasGrid(state.games[name]) ? found.weights : null, found });
  } catch (error) {
    if (mine !== reading) return;
    range.error = reason(error);
  }
  emit("range");
}

/**
 * Gives the seat in focus the range of some weights, as compact text.
 * @param {Weights} weights
 */
export function setWeights(weights) {
  reading += 1; // an answer that is older than the stroke is dropped
  const text = textOf(weights, ranksOf(game()));
  Object.assign(range, { id: state.focus, text, game: state.spot.game, weights, found: null, error: "" });
  setText(state.focus, text);
  emit("range");
}

export function followRange() {
  on(["spot", "focus"], read);
}
