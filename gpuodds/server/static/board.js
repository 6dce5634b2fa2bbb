// The board, the dead cards, and the deck to pick them and hands from.
import { cardParts } from "./card-text.js";
import { RANKS, SUITS, cardsIn, isKnown } from "./cards.js";
import { $, all, button, field, h, note, release, rove, targetOf, write } from "./dom.js";
import { showFault } from "./faults.js";
import { ranksOf } from "./games.js";
import { knownHands } from "./known.js";
import { toggleBox } from "./menus.js";
import { game, letterOf, nameOfSeat, on, seat, setCards, setText, state } from "./state.js";

const BOARD = 5;

/** @typedef {"board" | "dead" | "hand"} Target */

/** @returns {Target} */
function target() {
  const checked = document.querySelector('input[name="target"]:checked');
  return /** @type {Target} */ (/** @type {HTMLInputElement} */ (checked).value);
}

/** @param {Target} name */
function setTarget(name) {
  /** @type {HTMLInputElement} */ (document.querySelector(`input[name="target"][value="${name}"]`)).checked = true;
}

/** Returns what a player is called within a sentence. @param {number} id */
const called = (id) => nameOfSeat(id).replace(/^Player /, "player ");

/** Returns the cards in the seat in focus, if it has a hand or a part of one. */
function ownCards() {
  const { text } = seat();
  const most = game().hole_cards;
  const isPart = Array.from({ length: most + 1 }, (_, count) => count).some((count) => isKnown(text, count));
  return isPart ? cardsIn(text) : [];
}

/** @param {Target} where @param {string[]} cards */
function put(where, cards) {
  if (where === "hand") setText(state.focus, cards.join(""));
  else setCards(where, cards.join(""));
}

/**
 * Adds a card to what is picked for, or takes it away.
 * @param {string} card
 */
function pick(card) {
  const where = target();
  const cards = where === "hand" ? ownCards() : cardsIn(state.spot[where]);
  if (cards.includes(card)) return put(where, cards.filter((one) => one !== card));
  const most = where === "board" ? BOARD : where === "hand" ? game().hole_cards : 52;
  if (cards.length >= most) return note(where === "board" ? "The board is full." : `A hand has ${most} cards.`);
  const holder = knownHands().find((one) => one.cards.includes(card) && (where !== "hand" || one.id !== state.focus));
  if (holder) return note(`${card} is in the hand of ${called(holder.id)}.`);
  for (const other of /** @type {("board" | "dead")[]} */ (["board", "dead"])) {
    if (cardsIn(state.spot[other]).includes(card)) return note(`${card} is ${other === "board" ? "on the board" : "dead"}.`);
  }
  return put(where, [...cards, card]);
}

function dealFlop() {
  const gone = [...cardsIn(state.spot.dead), ...knownHands().flatMap((one) => one.cards)];
  const deck = ranksOf(game()).split("").flatMap((rank) => SUITS.split("").map((suit) => rank + suit)).filter((card) => !gone.includes(card));
  const flop = [];
  for (let at = 0; at < 3; at += 1) flop.push(deck.splice(Math.floor(Math.random() * deck.length), 1)[0]);
  setCards("board", flop.join(""));
}

function drawSlots() {
  const cards = cardsIn(state.spot.board);
  all("button", $("slots")).forEach((slot, at) => {
    const card = cards[at];
    const street = at < 3 ? "flop" : at === 3 ? "turn" : "river";
    slot.className = card ? `slot ${card[1]}` : "slot";
    slot.replaceChildren(...(card ? cardParts(card) : [h("small", {}, street)]));
    slot.setAttribute("aria-label", card ? `Take ${card} off the board` : `Pick a card of the ${street}`);
  });
}

let drawn = ""; // what the deck shows

function drawBoard() {
  write(field("board"), state.spot.board);
  write(field("dead"), state.spot.dead);
  const ranks = ranksOf(game());
  // A stroke changes none of the cards: they are drawn only if they differ.
  const key = JSON.stringify([ranks, state.spot.board, state.spot.dead, knownHands().map(({ id, cards }) => [nameOfSeat(id), cards]), nameOfSeat(state.focus)]);
  if (key === drawn) return;
  drawn = key;
  drawSlots();
  $("cards").style.setProperty("--columns", String(ranks.length));
  $("cards").dataset.columns = String(ranks.length);
  const taken = new Map();
  for (const card of cardsIn(state.spot.board)) taken.set(card, ["board", "on the board", ""]);
  for (const card of cardsIn(state.spot.dead)) taken.set(card, ["dead", "dead", "✕"]);
  for (const { id, cards } of knownHands()) for (const card of cards) taken.set(card, ["hand", `in the hand of ${called(id)}`, letterOf(id)]);
  for (const one of all("button", $("cards"))) {
    const card = one.dataset.card || "";
    const [where, words, mark] = taken.get(card) || ["", "", ""];
    one.hidden = !ranks.includes(card[0]);
    one.dataset.where = where;
    one.dataset.mark = mark;
    one.setAttribute("aria-pressed", String(where !== ""));
    one.setAttribute("aria-label", words ? `${card}, ${words}` : card);
  }
  $("target-seat").textContent = called(state.focus);
  button("clear-board").disabled = !state.spot.board;
  const dead = cardsIn(state.spot.dead).length;
  $("show-deck").textContent = dead ? `Cards, ${dead} dead` : "Cards";
}

/** Shows an error of the cards there. The fields stay as they are: the user may be typing. */
function drawErrors() {
  for (const name of ["board", "dead"]) showFault(name);
}

export function startBoard() {
  for (const suit of SUITS) {
    for (const rank of RANKS) $("cards").append(h("button", { type: "button", class: suit, "data-card": rank + suit }, ...cardParts(rank + suit)));
  }
  for (let at = 0; at < BOARD; at += 1) $("slots").append(h("button", { type: "button", class: "slot" }));
  $("cards").addEventListener("click", (event) => {
    const card = targetOf(event, "button")?.dataset.card;
    if (card) pick(card);
  });
  $("slots").addEventListener("click", (event) => {
    const slot = targetOf(event, "button");
    if (!slot) return;
    const at = [...$("slots").children].indexOf(slot);
    const cards = cardsIn(state.spot.board);
    setTarget("board");
    if (at < cards.length) setCards("board", cards.filter((_, other) => other !== at).join(""));
    else toggleBox("deck", $("slots"), true);
  });
  rove($("cards"), "button");
  rove($("slots"), "button");
  rove($("board-tools"), "button");
  for (const name of /** @type {("board" | "dead")[]} */ (["board", "dead"])) {
    field(name).addEventListener("change", () => {
      release(field(name));
      setCards(name, field(name).value.trim());
    });
  }
  button("random-flop").addEventListener("click", dealFlop);
  button("clear-board").addEventListener("click", () => setCards("board", ""));
  on(["spot", "focus"], drawBoard);
  on(["answer"], drawErrors);
}
