// The menu of a seat: its name, what can be done with it, and ranges to choose from.
import { $, button, h, note, rove, targetOf } from "./dom.js";
import { seatsOf } from "./games.js";
import { drawLibrary } from "./library.js";
import { closeBox, toggleBox } from "./menus.js";
import { addSeat, editSeat, game, letterOf, nameOfSeat, on, removeSeat, seat, setFocus, setText, state } from "./state.js";

/** What the tools of the seat in focus do. @type {Record<string, string>} */
const TOOLS = { "random-seat": "Random cards for", "empty-seat": "Clear", "fold-seat": "Folded:", "remove-seat": "Remove" };

/** Opens the menu of a seat beside an element. @param {number} id @param {HTMLElement} at */
export function openSeatMenu(id, at) {
  setFocus(id);
  toggleBox("seat-menu", at);
  drawLibrary(); // now: the event of the box may come after the first letters of a name
}

/** Lists the seats that the range in focus can be copied to: a button each. */
function drawCopyTo() {
  const others = state.spot.seats.filter((one) => one.id !== state.focus).map((one) => ({ to: String(one.id), letter: letterOf(one.id), words: nameOfSeat(one.id) }));
  if (state.spot.seats.length < seatsOf(game())) others.push({ to: "new", letter: "+", words: "a new player" });
  const isEmpty = !seat().text;
  const key = JSON.stringify([others, isEmpty]);
  if ($("copy-to").dataset.key === key) return;
  $("copy-to").dataset.key = key;
  const buttons = others.map(({ to, letter, words }) =>
    h("button", { type: "button", class: "chip", "data-to": to, "data-letter": letter, "aria-label": `Copy this range to ${words}`, title: words, disabled: isEmpty }, letter),
  );
  $("copy-to").replaceChildren(...buttons);
}

/** @param {string} to the id of a seat, or "new" */
function copyTo(to) {
  const { text, name } = seat();
  if (to === "new") addSeat(text, name);
  else editSeat(Number(to), { text, name });
  note(to === "new" ? "Copied to a new player." : `Copied to player ${letterOf(Number(to))}.`);
}

function drawMenu() {
  const { id, text, isFolded } = seat();
  const name = nameOfSeat(id);
  const letter = letterOf(id);
  $("seat-menu-title").textContent = name === `Player ${letter}` ? name : `${name} (${letter})`;
  $("seat-menu").dataset.letter = letter;
  $("seat-tools").setAttribute("aria-label", name);
  for (const [tool, words] of Object.entries(TOOLS)) button(tool).setAttribute("aria-label", `${words} ${name}`);
  button("remove-seat").disabled = state.spot.seats.length < 2;
  button("fold-seat").disabled = !text;
  button("fold-seat").setAttribute("aria-pressed", String(isFolded));
  drawCopyTo();
}

export function startSeatMenu() {
  rove($("seat-tools"), "button");
  rove($("copy-to"), "button");
  button("random-seat").addEventListener("click", () => setText(state.focus, "random"));
  button("empty-seat").addEventListener("click", () => setText(state.focus, ""));
  button("fold-seat").addEventListener("click", () => editSeat(state.focus, { isFolded: !seat().isFolded }));
  button("remove-seat").addEventListener("click", () => {
    closeBox("seat-menu");
    removeSeat(state.focus);
  });
  $("copy-to").addEventListener("click", (event) => {
    const to = targetOf(event, "button")?.dataset.to;
    if (to) copyTo(to);
  });
  on(["spot", "focus"], drawMenu);
}
