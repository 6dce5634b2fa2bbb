// The panels of the seats: each has a name, its hand or range as text, and its grid; the one in focus is painted.
/** @import { Seat } from "./types.js" */
import { faultId, showFault } from "./faults.js";
import { newTable } from "./charts.js";
import { $, all, button, field, h, release, stopAt, targetOf, write } from "./dom.js";
import { inBounds } from "./address.js";
import { STREETS } from "./filters.js";
import { percent, whole } from "./format.js";
import { hasGrid, opponentsOf, placeholderOf, seatsOf } from "./games.js";
import { dropGrid, newGrid } from "./grid.js";
import { rangeOf } from "./range.js";
import { addSeat, edit, editSeat, game, letterOf, nameOfSeat, on, setFocus, setText, state } from "./state.js";
import { openSeatMenu } from "./seat-menu.js";

const INPUT = ".seat input";

/** @param {Seat} of */
function newPanel(of) {
  const id = `seat-${of.id}`;
  const input = h("input", {
    id,
    autocomplete: "off",
    autocapitalize: "none",
    autocorrect: "off",
    enterkeyhint: "done",
    spellcheck: "false",
    "aria-describedby": `${id}-error`,
    onchange: () => {
      release(input);
      setText(of.id, input.value.trim());
    },
  });
  const name = h("button", { type: "button", class: "name", "aria-haspopup": "dialog", onclick: () => openSeatMenu(of.id, name) });
  const error = h("p", { class: "error", id: `${id}-error`, role: "alert", hidden: true });
  const classes = h("div", { class: "classes", role: "region", tabindex: 0, hidden: true });
  const filters = h("div", { class: "filters row", hidden: true });
  return h("li", { class: "seat", "data-id": of.id }, h("div", { class: "head" }, name, input), error, filters, newGrid(of.id), classes);
}

/** @param {Seat} of @param {HTMLElement} panel @param {boolean} isSmall */
function drawPanel(of, panel, isSmall) {
  const letter = letterOf(of.id);
  const [head, , filters, , classes] = /** @type {HTMLElement[]} */ ([...panel.children]);
  const [name, input] = /** @type {[HTMLElement, HTMLInputElement]} */ ([...head.children]);
  panel.dataset.letter = letter;
  panel.dataset.chosen = String(of.id === state.focus);
  panel.toggleAttribute("data-small", isSmall);
  panel.dataset.folded = String(of.isFolded);
  if (name.textContent !== nameOfSeat(of.id)) name.textContent = nameOfSeat(of.id);
  name.setAttribute("aria-label", `${nameOfSeat(of.id)}: name and ranges to choose from`);
  input.setAttribute("aria-label", `${of.name ? `${of.name}, player` : "Player"} ${letter}: hand or range`);
  input.placeholder = placeholderOf(game());
  write(input, of.text);
  drawFilters(of, filters);
  drawClasses(of, classes);
}

/** Lists the filters of a seat: a click takes one away. @param {Seat} of @param {HTMLElement} box */
function drawFilters(of, box) {
  const key = JSON.stringify(of.filters);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const streets = STREETS.filter((street) => of.filters[street]?.length);
  box.hidden = !streets.length;
  box.replaceChildren(
    ...streets.map((street) => {
      const { [street]: classes, ...rest } = of.filters;
      const words = `${street}: ${classes.join(", ")}`;
      return h("button", { type: "button", "aria-label": `Take away the filter of the ${words}`, title: words, onclick: () => editSeat(of.id, { filters: rest }) }, `${words} ✕`);
    }),
  );
}

/** Lists a range of Omaha by its classes. @param {Seat} of @param {HTMLElement} box */
function drawClasses(of, box) {
  const rows = rangeOf(of.id).found?.classes;
  box.hidden = hasGrid(game());
  const key = box.hidden || !rows ? "" : `${state.spot.game} ${of.text}`;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.setAttribute("aria-label", `${nameOfSeat(of.id)}: hands by ranks and suits`);
  const cells = (rows || []).map((row) => [`${row.ranks} ${row.suits}`, whole(row.combos), percent(row.weight / row.combos, 0)]);
  box.replaceChildren(...(key ? [newTable(["Hands", "Combos", "Weight"], cells)] : []));
}

