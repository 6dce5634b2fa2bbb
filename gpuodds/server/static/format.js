// Figures as text.

/**
 * @param {number} share 0 to 1
 * @param {number} [digits]
 */
export const percent = (share, digits = 2) => `${(100 * share).toFixed(digits)} %`;

/**
 * @param {string | number} count
 */
export const whole = (count) => Number(count).toLocaleString("en", { maximumFractionDigits: 0 });

/**
 * A number of combos: whole where it is, else with two digits.
 * @param {number} count
 */
export const combos = (count) => String(+count.toFixed(2));

/**
 * @param {string} text
 * @param {number} [most]
 */
export const short = (text, most = 48) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
