// Cards, hands and ranges as text, independent of the page.

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
/** @type {Record<string, string>} */
export const SYMBOLS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/**
 * Returns the cards that a text names, as "As".
 *
 * @param {string} text
 */
export function cardsIn(text) {
  const found = [];
  const plain = text.replace(/[♠♤]/g, "s").replace(/[♥♡]/g, "h").replace(/[♦♢]/g, "d").replace(/[♣♧]/g, "c");
  for (const [, rank, suit] of plain.matchAll(/(10|1[123]|[2-9TJQKAtjqka1])\s*([shdcSHDC])/g)) {
    /** @type {Record<string, string>} */
    const names = { 10: "T", 11: "J", 12: "Q", 13: "K", 1: "A" };
    found.push((names[rank] || rank.toUpperCase()) + suit.toLowerCase());
  }
  return found;
}

/**
 * Whether a text is `count` cards and nothing else.
 *
 * @param {string} text
 */
export const isKnown = (text, count = 2) =>
  new RegExp(`^\\s*((10|1[123]|[2-9TJQKAtjqka1])[shdcSHDC]\\s*){${count}}$`).test(text);

/**
 * Returns the starting hand in a cell of the grid, aces first.
 *
 * @param {number} row
 * @param {number} column
 */
export function gridName(row, column) {
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/** @param {string} name */
function combosOf(name) {
  const [a, b, kind] = name;
  const found = [];
  for (const one of SUITS) {
    for (const two of SUITS) {
      if (a === b ? SUITS.indexOf(one) < SUITS.indexOf(two) : (kind === "s") === (one === two)) found.push(a + one + b + two);
    }
  }
  return found;
}

export const NAMES = RANKS.split("").flatMap((_, row) => RANKS.split("").map((__, column) => gridName(row, column)));
export const COMBOS = Object.fromEntries(NAMES.map((name) => [name, combosOf(name)]));

/**
 * Returns a combo as the server writes it: the higher card first, suits from clubs to spades.
 *
 * @param {string} combo
 */
export function sorted(combo) {
  const [a, b] = [combo.slice(0, 2), combo.slice(2)];
  const value = (/** @type {string} */ card) => 4 * (12 - RANKS.indexOf(card[0])) + "cdhs".indexOf(card[1]);
  return value(a) > value(b) ? a + b : b + a;
}

/**
 * Returns the text of a range.
 *
 * @param {Record<string, number>} of weights by combo; combos without one have the weight 0
 */
export function textOf(of) {
  const parts = [];
  for (const name of NAMES) {
    const values = COMBOS[name].map((combo) => of[sorted(combo)] || 0);
    if (values.every((value) => value === 0)) continue;
    if (values.every((value) => value === values[0])) parts.push(values[0] === 1 ? name : `${name}:${values[0]}`);
    else COMBOS[name].forEach((combo, i) => values[i] && parts.push(values[i] === 1 ? combo : `${combo}:${values[i]}`));
  }
  return parts.join(",");
}
