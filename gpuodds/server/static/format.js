// Figures as text.

/**
 * A number with some decimals, as the command writes it: exactly one half is rounded to the even digit.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  // Only an odd multiple of 2^-(digits + 1) is one half exactly.
  const scaled = value * 2 ** (digits + 1);
  if (!Number.isInteger(scaled) || scaled % 2 === 0) return value.toFixed(digits);
  const below = Math.floor(value * 10 ** digits);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** digits).toFixed(digits);
}

/** With its sign. @param {number} change @param {number} [digits] */
export const signed = (change, digits = 2) => `${change < 0 ? "−" : "+"}${fixed(Math.abs(change), digits)}`;

/** Points of a hundred, without the sign. @param {number} share @param {number} [digits] */
export const points = (share, digits = 2) => fixed(100 * share, digits);

/**
 * @param {number} share 0 to 1
 * @param {number} [digits]
 */
export const percent = (share, digits = 2) => `${points(share, digits)} %`;

/**
 * @param {string | number} count
 */
export const whole = (count) => Number(count).toLocaleString("en", { maximumFractionDigits: 0 });

/**
 * A number of combos: whole where it is, else with two digits.
 * @param {number} count
 */
export const combos = (count) => String(+fixed(count, 2));

/**
 * @param {string} text
 * @param {number} [most]
 */
export const short = (text, most = 48) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
