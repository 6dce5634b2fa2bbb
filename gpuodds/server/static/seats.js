// The players: a row a seat, with its hand or range, and the tools of the one in focus.
/** @import { Seat } from "./types.js" */
import { inBounds } from "./address.js";
import { $, all, button, field, h, rove, stopAt, targetOf, write } from "./dom.js";
import { opponentsOf, placeholderOf, seatsOf } from "./games.js";
import { addSeat, edit, game, letterOf, on, removeSeat, seat, setFocus, setText, state } from "./state.js";
import { answer, showFault } from "./stream.js";

const INPUT = ".seat input";

/** @param {Seat} of */
function newRow(of) {
  const id = `seat-${of.id}`;
  const input = h("input", {
    id,
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 20000,
    "aria-describedby": `${id}-error`,
    onfocus: () => setFocus(of.id),
    onchange: () => setText(of.id, input.value.trim()),
  });
  const error = h("p", { class: "error", id: `${id}-error`, hidden: true });
  return h("li", { class: "seat", "data-id": of.id }, h("label", { class: "chip", for: id }), input, error);
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
  if (input.value !== of.text) input.value = of.text;
}

/** Shows an error of a seat there. The fields stay as they are: the user may be typing. */
function drawErrors() {
  for (const row of all(".seat", $("seats"))) showFault(`seat-${row.dataset.id}`, answer.error.where === Number(row.dataset.id));
}

export function drawSeats() {
  const { seats } = state.spot;
  const list = $("seats");
  const rows = new Map([...list.children].map((row) => [Number(/** @type {HTMLElement} */ (row).dataset.id), /** @type {HTMLElement} */ (row)]));
  const wanted = seats.map((one) => rows.get(one.id) || newRow(one));
  if (wanted.length !== list.children.length || wanted.some((row, at) => list.children[at] !== row)) list.replaceChildren(...wanted);
  wanted.forEach((row, at) => drawRow(seats[at], row));
  const chosen = wanted.find((row) => row.dataset.chosen === "true");
  const input = chosen?.querySelector("input");
  if (input) stopAt(list, INPUT, input);
  const letter = letterOf(state.focus);
  $("seat-tools").setAttribute("aria-label", `Player ${letter}`);
  button("remove-seat").disabled = seats.length < 2;
  button("add-seat").disabled = seats.length >= seatsOf(game());
  drawCopyTo();
  write("opponents", String(state.spot.opponents));
  field("opponents").max = String(opponentsOf(game()));
}

/** Lists the seats that the range in focus can be copied to. */
function drawCopyTo() {
  const others = state.spot.seats.filter((one) => one.id !== state.focus);
  const options = others.map((one) => new Option(`Player ${letterOf(one.id)}`, String(one.id)));
  if (state.spot.seats.length < seatsOf(game())) options.push(new Option("A new player", "new"));
  field("copy-to").replaceChildren(new Option("Copy to …", ""), ...options);
  field("copy-to").disabled = !seat().text || !options.length;
}

function copyTo() {
  const [{ text }, to] = [seat(), field("copy-to").value];
  if (to === "new") addSeat(text);
  else if (to) setText(Number(to), text);
}

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
  rove($("seat-tools"), "button, select");
  button("add-seat").addEventListener("click", () => addSeat() && focusSeat());
  button("random-seat").addEventListener("click", () => setText(state.focus, "random"));
  button("empty-seat").addEventListener("click", () => setText(state.focus, ""));
  button("remove-seat").addEventListener("click", () => {
    removeSeat(state.focus);
    focusSeat();
  });
  field("copy-to").addEventListener("change", copyTo);
  field("opponents").addEventListener("change", () => edit({ opponents: inBounds(field("opponents").value, game()) }));
  on(["spot", "focus", "games"], drawSeats);
  on(["spot", "answer"], drawErrors);
}