/** Shows an error of a seat there. The fields stay as they are: the user may be typing. */
function drawErrors() {
  for (const one of all(".seat", $("seats"))) {
    const id = `seat-${one.dataset.id}`;
    const { error, text } = rangeOf(Number(one.dataset.id));
    showFault(id, error && faultId() !== id ? `${text}: ${error}`.slice(0, 300) : "");
  }
}

function drawSeats() {
  const { seats } = state.spot;
  const list = $("seats");
  const panels = new Map([...list.children].map((row) => [Number(/** @type {HTMLElement} */ (row).dataset.id), /** @type {HTMLElement} */ (row)]));
  const wanted = seats.map((one) => panels.get(one.id) || newPanel(one));
  for (const id of panels.keys()) if (!seats.some((one) => one.id === id)) dropGrid(id);
  const typing = document.activeElement;
  if (wanted.length !== list.children.length || wanted.some((row, at) => list.children[at] !== row)) {
    const hadFocus = list.contains(typing);
    list.replaceChildren(...wanted);
    // The focus stays in its seat, or goes with the seat in focus if that one is gone.
    if (hadFocus) (list.contains(typing) ? /** @type {HTMLElement} */ (typing) : $(`seat-${state.focus}`)).focus();
  }
  const others = seats.length - 1;
  const columns = others > 4 ? 3 : others > 2 ? 2 : 1;
  list.dataset.count = String(Math.min(3, seats.length));
  list.style.setProperty("--small", String(columns));
  list.style.setProperty("--large", `${columns + 1}fr`);
  list.style.setProperty("--rows", String(Math.max(1, Math.ceil(others / columns))));
  const isWide = matchMedia("(width >= 1100px)").matches;
  wanted.forEach((row, at) => drawPanel(seats[at], row, seats[at].id !== state.focus && !(isWide && seats.length <= 2)));
  const input = wanted.find((row) => row.dataset.chosen === "true")?.querySelector("input");
  if (input) stopAt(list, INPUT, input);
  button("add-seat").disabled = seats.length >= seatsOf(game());
  write(field("opponents"), String(state.spot.opponents));
  field("opponents").max = String(opponentsOf(game()));
}

/** Whether a finger clicked: a field in focus would bring the keyboard, over half of the page. @param {MouseEvent} event */
const isByTouch = (event) => event instanceof PointerEvent && event.pointerType === "touch";

/** Moves the caret to the seat in focus. */
export const focusSeat = () => $(`seat-${state.focus}`).focus();

export function startSeats() {
  // Up and down go from text to text; left and right belong to the text.
  $("seats").addEventListener("keydown", (event) => {
    if (!targetOf(event, INPUT)) return;
    const row = targetOf(event, ".seat");
    const next = event.key === "ArrowDown" ? row?.nextElementSibling : event.key === "ArrowUp" ? row?.previousElementSibling : null;
    if (!next) return;
    next.querySelector("input")?.focus();
    event.preventDefault();
  });
  const follow = (/** @type {Event} */ event) => {
    const id = Number(targetOf(event, ".seat")?.dataset.id);
    if (letterOf(id)) setFocus(id);
  };
  $("seats").addEventListener("focusin", follow);
  $("seats").addEventListener("click", follow);
  button("add-seat").addEventListener("click", (event) => addSeat() && !isByTouch(event) && focusSeat());
  field("opponents").addEventListener("change", () => {
    release(field("opponents"));
    edit({ opponents: inBounds(field("opponents").value, game()) });
  });
  matchMedia("(width >= 1100px)").addEventListener("change", drawSeats);
  on(["spot", "focus", "range"], drawSeats);
  on(["spot", "answer", "focus", "range"], drawErrors);
}
