// How many combos a seat's range has, and how many of them the known cards leave.
/** @import { Seat } from "./types.js" */
import { knownCards } from "./known.js";
import { activeFilters, filteredWeights } from "./filters.js";
import { combos, percent, whole } from "./format.js";
import { rangeOf } from "./range.js";
import { total } from "./ranges.js";
import { isPartOfHand } from "./parts.js";
import { game, isHand } from "./state.js";

/** @param {number} of @param {number} count */
const choose = (of, count) => Array.from({ length: count }, (_, at) => (of - at) / (at + 1)).reduce((product, part) => product * part, 1);

/** Returns the range's share of all hands, 0 to 1; null until it is known. @param {Seat} seat */
export function shareOf(seat) {
  const { weights, found } = rangeOf(seat.id);
  if (weights) return total(weights) / choose(game().deck_size, 2);
  return found ? found.percent / 100 : null;
}

/** Returns the combos of a range in a few words, and in full. @param {Seat} seat */
export function sizeOf(seat) {
  const range = rangeOf(seat.id);
  const plain = (/** @type {string} */ text) => ({ text, title: text });
  if (range.error || !seat.text) return plain("");
  if (isPartOfHand(seat.text)) return plain("one more card");
  if (isHand(seat.text)) return plain("one hand");
  const part = shareOf(seat);
  if (part === null) return plain("reading …");
  if (!range.weights) return plain(range.found ? `${whole(range.found.combos)} combos, ${percent(part, 1)}` : "");
  const [all, left] = [total(range.weights), total(range.weights, knownCards(seat.id))];
  if (activeFilters(seat).length) {
    const passing = filteredWeights(seat);
    const kept = passing && total(passing);
    return kept === null ? plain("filtering …") : { text: `${combos(kept)} of ${combos(left)} combos`, title: `${combos(kept)} of ${combos(left)} combos pass the filters` };
  }
  const rest = left === all ? "" : `, ${combos(left)} with the known cards`;
  const unit = (/** @type {number} */ count) => (count === 1 ? "combo" : "combos");
  return { text: `${combos(left)} ${unit(left)}`, title: `${combos(all)} ${unit(all)}, ${percent(part, 1)}${rest}` };
}
