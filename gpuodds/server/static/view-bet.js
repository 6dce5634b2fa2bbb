// How much to bet by Kelly's criterion: the hand of the seat in focus against the other seats.
/** @import { BetOption, KellyAnswer } from "./gpuodds.js" */
/** @import { SpotRequest, View } from "./types.js" */
import { cardsIn } from "./cards.js";
import { newTable } from "./charts.js";
import { handsOf } from "./details.js";
import { h } from "./dom.js";
import { fixed, percent, short } from "./format.js";
import { cardsOf } from "./games.js";
import { Problem } from "./gpuodds.js";
import { client, isGone, passing, reason, retryAfter } from "./client.js";
import { isHand, nameOfSeat, shortNameOf, state } from "./state.js";

/** What the fields hold, kept while the page is open. */
const amounts = [
  { id: "bankroll", name: "bankroll", label: "Bankroll", value: "1000", min: 1 },
  { id: "stack", name: "stack", label: "Stack", value: "", min: 1, placeholder: "all" },
  { id: "pot", name: "pot", label: "Pot", value: "0", min: 0 },
  { id: "to-call", name: "to_call", label: "To call", value: "0", min: 0 },
];

const MOST = 1326; // hands to choose from

/** The hand of a range that is bet, kept while the page is open. */
const choice = { hand: "" };

/** Returns the hands of a range that can be chosen, best first; none where they are too many. @param {SpotRequest} request @param {number} place */
async function combosOf(request, place) {
  try {
    const each = await handsOf(request);
    const combos = (each.get(request.seats[place].id) || []).map(({ hand }) => hand);
    return combos.length > MOST ? [] : combos;
  } catch (error) {
    if (passing(error) || isGone(error)) throw error;
    return [];
  }
}

/** Returns the amounts that are filled in. By default pot and bet to call are 0, the stack is the bankroll. */
function given() {
  /** @type {{ bankroll: number, [name: string]: number }} */
  const found = { bankroll: 0 };
  for (const { id, name, label, value, min } of amounts) {
    const problem = (/** @type {string} */ detail) => new Problem({ status: 400, detail: `${label}: ${detail}` });
    if (Number.isNaN(Number(value)) || (id === "bankroll" && !value)) throw problem("expected a number of chips");
    if (value && Number(value) < min) throw problem(`expected at least ${min}`);
    if (value) found[name] = Number(value);
  }
  return found;
}

/** @type {View} */
export const bet = {
  name: "bet",
  label: "Bet",
  title: ({ seat }) => `how much ${nameOfSeat(seat.id)} bets`,
  fits: (game) => !game.has_low,
  async make({ request, place, signal }) {
    const { hands, seats, options } = request;
    const isRange = !isHand(hands[place]);
    const combos = isRange ? await combosOf(request, place) : [];
    if (isRange && !combos.length) {
      return h("p", {}, `${short(hands[place])} is a range; a bet can be computed only for ${cardsOf(state.games[options.game])}.`);
    }
    // A bet is made with one hand: of a range, with the one that is chosen.
    if (isRange && !combos.includes(choice.hand)) choice.hand = combos[0];
    const own = () => (isRange ? choice.hand : cardsIn(hands[place]).join(""));
    const others = hands.filter((_, at) => at !== place);
    const ask = async () => {
      const found = await client.kelly(own(), {
        opponents: others.length ? [...others, ...Array(options.opponents).fill("random")] : options.opponents,
        board: options.board,
        dead: options.dead,
        game: options.game,
        ...given(),
        signal,
      });
      const against = seats.flatMap((seat, at) => (at === place ? [] : [`${shortNameOf(seat.id)}: ${short(hands[at])}`]));
      if (options.opponents) against.push(`${options.opponents} random`);
      return newAnswer(found, against.join("; "));
    };
    const box = h("div", { "aria-live": "polite" });
    let tries = 0;
    const update = async () => {
      const mine = (tries += 1);
      const isWanted = () => mine === tries && !signal.aborted;
      let made;
      try {
        made = await ask();
      } catch (error) {
        const isOver = !passing(error) && !isGone(error);
        if (!isOver && !box.firstChild) throw error; // asked again like every view
        if (!isOver) setTimeout(() => isWanted() && update(), 1000 * retryAfter(error));
        made = h("p", { class: isOver ? "error" : null }, isOver ? reason(error) : "The server does not answer; the page retries by itself.");
      }
      if (isWanted()) box.replaceChildren(made);
    };
    const inputs = amounts.map((one) => {
      const input = h("input", { id: one.id, type: "number", min: one.min, value: one.value, placeholder: one.placeholder });
      // Kept while it is typed: the view may be made anew meanwhile.
      input.addEventListener("input", () => (one.value = input.validity.badInput ? "?" : input.value));
      input.addEventListener("change", update);
      return h("label", {}, `${one.label} `, input);
    });
    const select = h("select", { id: "bet-hand" }, ...combos.map((hand) => new Option(hand)));
    select.value = choice.hand;
    select.addEventListener("change", () => {
      choice.hand = select.value;
      update();
    });
    if (isRange) inputs.unshift(h("label", {}, "Hand ", select));
    const form = h("form", { class: "amounts", onsubmit: (/** @type {Event} */ event) => event.preventDefault() }, ...inputs);
    await update();
    return h("div", {}, form, box);
  },
};

/** @param {Record<string, any>} error @param {string[]} others */
function newErrors(error, others) {
  const growth = error.growth === null ? "unknown" : fixed(error.growth, 4);
  const within = others.length ? `may be another: ${others.join(", ")}` : "is the same";
  return h(
    "p",
    {},
    `Sampled. Standard errors: equity ${percent(error.equity, 3)}, best bet ${percent(error.fraction, 3)} of the bankroll, growth ${growth}. `,
    `Within two of them the advice ${within}.`,
  );
}

/** @param {KellyAnswer} found @param {string} against */
function newAnswer(found, against) {
  const chips = found.bet_chips ? ` ${found.bet_chips.toLocaleString("en")} chips, ${percent(found.fraction)} of the bankroll` : "";
  const needed = found.action === "fold" ? `, a call needs ${percent(found.pot_odds)}` : "";
  const growth = found.growth === null ? "minus infinity" : fixed(found.growth, 4);
  const rest = `expected gain ${fixed(found.expected_value, 1)}, growth ${growth}.`;
  /** @param {BetOption} option */
  const row = (option) => [
    option.action,
    option.chips.toLocaleString("en", { maximumFractionDigits: 0 }),
    fixed(option.expected_value, 1),
    option.growth === null ? "−∞" : fixed(option.growth, 4),
    option.action === "fold" ? "" : percent(option.pot_odds),
  ];
  return h(
    "div",
    {},
    h("p", { class: "bet" }, `${found.action}${chips}`),
    h("p", {}, rest),
    found.standard_error && newErrors(found.standard_error, found.other_actions),
    h("p", { class: "soft" }, `Equity ${percent(found.equity)}${needed}. Against ${against}; all call.`),
    newTable(["Choice", "Chips", "Expected gain", "Growth", "Equity needed"], found.options.map(row)),
  );
}
