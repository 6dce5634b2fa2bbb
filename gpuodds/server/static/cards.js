// Cards, combos and starting hands as text, independent of the page.

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
/** @type {Record<string, string>} */
export const SYMBOLS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/** @type {Record<string, string>} */
export const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

const CARD = "(10|1[123]|[2-9TJQKAtjqka1])\\s*([shdcSHDC])";
/** @type {Record<string, string>} */
const NUMERIC = { 10: "T", 11: "J", 12: "Q", 13: "K", 1: "A" };

/** @param {string} text */
const plain = (text) => text.replace(/[♠♤]/g, "s").replace(/[♥♡]/g, "h").replace(/[♦♢]/g, "d").replace(/[♣♧]/g, "c");

/**
 * Returns the cards in a text, as the server writes them.
 * @param {string} text
 * @returns {string[]}
 */
export function cardsIn(text) {
  return [...plain(text).matchAll(new RegExp(CARD, "g"))].map(
    ([, rank, suit]) => (NUMERIC[rank] || rank.toUpperCase()) + suit.toLowerCase(),
  );
}

/**
 * Returns the cards in a text that has nothing else, none in another.
 * @param {string} text
 */
export const onlyCards = (text) => (new RegExp(`^[\\s,]*(${CARD}[\\s,]*)*$`).test(plain(text)) ? cardsIn(text) : []);

/**
 * Returns whether a text is a number of different cards and nothing else.
 * @param {string} text
 * @param {number} [count]
 */
export const isKnown = (text, count = 2) =>
  new RegExp(`^\\s*(${CARD}\\s*){${count}}$`).test(plain(text)) && new Set(cardsIn(text)).size === count;

/**
 * @param {number} row
 * @param {number} column
 */
function gridName(row, column) {
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/**
 * Returns a combo as the server writes it: the higher card first, suits from clubs to spades.
 * @param {string} combo
 */
export function sorted(combo) {
  const [a, b] = [combo.slice(0, 2), combo.slice(2)];
  return valueOf(a) > valueOf(b) ? a + b : b + a;
}

/** @param {string} card */
const valueOf = (card) => 4 * (12 - RANKS.indexOf(card[0])) + "cdhs".indexOf(card[1]);

/**
 * Compares combos, written as the server does, for its order: the one with the higher cards first.
 * @param {string} one
 * @param {string} other
 */
export const byCards = (one, other) =>
  valueOf(other.slice(0, 2)) - valueOf(one.slice(0, 2)) || valueOf(other.slice(2)) - valueOf(one.slice(2));

/**
 * @param {string} name
 * @returns {string[]}
 */
function combosOf(name) {
  const [a, b, kind] = name;
  const found = [];
  for (const one of SUITS) {
    for (const two of SUITS) {
      const fits = a === b ? SUITS.indexOf(one) < SUITS.indexOf(two) : (kind === "s") === (one === two);
      if (fits) found.push(sorted(a + one + b + two));
    }
  }
  return found;
}

/** The 169 starting hands, row by row of the grid. */
export const NAMES = RANKS.split("").flatMap((_, row) => RANKS.split("").map((__, column) => gridName(row, column)));
/**
 * The combos of each starting hand.
 * @type {Record<string, string[]>}
 */
export const COMBOS = Object.fromEntries(NAMES.map((name) => [name, combosOf(name)]));
export const ALL_COMBOS = NAMES.flatMap((name) => COMBOS[name]);

/**
 * Returns the starting hand of a combo.
 * @param {string} combo
 */
export function nameOf(combo) {
  const [a, b] = RANKS.indexOf(combo[0]) <= RANKS.indexOf(combo[2]) ? [combo, combo.slice(2)] : [combo.slice(2), combo];
  if (a[0] === b[0]) return a[0] + b[0];
  return a[0] + b[0] + (a[1] === b[1] ? "s" : "o");
}
