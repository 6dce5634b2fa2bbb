// Texts that are not whole yet.
import { isKnown } from "./cards.js";
import { game } from "./state.js";

/**
 * Returns whether a text is the beginning of a hand of two cards, which is no range either.
 * @param {string} text
 */
export const isPartOfHand = (text) => game().hole_cards === 2 && isKnown(text, 1);
