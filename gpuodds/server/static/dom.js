// Elements: making them, finding them, and one tab stop for a group of them.

/**
 * Returns the element with an id; the page has it.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function $(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * Returns the input, select or textarea with an id.
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export const field = (id) => /** @type {HTMLInputElement} */ ($(id));

/**
 * Returns the button with an id.
 * @param {string} id
 * @returns {HTMLButtonElement}
 */
export const button = (id) => /** @type {HTMLButtonElement} */ ($(id));

/**
 * Returns the elements that a selector finds.
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement[]}
 */
export const all = (selector, within = document) => /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);

/**
 * Returns the element at or around the target of an event that a selector finds.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const targetOf = (event, selector) =>
  event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest(selector)) : null;

/**
 * Returns a new element. Attributes that are functions listen (`onclick`), `style` is an object of CSS properties (the
 * server forbids inline styles), null and false leave an attribute out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [property, text] of Object.entries(value)) made.style.setProperty(property, String(text));
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns a new SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** What the page wrote into each field last. @type {WeakMap<HTMLInputElement, string>} */
const written = new WeakMap();

/**
 * Writes a value into a field. A field in which the user is typing keeps the text, unless the value has changed.
 * @param {HTMLInputElement} input
 * @param {string} value
 */
export function write(input, value) {
  const isTyped = document.activeElement === input && written.get(input) === value;
  if (!isTyped && (input.value !== value || input.validity.badInput)) input.value = value;
  written.set(input, value);
}

/**
 * Lets the next value be written over what was typed: it was taken, or refused.
 * @param {HTMLInputElement} input
 */
export const release = (input) => written.delete(input);

/**
 * Returns whether a field holds what the page wrote there.
 * @param {HTMLInputElement} input
 */
export const isUntouched = (input) => written.get(input) === input.value;

/** Returns what the page wrote into a field last. @param {HTMLInputElement} input */
export const writtenIn = (input) => written.get(input) ?? input.value;

/**
 * Returns the elements of a group that can have the focus.
 * @param {HTMLElement} group
 * @param {string} selector
 */
const reachable = (group, selector) =>
  all(selector, group).filter((one) => !one.hidden && !one.hasAttribute("disabled") && one.offsetParent !== null);

/**
 * Makes an element the tab stop of its group.
 * @param {HTMLElement} group
 * @param {string} selector
 * @param {HTMLElement} chosen
 */
export function stopAt(group, selector, chosen) {
  for (const one of all(selector, group)) {
    const index = one === chosen ? "0" : "-1";
    if (one.getAttribute("tabindex") !== index) one.setAttribute("tabindex", index);
  }
}

/**
 * Returns the element that is nearest above or below another.
 * @param {HTMLElement[]} those
 * @param {HTMLElement} from
 * @param {number} sign 1 for below, -1 for above
 */
function nearest(those, from, sign) {
  const begin = from.getBoundingClientRect();
  let [found, best] = [/** @type {HTMLElement | undefined} */ (undefined), Infinity];
  for (const one of those) {
    const box = one.getBoundingClientRect();
    const down = sign * (box.top - begin.top);
    if (down < begin.height / 2) continue;
    const far = 100 * down + Math.abs(box.left - begin.left); // a row further counts more than any column
    if (far < best) [found, best] = [one, far];
  }
  return found;
}

/**
 * Gives a group one tab stop: arrow keys, Home and End move the focus within it.
 * @param {HTMLElement} group
 * @param {string} selector of the elements that take the focus
 * @param {(from: HTMLElement, isEnd: boolean) => HTMLElement | undefined} [edge] where Home and End go; by default to the first and last
 */
export function rove(group, selector, edge) {
  const first = all(selector, group)[0];
  if (first) stopAt(group, selector, first);
  group.addEventListener("focusin", (event) => {
    const found = targetOf(event, selector);
    if (found) stopAt(group, selector, found);
  });
  group.addEventListener("keydown", (event) => {
    const found = targetOf(event, selector);
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
    const those = reachable(group, selector);
    const at = those.indexOf(found);
    /** @type {Record<string, () => HTMLElement | undefined>} */
    const moves = {
      ArrowRight: () => those[at + 1],
      ArrowLeft: () => those[at - 1],
      ArrowDown: () => nearest(those, found, 1),
      ArrowUp: () => nearest(those, found, -1),
      Home: () => (edge ? edge(found, false) : those[0]),
      End: () => (edge ? edge(found, true) : those[those.length - 1]),
    };
    const move = moves[event.key];
    if (!move) return;
    move()?.focus();
    event.preventDefault();
  });
  keepStop(group, selector);
}

/**
 * Moves the tab stop of a group, and the focus with it, when its element is disabled, hidden or removed.
 * @param {HTMLElement} group
 * @param {string} selector
 */
function keepStop(group, selector) {
  let last = /** @type {Element | null} */ (null);
  group.addEventListener("focusin", (event) => (last = /** @type {Element} */ (event.target)));
  group.addEventListener("focusout", (event) => {
    if (event.relatedTarget) last = null; // the user went elsewhere
  });
  const watch = new MutationObserver(() => {
    const stop = all(selector, group).find((one) => one.tabIndex === 0);
    if (stop && !stop.hidden && !stop.hasAttribute("disabled")) return; // without a look at the layout, which takes milliseconds
    const those = reachable(group, selector);
    if (!those.length) return;
    stopAt(group, selector, those[0]);
    if (last && (document.activeElement === document.body || document.activeElement === last)) those[0].focus();
  });
  watch.observe(group, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled", "hidden"] });
}

export const BLINK = 150; // milliseconds that what is about to change stays as it is: sooner, it would blink

/** @type {WeakMap<HTMLElement, ReturnType<typeof setTimeout>>} */
const fading = new WeakMap();

/**
 * Fades an element, whose content is of a spot before, unless it is soon up to date.
 * @param {HTMLElement} element
 * @param {boolean} isOld
 */
export function fade(element, isOld) {
  if (!isOld) {
    clearTimeout(fading.get(element));
    fading.delete(element);
    if (element.dataset.faded) delete element.dataset.faded;
  } else if (!fading.has(element)) fading.set(element, setTimeout(() => (element.dataset.faded = "true"), BLINK));
}

/**
 * Shows a short message for some seconds; the status of the answer stays.
 * @param {string} text
 */
export function note(text) {
  $("note").textContent = text;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => ($("note").textContent = ""), 4000);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let noteTimer;

/**
 * Copies a text, and says so; the status of the answer stays.
 * @param {string} text
 * @param {string} what
 */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    note(`${what} copied.`);
  } catch {
    // Browsers refuse pages that came neither over TLS nor from this machine: the user copies.
    const area = /** @type {HTMLTextAreaElement} */ ($("copy-area"));
    area.value = text;
    /** @type {HTMLDialogElement} */ ($("copy-box")).showModal();
    area.select();
  }
}
