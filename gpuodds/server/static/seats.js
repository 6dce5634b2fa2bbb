// The players: a row a seat, with its hand or range, and the tools of the one in focus.
/** @import { Seat } from "./types.js" */
import { inBounds } from "./address.js";
import { showFault } from "./answer.js";
import { $, all, button, field, h, note, release, rove, stopAt, targetOf, write } from "./dom.js";
import { opponentsOf, placeholderOf, seatsOf } from "./games.js";
import { addSeat, edit, game, letterOf, on, removeSeat, seat, setFocus, setText, state } from "./state.js";

const INPUT = ".seat input";
/** What the tools of the seat in focus do. @type {Record<string, string>} */
const TOOLS = { "random-seat": "Random cards for", "empty-seat": "Clear", "remove-seat": "Remove" };

/** @param {Seat} of */
function newRow(of) {
  const id = `seat-${of.id}`;
  const input = h("input", {
    id,
    autocomplete: "off",
    autocapitalize: "none",
    autocorrect: "off",
    enterkeyhint: "done",
    spellcheck: "false",
    "aria-describedby": `${id}-error`,
    onfocus: () => setFocus(of.id),
    onchange: () => {
      release(input);
      setText(of.id, input.value.trim());
    },
  });
  const error = h("p", { class: "error", id: `${id}-error`, role: "alert", hidden: true });
  return h("li", { class: "seat", "data-id": of.id }, h("button", { type: "button", class: "chip", tabindex: -1, "aria-hidden": "true", onclick: () => setFocus(of.id) }), input, error);
}

/** @param {Seat} of @param {HTMLElement} row */
function drawRow(of, row) {
  const letter = letterOf(of.id);
  const [chip, input] = /** @type {[HTMLElement, HTMLInputElement]} */ ([...row.children]);
  row.dataset.letter = letter;
  row.dataset.chosen = String(of.id === state.focus);
  chip.textContent = letter;
  input.setAttribute("aria-label", `Player ${letter}: hand or range`);
  input.placeholder = placeholderOf(game());
  write(input, of.text);
}

/** Shows an error of a seat there. The fields stay as they are: the user may be typing. */
function drawErrors() {
  for (const row of all(".seat", $("seats"))) showFault(`seat-${row.dataset.id}`);
}

function drawSeats() {
  const { seats } = state.spot;
  const list = $("seats");
  const rows = new Map([...list.children].map((row) => [Number(/** @type {HTMLElement} */ (row).dataset.id), /** @type {HTMLElement} */ (row)]));
  const wanted = seats.map((one) => rows.get(one.id) || newRow(one));
  const typing = document.activeElement;
  if (wanted.length !== list.children.length || wanted.some((row, at) => list.children[at] !== row)) {
    const hadFocus = list.contains(typing);
    list.replaceChildren(...wanted);
    // The focus stays in its seat, or goes with the seat in focus if that one is gone.
    if (hadFocus) (list.contains(typing) ? /** @type {HTMLElement} */ (typing) : $(`seat-${state.focus}`)).focus();
  }
  wanted.forEach((row, at) => drawRow(seats[at], row));
  const chosen = wanted.find((row) => row.dataset.chosen === "true");
  const input = chosen?.querySelector("input");
  if (input) stopAt(list, INPUT, input);
  const letter = letterOf(state.focus);
  $("seat-tools").setAttribute("aria-label", `Player ${letter}`);
  button("remove-seat").disabled = seats.length < 2;
  button("add-seat").disabled = seats.length >= seatsOf(game());
  for (const [id, words] of Object.entries(TOOLS)) button(id).setAttribute("aria-label", `${words} player ${letter}`);
  drawCopyTo();
  write(field("opponents"), String(state.spot.opponents));
  field("opponents").max = String(opponentsOf(game()));
}

/** Lists the seats that the range in focus can be copied to: a button each. */
function drawCopyTo() {
  const others = state.spot.seats.filter((one) => one.id !== state.focus).map((one) => ({ to: String(one.id), letter: letterOf(one.id), words: `player ${letterOf(one.id)}` }));
  if (state.spot.seats.length < seatsOf(game())) others.push({ to: "new", letter: "+", words: "a new player" });
  const isEmpty = !seat().text;
  const key = JSON.stringify([others, isEmpty]);
  if ($("copy-to").dataset.key === key) return;
  $("copy-to").dataset.key = key;
  const buttons = others.map(({ to, letter, words }) =>
    h("button", { type: "button", class: "chip", "data-to": to, "data-letter": letter, "aria-label": `Copy this range to ${words}`, disabled: isEmpty }, letter),
  );
  $("copy-to").replaceChildren(...buttons);
}

/** @param {string} to the id of a seat, or "new" */
function copyTo(to) {
  const { text } = seat();
  if (to === "new") addSeat(text);
  else setText(Number(to), text);
  note(to === "new" ? "Copied to a new player." : `Copied to player ${letterOf(Number(to))}.`);
}

/** Whether a finger clicked: a field in focus would bring the keyboard, over half of the page. @param {MouseEvent} event */
const isByTouch = (event) => event instanceof PointerEvent && event.pointerType === "touch";

/** Moves the caret to the seat in focus. */
export const focusSeat = () => $(`seat-${state.focus}`).focus();

export function startSeats() {
  // One tab stop: up and down go from seat to seat; left and right belong to the text.
  $("seats").addEventListener("keydown", (event) => {
    const row = targetOf(event, ".seat");
    const next = event.key === "ArrowDown" ? row?.nextElementSibling : event.key === "ArrowUp" ? row?.previousElementSibling : null;
    if (!next) return;
    next.querySelector("input")?.focus();
    event.preventDefault();
  });
  rove($("seat-tools"), "button");
  button("add-seat").addEventListener("click", (event) => addSeat() && !isByTouch(event) && focusSeat());
  button("random-seat").addEventListener("click", () => setText(state.focus, "random"));
  button("empty-seat").addEventListener("click", () => setText(state.focus, ""));
  button("remove-seat").addEventListener("click", (event) => {
    removeSeat(state.focus);
    if (!isByTouch(event)) focusSeat();
  });
  rove($("copy-to"), "button");
  $("copy-to").addEventListener("click", (event) => {
    const to = targetOf(event, "button")?.dataset.to;
    if (to) copyTo(to);
  });
  field("opponents").addEventListener("change", () => {
    release(field("opponents"));
    edit({ opponents: inBounds(field("opponents").value, game()) });
  });
  on(["spot", "focus", "games"], drawSeats);
  on(["spot", "answer", "focus"], drawErrors);
}
