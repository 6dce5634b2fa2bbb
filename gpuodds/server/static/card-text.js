// Cards as elements: the rank, then the symbol of the suit, each in a font that has it.
import { SYMBOLS } from "./cards.js";
import { h } from "./dom.js";

/**
 * Returns the parts of a card: an element of its rank, one of its suit.
 * @param {string} card
 * @returns {[HTMLElement, HTMLElement]}
 */
export const cardParts = (card) => [h("span", { class: "rank" }, card[0]), h("span", { class: "suit" }, SYMBOLS[card[1]])];

/**
 * Returns a card in the colour of its suit.
 * @param {string} card
 */
export const cardText = (card) => h("b", { class: card[1] }, ...cardParts(card));
