// Ranges of two cards: their compact text, and counting them. Weights are by combo, above 0.
/** @import { Weights } from "./types.js" */
import { ALL_COMBOS, byCards, COMBOS, RANKS, sorted } from "./cards.js";

/**
 * Returns text that the server reads as these weights, in as few items as its own: `22+,A2s+,AK:0.5`.
 * @param {Weights} weights
 * @param {string} [ranks] those of the deck, aces first
 * @returns {string}
 */
export function textOf(weights, ranks = RANKS) {
  /** By weight: the starting hands whose combos all have it, and other combos. @type {Map<number, { names: Set<string>, combos: string[] }>} */
  const parts = new Map();
  const part = (/** @type {number} */ value) => {
    if (!parts.has(value)) parts.set(value, { names: new Set(), combos: [] });
    return /** @type {{ names: Set<string>, combos: string[] }} */ (parts.get(value));
  };
  for (const [name, combos] of Object.entries(COMBOS)) {
    const value = weights[combos[0]] || 0;
    if (combos.every((combo) => (weights[combo] || 0) === value)) {
      if (value) part(value).names.add(name);
    } else {
      for (const combo of combos) if (weights[combo]) part(weights[combo]).combos.push(combo);
    }
  }
  const values = [...parts.keys()].sort((a, b) => b - a);
  return values.flatMap((value) => itemsOf(part(value).names, part(value).combos, ranks).map((item) => (value === 1 ? item : `${item}:${value}`))).join(",");
}

/**
 * @param {Set<string>} whole starting hands
 * @param {string[]} combos
 * @param {string} ranks
 */
function itemsOf(whole, combos, ranks) {
  const count = ranks.length;
  if (whole.size === count * count) return ["random"];
  const items = stretches(count, (at) => whole.has(ranks[at] + ranks[at])).map(([top, bottom]) =>
    run(ranks[top] + ranks[top], ranks[bottom] + ranks[bottom], top === 0, ""),
  );
  for (const kind of ["", "s", "o"]) {
    for (let high = 0; high < count - 1; high += 1) {
      const fits = (/** @type {number} */ low) => {
        if (low <= high) return false;
        const [suited, offsuit] = [whole.has(`${ranks[high]}${ranks[low]}s`), whole.has(`${ranks[high]}${ranks[low]}o`)];
        return kind === "" ? suited && offsuit : kind === "s" ? suited && !offsuit : offsuit && !suited;
      };
      for (const [top, bottom] of stretches(count, fits)) {
        items.push(run(ranks[high] + ranks[top], ranks[high] + ranks[bottom], top === high + 1, kind));
      }
    }
  }
  return [...items, ...combos.sort(byCards)];
}

/**
 * Returns the first and the last place of each run of places that fit.
 * @param {number} count
 * @param {(at: number) => boolean} fits
 * @returns {[number, number][]}
 */
function stretches(count, fits) {
  /** @type {[number, number][]} */
  const found = [];
  for (let at = 0; at < count; at += 1) {
    if (!fits(at)) continue;
    if (at && fits(at - 1)) found[found.length - 1][1] = at;
    else found.push([at, at]);
  }
  return found;
}

/**
 * @param {string} top
 * @param {string} bottom
 * @param {boolean} isOpen whether no hand of the run is above the top one
 * @param {string} kind
 */
function run(top, bottom, isOpen, kind) {
  if (top === bottom) return top + kind;
  return isOpen ? `${bottom}${kind}+` : `${top}${kind}-${bottom}${kind}`;
}

const ITEM = /^(?:([2-9TJQKA])([2-9TJQKA])([so]?)(?:(\+)|-([2-9TJQKA])([2-9TJQKA])([so]?))?|((?:[2-9TJQKA][shdc]){2}))(?::(0?\.\d+|1))?$/;

/**
 * Returns the weights that a text means, if it is written as the page writes it; null for any other text, which the server reads.
 * @param {string} text
 * @param {string} [ranks] those of the deck, aces first
 * @returns {Weights | null}
 */
export function weightsOf(text, ranks = RANKS) {
  /** @type {Weights} */
  const found = {};
  if (text === "random") return inverted({}, ranks);
  for (const item of text.split(",")) {
    const parts = ITEM.exec(item);
    const combos = parts && combosOf(parts, ranks);
    const weight = Number(parts?.[9] ?? 1);
    if (!combos || !weight || combos.some((combo) => combo in found)) return null;
    for (const combo of combos) found[combo] = weight;
  }
  return found;
}

/**
 * Returns the combos of an item of a range, or null.
 * @param {RegExpExecArray} parts
 * @param {string} ranks
 */
function combosOf([, high, low, kind, plus, high2, low2, kind2, combo], ranks) {
  if (combo) return combo.slice(0, 2) !== combo.slice(2) && ranks.includes(combo[0]) && ranks.includes(combo[2]) ? [sorted(combo)] : null;
  const isPair = high === low;
  const [top, second, last] = [high, low, low2 || low].map((rank) => ranks.indexOf(rank));
  if ([top, second, last].includes(-1) || (isPair ? kind !== "" : top > second)) return null;
  let [begin, end] = [second, last];
  if (plus) {
    if (!isPair && second === top + 1) return null;
    [begin, end] = [isPair ? 0 : top + 1, second];
  } else if (high2) {
    if (kind !== kind2 || (isPair ? high2 !== low2 : high2 !== high) || begin >= end) return null;
  }
  const kinds = isPair ? [""] : kind ? [kind] : ["s", "o"];
  const lows = ranks.slice(begin, end + 1).split("");
  return lows.flatMap((rank) => kinds.flatMap((one) => COMBOS[isPair ? rank + rank : high + rank + one]));
}

/** Sums that were asked for, by the cards without which they are. @type {WeakMap<Weights, Record<string, number>>} */
const sums = new WeakMap();

/**
 * Returns the sum of the weights of the combos without some cards.
 * @param {Weights} weights
 * @param {string[]} [gone]
 */
export function total(weights, gone = []) {
  const key = gone.join("");
  const known = sums.get(weights) || {};
  sums.set(weights, known);
  if (known[key] !== undefined) return known[key];
  const without = new Set(gone);
  let sum = 0;
  for (const combo in weights) if (!without.has(combo.slice(0, 2)) && !without.has(combo.slice(2))) sum += weights[combo];
  return (known[key] = sum);
}

/**
 * Returns one minus each weight, of a deck's combos.
 * @param {Weights} weights
 * @param {string} ranks
 * @returns {Weights}
 */
export function inverted(weights, ranks) {
  /** @type {Weights} */
  const found = {};
  for (const combo of ALL_COMBOS) {
    if (!ranks.includes(combo[0]) || !ranks.includes(combo[2])) continue;
    const weight = +(1 - (weights[combo] || 0)).toFixed(12);
    if (weight > 0) found[combo] = weight;
  }
  return found;
}
