// A trainer: guess the equity of a spot that is drawn, see the exact one, and how many guesses in a row were near.
/** @import { View } from "./types.js" */
import { cardText } from "./card-text.js";
import { RANKS, SUITS, cardsIn } from "./cards.js";
import { h } from "./dom.js";
import { percent, points, signed } from "./format.js";
import { client, patiently } from "./client.js";
import { edit, newSeat, state } from "./state.js";
import { store, stored } from "./storage.js";

const NEAR = 0.05; // a guess within five points counts

/** @typedef {{ hands: string[], board: string }} Question */

/** @type {Record<string, { title: string, cards: number, isRange: [boolean, boolean] }>} */
const LEVELS = {
  hands: { title: "hand v hand, before the flop", cards: 0, isRange: [false, false] },
  flop: { title: "hand v hand, on a flop", cards: 3, isRange: [false, false] },
  range: { title: "hand v range, on a flop", cards: 3, isRange: [false, true] },
  turn: { title: "hand v range, on a turn", cards: 4, isRange: [false, true] },
  ranges: { title: "range v range, on a flop", cards: 3, isRange: [true, true] },
};

const round = {
  level: Object.hasOwn(LEVELS, stored("level")) ? stored("level") : "flop",
  /** @type {Question | null} */
  question: null,
  /** The exact equity, once it has been guessed. @type {number | null} */
  exact: null,
  guess: 0.5,
  streak: 0,
  count: 0,
  off: 0, // the sum of what the guesses were off by
};

/** @returns {Question} */
function draw() {
  const { cards, isRange } = LEVELS[round.level];
  const deck = RANKS.split("").flatMap((rank) => SUITS.split("").map((suit) => rank + suit));
  const take = (/** @type {number} */ count) => Array.from({ length: count }, () => deck.splice(Math.floor(Math.random() * deck.length), 1)[0]).join("");
  const board = take(cards);
  return { board, hands: isRange.map((one) => (one ? `${5 * Math.ceil(Math.random() * 12)}%` : take(2))) };
}

const best = () => Number(stored("streak")) || 0;

/** @param {string} hand */
const shown = (hand) => (hand.endsWith("%") ? h("b", {}, `the best ${hand.slice(0, -1)} %`) : h("span", {}, ...cardsIn(hand).map(cardText)));

/** @param {HTMLElement} box @param {AbortSignal} signal */
function drawRound(box, signal) {
  const { question, exact } = round;
  if (!question) return;
  const again = () => drawRound(box, signal);
  const next = () => {
    [round.question, round.exact] = [draw(), null];
    again();
    document.getElementById("guess")?.focus();
  };
  const levels = h("select", { id: "level", "aria-label": "Questions" }, ...Object.entries(LEVELS).map(([name, { title }]) => new Option(title, name)));
  levels.value = round.level;
  levels.addEventListener("change", () => {
    round.level = levels.value;
    store("level", round.level);
    next();
  });
  const on = question.board ? h("p", { class: "question" }, "on ", ...cardsIn(question.board).map(cardText)) : null;
  const spot = h("p", { class: "question" }, shown(question.hands[0]), " v ", shown(question.hands[1]));
  const score = `${round.streak} in a row within 5 points, best ${best()}${round.count ? `; off by ${points(round.off / round.count, 1)} points on average in ${round.count}` : ""}`;
  const parts = [h("div", { class: "row" }, levels), spot, on, ...(exact === null ? askParts(next, again, signal) : answerParts(exact, next)), h("p", { class: "soft", id: "streak" }, score)];
  box.replaceChildren(...parts.filter((part) => part !== null));
}

/** Returns the form that takes a guess. @param {() => void} next @param {() => void} again @param {AbortSignal} signal */
function askParts(next, again, signal) {
  const guess = h("input", { id: "guess", type: "number", min: 0, max: 100, step: 0.1, value: +points(round.guess, 1), "aria-label": "Equity of the first, in percent" });
  const slider = h("input", { id: "guess-slider", type: "range", min: 0, max: 100, step: 0.5, value: 100 * round.guess, "aria-label": "Guess" });
  guess.addEventListener("input", () => (slider.value = guess.value));
  slider.addEventListener("input", () => (guess.value = slider.value));
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = Number(guess.value) / 100;
    const { question } = round;
    if (!guess.value || !(given >= 0 && given <= 1) || !question) return;
    round.guess = given;
    const found = await patiently(() => client.equity(question.hands, { board: question.board, opponents: 0, signal }), signal);
    if (round.question !== question || round.exact !== null) return;
    const { equity } = found.players[0];
    round.exact = equity;
    round.count += 1;
    round.off += Math.abs(given - equity);
    round.streak = Math.abs(given - equity) <= NEAR ? round.streak + 1 : 0;
    if (round.streak > best()) store("streak", String(round.streak));
    again();
    document.getElementById("next-question")?.focus();
  };
  return [
    h("form", { id: "guess-form", class: "row", onsubmit }, h("label", {}, "The first has ", guess, " %"), slider, h("button", { type: "submit" }, "Guess")),
    h("div", { class: "row" }, h("button", { type: "button", class: "ghost", id: "skip", onclick: next }, "Another one")),
  ];
}

/** @param {number} exact @param {() => void} next */
function answerParts(exact, next) {
  const off = 100 * (round.guess - exact);
  const words = `${signed(off, 1)} points`;
  const show = () => {
    const { question } = round;
    if (question) edit({ seats: question.hands.map((text) => newSeat(text)), board: question.board, dead: "", opponents: 0, game: "holdem" });
  };
  return [
    h("p", { class: "verdict", "data-near": String(Math.abs(off) <= 100 * NEAR), role: "status" }, `${percent(exact)}; you said ${percent(round.guess, 1)}, ${words}`),
    h("div", { class: "row" }, h("button", { type: "button", id: "next-question", onclick: next }, "Next"), h("button", { type: "button", class: "ghost", id: "show-question", onclick: show }, "Show it on the page")),
  ];
}

/** @type {View} */
export const train = {
  name: "train",
  label: "Train",
  title: () => "guess the equity of the first, exact to see",
  isFree: true,
  ofAll: true,
  fits: () => state.spot.game === "holdem",
  async make({ signal }) {
    round.question ||= draw();
    const box = h("div", { class: "train" });
    drawRound(box, signal);
    return box;
  },
};
