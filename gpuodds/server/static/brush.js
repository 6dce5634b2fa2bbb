// What a stroke of the range editor paints: a weight, for the combos of some suits.
/** @import { Weights } from "./types.js" */
import { COMBOS } from "./cards.js";
import { $, all, field } from "./dom.js";

let percent = 100;

/**
 * Sets the weight to paint with, in percent; what is no number leaves it as it is.
 * @param {string} text
 */
export function setBrush(text) {
  const given = Number(text);
  if (text.trim() && Number.isFinite(given)) percent = +Math.min(100, Math.max(0, given)).toFixed(2);
  field("weight").value = String(percent);
  for (const one of all("button", $("weights"))) one.setAttribute("aria-pressed", String(Number(one.dataset.weight) === percent));
}

/**
 * Changes the weight to paint with by percent, and returns it.
 * @param {number} step
 */
export function stepBrush(step) {
  setBrush(String(percent + step));
  return percent;
}

/**
 * Returns the combos of a starting hand that a stroke changes: those of the suits that are picked, all if none is.
 * @param {string} name
 */
export function touched(name) {
  const picks = all("[aria-pressed='true']", $("suit-picks")).map((one) => one.dataset.suit);
  return COMBOS[name].filter((combo) => !picks.length || picks.includes(combo[1]) || picks.includes(combo[3]));
}

/**
 * Returns the weight of a stroke that begins with some combos: that of the brush, or 0 where all have it already.
 * @param {Weights} weights
 * @param {string[]} combos
 */
export function strokeWeight(weights, combos) {
  const weight = +(percent / 100).toFixed(4);
  return combos.every((combo) => (weights[combo] || 0) === weight) ? 0 : weight;
}

/**
 * Returns weights with those of some combos changed.
 * @param {Weights} weights
 * @param {string[]} combos
 * @param {number} weight
 * @returns {Weights}
 */
export function painted(weights, combos, weight) {
  const next = { ...weights };
  for (const combo of combos) {
    if (weight) next[combo] = weight;
    else delete next[combo];
  }
  return next;
}
