// Shortcuts, hands typed anywhere, and the dialog that lists them.
import { SUITS, cardsIn } from "./cards.js";
import { $, button, field, isUntouched, note, writtenIn } from "./dom.js";
import { weightKey } from "./editor.js";
import { ranksOf } from "./games.js";
import { nextMode } from "./grid.js";
import { toggleBox } from "./menus.js";
import { openSeatMenu } from "./seat-menu.js";
import { focusSeat } from "./seats.js";
import { addSeat, cancelDrag, game, redo, setText, state, undo } from "./state.js";
import { store, stored } from "./storage.js";

const PAUSE = 3000; // milliseconds until a half-typed hand is forgotten

let typed = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Takes a key as a part of a hand; returns whether it is one.
 * @param {string} key
 */
function typeCard(key) {
  if (typed && (key === "Backspace" || key === "Escape")) return hold(key === "Escape" ? "" : typed.slice(0, -1));
  const [rank, suit] = [key.toUpperCase(), key.toLowerCase()];
  if (key.length !== 1) return false;
  const isSuit = typed.length % 2 === 1;
  const last = typed.slice(-1);
  // 10 to 13 are ranks too, and 1 is an ace.
  if (isSuit && last === "1" && "0123".includes(key)) return hold(typed.slice(0, -1) + "TJQK"[Number(key)]);
  if (isSuit && SUITS.includes(suit)) {
    const card = (last === "1" ? "A" : last) + suit;
    if (cardsIn(typed.slice(0, -1)).includes(card)) return hold(typed.slice(0, -1), `${card} is in the hand already.`);
    return hold(typed.slice(0, -1) + card);
  }
  // A rank after a rank takes its place.
  if (rank === "1" || ranksOf(game()).includes(rank)) return hold((isSuit ? typed.slice(0, -1) : typed) + rank);
  return false;
}

/**
 * Keeps a part of a hand; gives a whole one to the seat in focus.
 * @param {string} text
 * @param {string} [words] what to say
 */
function hold(text, words = text) {
  typed = text;
  clearTimeout(timer);
  timer = setTimeout(() => (typed = ""), PAUSE);
  note(words);
  if (typed.length === 2 * game().hole_cards) {
    setText(state.focus, typed);
    typed = "";
  }
  return true;
}

/** Moves the focus to a field, and opens the box that it is in. @param {string} id */
export function focusField(id) {
  if ($("deck").contains($(id))) toggleBox("deck", $("slots"), true);
  $(id).focus();
  field(id).select?.();
}

/** Moves the focus to the tab stop of a group. @param {string} selector */
const focusStop = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(`${selector} [tabindex='0']`))?.focus();

/** @type {Record<string, () => void>} */
const KEYS = {
  "/": focusSeat,
  p: focusSeat,
  b: () => focusField("board"),
  d: () => focusField("dead"),
  o: () => focusField("opponents"),
  n: () => addSeat() && focusSeat(),
  r: () => openSeatMenu(state.focus, $(`seat-${state.focus}`)),
  m: nextMode,
  g: () => focusStop(`#grid-${state.focus}`),
  c: () => {
    toggleBox("deck", $("slots"), true);
    focusStop("#cards");
  },
  v: () => focusStop("#tabs"),
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
  // Enter takes the text, Escape what was there before; both leave the field, so that keys are keys again.
  if (isField && target.matches("input") && (event.key === "Enter" || event.key === "Escape")) {
    const input = /** @type {HTMLInputElement} */ (target);
    if (event.key === "Escape") input.value = writtenIn(input);
    if (!target.closest("form")) target.blur();
    return;
  }
  if (state.isDragging) {
    // A stroke is taken back, or goes on.
    if (event.key === "Escape") cancelDrag();
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") undo();
    event.preventDefault();
    return;
  }
  if ((event.ctrlKey || event.metaKey) && !event.altKey && (!isField || isUntouched(/** @type {HTMLInputElement} */ (target)))) {
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    if (key === "y" || event.shiftKey) redo();
    else undo();
    event.preventDefault();
    return;
  }
  if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!field("keys-on").checked) return;
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
  button("close-copy").addEventListener("click", () => /** @type {HTMLDialogElement} */ ($("copy-box")).close());
  field("keys-on").checked = stored("keys") !== "off";
  field("keys-on").addEventListener("change", () => store("keys", field("keys-on").checked ? "on" : "off"));
}
