// Bars, heat and lines that several parts of the page draw.
import { h } from "./dom.js";

/** The 95 % interval reaches this many standard errors to each side. */
export const INTERVAL = 1.96;

/**
 * Returns a bar as long as an equity, with a whisker over the 95 % interval of an estimate.
 * @param {number} equity 0 to 1
 * @param {number | null} [error] one standard error
 */
export function newBar(equity, error) {
  const made = h("span", { class: "meter", "aria-hidden": "true" }, h("span", { class: "bar" }), h("span", { class: "whisker" }));
  setBar(made, equity, error);
  return made;
}

/**
 * @param {HTMLElement} meter
 * @param {number} equity
 * @param {number | null} [error]
 */
function setBar(meter, equity, error) {
  const [bar, whisker] = /** @type {HTMLElement[]} */ ([...meter.children]);
  bar.style.width = `${100 * equity}%`;
  whisker.hidden = !error;
  if (!error) return;
  const low = Math.max(0, equity - INTERVAL * error);
  whisker.style.left = `${100 * low}%`;
  whisker.style.width = `${100 * (Math.min(1, equity + INTERVAL * error) - low)}%`;
}

/**
 * Colours an element by an equity: orange below one half, blue above it, neutral at it.
 * @param {HTMLElement} element
 * @param {number} equity 0 to 1
 */
export function setHeat(element, equity) {
  const end = equity < 0.5 ? "low" : "high";
  element.dataset.heat = end;
  element.style.setProperty("--heat", `${Math.round(Math.abs(equity - 0.5) * 200)}%`);
}

/**
 * Returns a table: texts and elements, the first of each row its head.
 * @param {string[]} heads
 * @param {(string | Node | null)[][]} rows
 * @param {number} [most] rows that are shown
 */
export function newTable(heads, rows, most = 200) {
  const body = rows.slice(0, most).map(([first, ...cells]) =>
    h("tr", {}, h("th", { scope: "row" }, first), ...cells.map((cell) => h("td", {}, cell))),
  );
  if (rows.length > most) {
    body.push(h("tr", {}, h("td", { colspan: heads.length }, `and ${(rows.length - most).toLocaleString("en")} more`)));
  }
  const head = h("tr", {}, ...heads.map((name) => h("th", { scope: "col" }, name)));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...body));
}

/**
 * Returns a scrolling region around something wide or long.
 * @param {string} label
 * @param {HTMLElement} inside
 */
export const newRegion = (label, inside) => h("div", { class: "list", role: "region", tabindex: 0, "aria-label": label }, inside);

/** Returns the line above figures that are not all exact. */
export const estimateNote = () => h("p", { class: "soft" }, "Estimates: counting would take longer.");
