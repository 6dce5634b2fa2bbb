// What the ranges have made and what they draw to, all players side by side, with the equity of each class.
/** @import { HandAnswer, HandHits, HitsAnswer } from "./gpuodds.js" */
/** @import { Seat, View, ViewContext } from "./types.js" */
import { cardsIn, nameOf } from "./cards.js";
import { newRegion } from "./charts.js";
import { handsOf } from "./details.js";
import { all, h, note, rove, targetOf } from "./dom.js";
import { combos, percent, points } from "./format.js";
import { hasGrid } from "./games.js";
import { isPicked, picked } from "./hit-groups.js";
import { hitsOf } from "./hits-store.js";
import { pointAt, pointAtEach } from "./hover.js";
import { rangeOf, setWeights } from "./range.js";
import { missing } from "./request.js";
import { editSeat, emit, letterOf, shortNameOf, state } from "./state.js";
import { nextCards } from "./view-cards.js";

/**
 * A player's side of the table.
 * @typedef {{ seat: Seat, found: HitsAnswer, hands: HandHits[], equities: Map<string, HandAnswer> }} Side
 */

/** @param {HandHits} hand @param {string} name */
const has = (hand, name) => hand.made === name || hand.draws.includes(name);

/** Returns the mean equity of the hands of a class, or null. @param {Side} side @param {string} name */
function equityOf({ hands, equities }, name) {
  let [sum, weight] = [0, 0];
  for (const hand of hands) {
    const found = has(hand, name) && equities.get(hand.hand);
    if (!found) continue;
    sum += found.weight * found.equity;
    weight += found.weight;
  }
  return weight ? sum / weight : null;
}

/** Filters the range in focus by what is picked. @param {HandHits[]} hands @param {boolean} isKept whether the matching combos stay, or the others */
function filter(hands, isKept) {
  const matches = new Set(hands.filter(isPicked).map((one) => one.hand));
  const { weights } = rangeOf();
  if (!weights) return note("The range is not read yet.");
  // The range as it is now: it may have been painted since.
  return setWeights(state.focus, Object.fromEntries(Object.entries(weights).filter(([combo]) => matches.has(combo) === isKept)));
}

/** @param {Side[]} sides @param {boolean} hasEquity @param {boolean} canPick */
function newTable(sides, hasEquity, canPick) {
  const last = (/** @type {Side} */ side) => side.found.streets[side.found.streets.length - 1];
  const most = Math.max(...sides.flatMap((side) => [...last(side).made, ...last(side).draws].map((one) => one.share)), 1e-9);
  /** @param {"made" | "draws"} part @param {string} title */
  const rows = (part, title) => {
    const order = last(sides[0])[part].map((one) => one.name);
    const wanted = order.filter((name) => sides.some((side) => last(side)[part].some((one) => one.name === name && one.combos > 0)));
    const lines = wanted.map((name) => {
      const attributes = { type: "button", class: "pick", "data-hit": name, "aria-pressed": String(picked.has(name)) };
      const cells = sides.flatMap((side) => {
        const street = last(side);
        const one = street[part].find((hit) => hit.name === name);
        const isOver = street.boards > 1;
        const shown = !one || !one.combos ? "–" : isOver ? percent(one.share, 1) : combos(one.combos);
        const meter = h("i", { class: "hit-bar", style: { width: `${(2.4 * (one?.share || 0)) / most}rem` } });
        const count = h("td", { "data-letter": letterOf(side.seat.id), title: one ? `${combos(one.combos / street.boards)} combos, ${percent(one.share)}` : null }, meter, shown);
        const equity = hasEquity && one?.combos ? equityOf(side, name) : null;
        const figure = h("td", { class: "class-equity", title: equity === null ? null : percent(equity, 4) }, equity === null ? "–" : points(equity, 2));
        return hasEquity ? [count, figure] : [count];
      });
      return h("tr", { "data-class": name }, h("th", { scope: "row" }, canPick ? h("button", attributes, name) : name), ...cells);
    });
    return lines.length ? [h("tr", { class: "part" }, h("th", { scope: "rowgroup", colspan: 1 + sides.length * (hasEquity ? 2 : 1) }, title)), ...lines] : [];
  };
  const heads = sides.flatMap((side) => {
    const name = h("th", { scope: "col", class: "whose", "data-letter": letterOf(side.seat.id) }, shortNameOf(side.seat.id));
    return hasEquity ? [name, h("th", { scope: "col" }, "equity")] : [name];
  });
  const head = h("tr", {}, h("th", { scope: "col" }, last(sides[0]).street), ...heads);
  return h("table", { class: "hits" }, h("thead", {}, head), h("tbody", {}, ...rows("made", "Made hands"), ...rows("draws", "Draws")));
}

