// Filters by street: what a range must have made, or draw to, on the flop, the turn and the river; the range itself stays.
/** @import { Seat, Weights } from "./types.js" */
import { onlyCards } from "./cards.js";
import { hasGrid, ranksOf } from "./games.js";
import { hasOne } from "./hit-groups.js";
import { hitsOf, knownHits } from "./hits-store.js";
import { rangeOf } from "./range.js";
import { textOf } from "./ranges.js";
import { game, isHand, state } from "./state.js";

export const STREETS = ["flop", "turn", "river"];

/** Returns the filters of a seat that the board has reached: street and classes. @param {Seat} seat @returns {[string, string[]][]} */
export function activeFilters(seat) {
  const cards = onlyCards(state.spot.board).length;
  if (!hasGrid(game()) || isHand(seat.text)) return [];
  return STREETS.filter((street, at) => cards >= 3 + at && seat.filters[street]?.length).map((street) => [street, seat.filters[street]]);
}

/** What was filtered last, by seat. @type {Map<number, { key: string, weights: Weights, text: string }>} */
const last = new Map();

/**
 * Returns the weights of a seat's combos that pass its filters; null until they are known. Combos that a known card
 * excludes pass none.
 * @param {Seat} seat
 * @returns {Weights | null}
 */
export function filteredWeights(seat) {
  const { weights, text } = rangeOf(seat.id);
  const filters = activeFilters(seat);
  if (!filters.length) return weights;
  if (!weights || text !== seat.text) return null;
  const found = knownHits(seat.id, seat.text);
  if (!found) {
    hitsOf(seat.id, seat.text).catch(() => {}); // an error of the range or of the board is the answer's
    return null;
  }
  const key = JSON.stringify([seat.text, filters, found.board, found.dead, state.spot.game]);
  const before = last.get(seat.id);
  if (before?.key === key) return before.weights;
  const passing = filters.map(([street, classes]) => {
    const wanted = new Set(classes);
    const hands = found.streets.find((one) => one.street === street)?.by_hand || [];
    return new Set(hands.filter((hand) => hasOne(hand, wanted)).map(({ hand }) => hand));
  });
  const kept = Object.fromEntries(Object.entries(weights).filter(([combo]) => passing.every((hands) => hands.has(combo))));
  last.set(seat.id, { key, weights: kept, text: textOf(kept, ranksOf(game())) });
  return kept;
}

/**
 * Returns the range of a seat as text, without what its filters take away; null until that is known.
 * @param {Seat} seat
 */
export function filteredText(seat) {
  if (!activeFilters(seat).length) return seat.text.trim();
  return filteredWeights(seat) && (last.get(seat.id)?.text ?? "");
}
