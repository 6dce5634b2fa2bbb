// Shortcuts, cards typed anywhere, and the list of both.
import { RANKS, SUITS, cardsIn } from "./cards.js";
import { $, button, field, note } from "./dom.js";
import { weightKey } from "./editor.js";
import { addSeat, game, redo, setText, state, undo } from "./state.js";
import { focusSeat } from "./seats.js";

const PAUSE = 3000; // milliseconds until a half-typed hand is forgotten

let typed = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Takes a key as a part of a hand; returns whether it is one.
 * @param {string} key
 */
function typeCard(key) {
  const isSuit = typed.length % 2 === 1;
  const part = isSuit ? key.toLowerCase() : key.toUpperCase();
  if (key.length !== 1 || !(isSuit ? SUITS : RANKS).includes(part)) return false;
  const next = typed + part;
  const card = next.slice(-2);
  const isTwice = isSuit && cardsIn(typed.slice(0, -1)).includes(card);
  typed = isTwice ? typed.slice(0, -1) : next;
  clearTimeout(timer);
  timer = setTimeout(() => (typed = ""), PAUSE);
  note(isTwice ? `${card} is in the hand already.` : typed);
  if (typed.length === 2 * game().hole_cards) {
    setText(state.focus, typed);
    typed = "";
  }
  return true;
}

/** @param {string} id */
function focusField(id) {
  $(id).focus();
  field(id).select?.();
}

/** @type {Record<string, () => void>} */
const KEYS = {
  "/": () => focusField("range-text"),
  b: () => focusField("board"),
  d: () => focusField("dead"),
  o: () => focusField("opponents"),
  n: () => addSeat() && focusSeat(),
  p: focusSeat,
  g: () => /** @type {HTMLElement | null} */ (document.querySelector("#grid [tabindex='0']"))?.focus(),
  c: () => /** @type {HTMLElement | null} */ (document.querySelector("#cards [tabindex='0']"))?.focus(),
  v: () => /** @type {HTMLElement | null} */ (document.querySelector("#tabs [tabindex='0']"))?.focus(),
  f: () => button("random-flop").click(),
  "+": () => weightKey("+"),
  "-": () => weightKey("-"),
  "?": () => /** @type {HTMLDialogElement} */ ($("help-box")).showModal(),
};

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const isField = target.matches("input:not([type='radio']):not([type='range']), select, textarea");
  if (target.closest("dialog[open]")) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !isField) {
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    if (key === "y" || event.shiftKey) redo();
    else undo();
    event.preventDefault();
    return;
  }
  if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
  if (typeCard(event.key)) {
    event.preventDefault();
  } else if (KEYS[event.key]) {
    typed = "";
    KEYS[event.key]();
    event.preventDefault();
  }
}

export function startKeys() {
  window.addEventListener("keydown", onKey);
  const box = /** @type {HTMLDialogElement} */ ($("help-box"));
  button("help").addEventListener("click", () => box.showModal());
  button("close-help").addEventListener("click", () => box.close());
}