/** @type {View} */
export const hits = {
  name: "hits",
  label: "Hits",
  title: () => "",
  alone: true,
  ofAll: true,
  async make(context) {
    const { request, place, signal } = context;
    const { board, game } = request.options;
    const cards = cardsIn(board).length;
    if (board && cards < 3) return h("p", {}, "Put three to five cards on the board, or none.");
    const isGrid = hasGrid(state.games[game]); // others have too many hands to list and to filter
    if (!board && !isGrid) return h("p", {}, "Put three to five cards on the board.");
    const found = await Promise.all(request.seats.map((seat, at) => hitsOf(seat.id, request.hands[at])));
    const canPick = Boolean(board) && isGrid;
    const each = canPick && !missing(request) ? await handsOf(request).catch(() => null) : null; // the figures of hands may be refused
    const sides = request.seats.map((seat, at) => ({
      seat,
      found: found[at],
      hands: found[at].streets.at(-1)?.by_hand || [],
      equities: new Map((each?.get(seat.id) || []).map((one) => [one.hand, one])),
    }));
    const table = newTable(sides, each !== null, canPick);
    const region = newRegion("Made hands and draws", table);
    if (!board) return h("div", {}, h("p", { class: "soft" }, "Share of all flops. A board gives combos and equities."), region);
    if (!canPick) return region;
    linkRows(table, sides);
    const under = h("div", { class: "under" });
    // On a flop one request has all turn cards; a narrow page has its own view of them.
    if (cards === 3 && each && matchMedia("(width >= 1100px)").matches) showNext(context, under);
    return h("div", {}, newFilter(table, sides[place], signal), region, under);
  },
};

/** Shows the turn cards below the hits, once they are counted. @param {ViewContext} context @param {HTMLElement} box */
async function showNext(context, box) {
  const made = await nextCards(context, true).catch(() => null);
  if (!made || context.signal.aborted) return;
  const words = `change for ${shortNameOf(context.request.seats[context.place].id)}; a click deals the card`;
  box.replaceChildren(h("p", {}, h("b", {}, "Turn card "), h("span", { class: "soft" }, words)), made);
}

/** Points at the hands of a class in every grid while its row is pointed at. @param {HTMLElement} table @param {Side[]} sides */
function linkRows(table, sides) {
  const show = (/** @type {Event} */ event) => {
    const name = targetOf(event, "[data-class]")?.dataset.class;
    if (!name) return pointAt();
    return pointAtEach(new Map(sides.map(({ seat, hands }) => [seat.id, new Set(hands.filter((one) => has(one, name)).map((one) => nameOf(one.hand)))])));
  };
  table.addEventListener("pointerover", show);
  table.addEventListener("focusin", show);
  table.addEventListener("pointerleave", () => pointAt());
  table.addEventListener("focusout", () => pointAt());
}

/** Returns the line that filters the range in focus. @param {HTMLElement} table @param {Side | undefined} side @param {AbortSignal} signal */
function newFilter(table, side, signal) {
  const hands = side?.hands || [];
  const count = h("span", { id: "hit-count" });
  // The hits of a spot before this one filter nothing.
  const only = (/** @type {boolean} */ isKept) => () => signal.aborted || filter(hands, isKept);
  const keep = h("button", { type: "button", id: "keep-hits", onclick: only(true) }, "Keep only these");
  const drop = h("button", { type: "button", id: "drop-hits", onclick: only(false) }, "Take these away");
  // What is picked on a street stays a condition on the next ones; the range is not written anew.
  const street = side?.found.streets.at(-1)?.street || "";
  const onlyOn = () => {
    if (signal.aborted || !side) return;
    const filters = { ...side.seat.filters, [street]: [...picked] };
    picked.clear();
    editSeat(side.seat.id, { filters });
  };
  const pass = h("button", { type: "button", id: "filter-hits", onclick: onlyOn }, `Filter the ${street}`);
  const draw = () => {
    const chosen = hands.filter(isPicked).reduce((sum, one) => sum + one.weight, 0);
    const whole = hands.reduce((sum, one) => sum + one.weight, 0);
    count.textContent = !picked.size ? "Pick classes to filter by." : side ? `${shortNameOf(side.seat.id)}: ${combos(chosen)} of ${combos(whole)} combos` : "";
    keep.disabled = !chosen || chosen === whole;
    drop.disabled = keep.disabled;
    pass.disabled = !chosen;
    for (const one of all("[data-hit]", table)) one.setAttribute("aria-pressed", String(picked.has(one.dataset.hit || "")));
    emit("mode"); // the grid marks what is picked
  };
  table.addEventListener("click", (event) => {
    const name = targetOf(event, "[data-hit]")?.dataset.hit;
    if (!name) return;
    if (picked.has(name)) picked.delete(name);
    else picked.add(name);
    draw();
  });
  signal.addEventListener("abort", () => (keep.disabled = drop.disabled = pass.disabled = true));
  rove(table, ".pick");
  draw();
  return h("div", { class: "row" }, pass, keep, drop, count);
}
