// Equity graphs and hands: the hands of each range sorted by equity, all players in one plot and in one table.
/** @import { HandAnswer } from "./gpuodds.js" */
/** @import { SpotRequest, View } from "./types.js" */
import { nameOf } from "./cards.js";
import { newRegion } from "./charts.js";
import { handsOf } from "./details.js";
import { $, copyText, h, rove, stopAt, svg, targetOf } from "./dom.js";
import { combos, percent, points, signed } from "./format.js";
import { classOf, hasGrid } from "./games.js";
import { pointAt, pointAtEach } from "./hover.js";
import { client } from "./client.js";
import { letterOf, shortNameOf, state } from "./state.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [420, 220, 30, 22];
const MOST = 300; // rows of the table

/** @param {number} share */
const x = (share) => LEFT + (WIDTH - LEFT - 6) * share;
/** @param {number} equity */
const y = (equity) => 6 + (HEIGHT - BOTTOM - 6) * (1 - equity);

/**
 * A player's side: its steps (cumulative share, equity, hand), and the rows of the table.
 * @typedef {{ end: number, equity: number, hand: string }} Step
 * @typedef {{ weight: number, equity: number, blocked?: number, change?: number }} Group means of hands; blockers if they are asked for
 * @typedef {{ id: number, letter: string, name: string, steps: Step[], groups: Record<string, Group>, hands: HandAnswer[] }} Side
 */

/** @param {HandAnswer[]} hands best first @returns {Step[]} */
function stepsOf(hands) {
  const total = hands.reduce((sum, one) => sum + one.weight, 0);
  let sum = 0;
  return hands.map(({ hand, weight, equity }) => ({ hand, equity, end: (sum += weight) / total }));
}

/** @param {HandAnswer[]} hands @param {(hand: string) => string} name */
function groupsOf(hands, name) {
  /** @type {Record<string, Group>} */
  const found = {};
  for (const { hand, weight, equity } of hands) {
    const group = (found[name(hand)] ||= { weight: 0, equity: 0 });
    group.weight += weight;
    group.equity += weight * equity;
  }
  for (const group of Object.values(found)) group.equity /= group.weight;
  return found;
}

/** Adds to groups what their hands block on average, and how the equity of the rest changes. @param {SpotRequest} request @param {Side[]} sides @param {AbortSignal} signal */
async function addBlockers(request, sides, signal) {
  const found = await client.equity(request.hands, { ...request.options, blockers: true, signal });
  const name = hasGrid(state.games[request.options.game]) ? nameOf : classOf;
  sides.forEach(({ groups }, at) => {
    for (const row of found.players[at].blockers || []) {
      const group = groups[name(row.hand)];
      if (!group) continue; // it cannot be dealt
      for (const kind of /** @type {["blocked", "change"]} */ (["blocked", "change"])) group[kind] = (group[kind] || 0) + (row.weight / group.weight) * (row[kind] || 0);
    }
  });
}

/** Returns the step at a share of a range. @param {Step[]} steps @param {number} share */
const stepAt = (steps, share) => steps.find(({ end }) => end >= share - 1e-9) || steps[steps.length - 1];

/** @param {Step[]} steps */
function path(steps) {
  let [text, begin] = ["", 0];
  for (const { end, equity } of steps) {
    text += `${text ? "L" : "M"}${x(begin).toFixed(1)} ${y(equity).toFixed(1)}L${x(end).toFixed(1)} ${y(equity).toFixed(1)}`;
    begin = end;
  }
  return text;
}

/** Returns the plot, and the line below it with the figures where it is pointed at. @param {Side[]} sides @param {AbortSignal} signal */
function plot(sides, signal) {
  const lines = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
    svg("path", { class: part === 0.5 ? "axis" : "rule", d: `M${x(0)} ${y(part)}H${x(1)}` }),
    svg("text", { x: LEFT - 5, y: y(part) + 4, "text-anchor": "end" }, String(100 * part)),
    svg("text", { x: x(part), y: HEIGHT - 6, "text-anchor": part === 1 ? "end" : "middle" }, `${100 * part} %`),
  ]);
  const curves = sides.map(({ letter, id, steps }) =>
    svg("path", { class: id === state.focus ? "curve chosen" : "curve", "data-letter": letter, "data-id": id, d: path(steps) }),
  );
  const dots = sides.map(({ letter }) => svg("circle", { class: "dot", "data-letter": letter, r: 5, cx: -9, cy: -9 }));
  const line = svg("path", { class: "pointer" });
  const hint = "Equity by the share of each range, its best hands first. Point at the graph, or at a hand in a grid.";
  const figures = h("p", { class: "soft figures" }, hint);
  const label = `Equity of hands, the best first: ${sides.map(({ name }) => name).join(", ")}`;
  const made = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "plot" }, ...lines, line, ...curves, ...dots);
  const point = (/** @type {MouseEvent} */ event) => {
    const box = made.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (((event.clientX - box.left) / box.width) * WIDTH - x(0)) / (x(1) - x(0))));
    line.setAttribute("d", `M${x(share).toFixed(1)} ${y(1)}V${y(0)}`);
    const found = sides.map(({ name, steps }) => ({ name, ...stepAt(steps, share) }));
    figures.textContent = `At ${percent(share, 0)}: ${found.map(({ name, hand, equity }) => `${name} ${hand && hasName() ? `${nameOf(hand)} ` : ""}${percent(equity)}`).join(", ")}`;
    if (hasName()) pointAtEach(new Map(sides.map(({ id, steps }) => [id, new Set([nameOf(stepAt(steps, share).hand)])])));
  };
  const hasName = () => hasGrid(state.games[state.spot.game]) && sides.every(({ steps }) => steps.every(({ hand }) => hand));
  made.addEventListener("pointermove", /** @type {EventListener} */ (point));
  made.addEventListener("pointerdown", /** @type {EventListener} */ (point));
  made.addEventListener("pointerleave", () => {
    line.removeAttribute("d");
    figures.textContent = hint;
    pointAt();
  });
  // A hand that is pointed at in a grid is a dot on each graph that has it.
  const onCell = (/** @type {Event} */ event) => {
    const name = targetOf(event, "[role='gridcell']")?.dataset.name;
    sides.forEach(({ steps, groups }, at) => {
      const group = name && groups[name];
      const step = group && steps.find(({ equity }) => equity <= group.equity + 1e-12);
      dots[at].setAttribute("cx", String(step ? x(step.end) : -9));
      dots[at].setAttribute("cy", String(group ? y(group.equity) : -9));
    });
  };
  document.addEventListener("pointerover", onCell, { signal });
  return [/** @type {HTMLElement} */ (/** @type {unknown} */ (made)), figures];
}

/** Whether the tables of this visit have blockers. */
let hasBlockers = false;

/** How the figures of a group are shown, in their order; the last two are blockers. */
const FIGURES = { weight: combos, equity: points, blocked: combos, change: (/** @type {number} */ share) => signed(100 * share) };

/** The column that the tables of this visit are sorted by: "name", or a figure and a letter; and whether upward. */
const order = { column: "equity A", isUp: false };

/** @param {Side[]} sides @param {string} label @param {boolean} isBlocking whether blockers of the player in focus are shown */
function newHands(sides, label, isBlocking) {
  const box = newRegion(label, h("span"));
  const kindsOf = (/** @type {Side} */ { id }) => /** @type {(keyof Group)[]} */ (Object.keys(FIGURES).slice(0, isBlocking && id === state.focus ? 4 : 2));
  const names = [...new Set(sides.flatMap(({ groups }) => Object.keys(groups)))];
  const draw = () => {
    const [figure, letter] = order.column.split(" ");
    const by = sides.find((side) => side.letter === letter) || sides[0];
    const value = (/** @type {string} */ name) => by.groups[name]?.[/** @type {keyof Group} */ (figure)] ?? -1;
    const sign = order.isUp ? -1 : 1; // names descend from A to Z, as they are read
    names.sort((a, b) => sign * (figure === "name" ? a.localeCompare(b) : value(b) - value(a)) || value(b) - value(a));
    const rows = names.slice(0, MOST).map((name) => {
      const cells = sides.flatMap((side) => {
        const group = side.groups[name];
        return kindsOf(side).map((kind) => h("td", { title: group && kind === "equity" ? percent(group.equity, 4) : null }, group ? FIGURES[kind](group[kind] || 0) : "–"));
      });
      return h("tr", { "data-hand": name }, h("th", { scope: "row" }, name), ...cells);
    });
    if (names.length > MOST) rows.push(h("tr", {}, h("td", { colspan: 1 + 4 * sides.length }, `and ${(names.length - MOST).toLocaleString("en")} more`)));
    const columns = [["name", "Hand", ""], ...sides.flatMap((side) => kindsOf(side).map((kind, at) => [`${kind} ${side.letter}`, at ? kind : side.name, side.letter]))];
    const heads = columns.map(([column, words, of]) => {
      const isChosen = order.column === column;
      const onclick = () => {
        [order.isUp, order.column] = [isChosen ? !order.isUp : false, column];
        draw();
        /** @type {HTMLElement | null} */ (box.querySelector(`[data-column='${column}']`))?.focus();
      };
      const aria = isChosen ? { "aria-sort": order.isUp ? "ascending" : "descending" } : {};
      return h("th", { scope: "col", "data-letter": of || null, class: column.startsWith("weight") ? "whose" : null, ...aria }, h("button", { type: "button", class: "sort", "data-column": column, onclick }, words));
    });
    box.replaceChildren(h("table", { class: "hands" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows)));
    const stop = box.querySelector("[aria-sort] .sort") || box.querySelector(".sort");
    if (stop) stopAt(box, ".sort", /** @type {HTMLElement} */ (stop));
  };
  draw();
  rove(box, ".sort");
  box.addEventListener("pointerover", (event) => {
    const name = targetOf(event, "[data-hand]")?.dataset.hand;
    if (hasGrid(state.games[state.spot.game])) pointAt(name ? [name] : undefined);
  });
  box.addEventListener("pointerleave", () => pointAt());
  return box;
}

/** @param {HandAnswer[]} hands */
const asCsv = (hands) =>
  ["hand,weight,equity,win,tie", ...hands.map((one) => [one.hand, one.weight, one.equity, one.win, one.tie].join(","))].join("\n");

/** @param {SpotRequest} request @param {AbortSignal} signal @returns {Promise<Side[]>} */
async function sidesOf(request, signal) {
  const isGrid = hasGrid(state.games[request.options.game]);
  const side = (/** @type {number} */ at) => ({ id: request.seats[at].id, letter: letterOf(request.seats[at].id) || "", name: shortNameOf(request.seats[at].id) });
  /** @type {Map<number, HandAnswer[]>} */
  let each;
  try {
    each = await handsOf(request);
  } catch (error) {
    if (isGrid || signal.aborted) throw error;
    // More hands than can be listed can still be sorted.
    const found = await client.equity(request.hands, { ...request.options, equity_graph: true, signal });
    return found.players.map((/** @type {any} */ player, at) => ({
      ...side(at),
      steps: player.equity_graph.map((/** @type {[number, number]} */ [end, equity]) => ({ end, equity, hand: "" })),
      groups: {},
      hands: [],
    }));
  }
  return request.seats.map(({ id }, at) => {
    const hands = each.get(id) || [];
    return { ...side(at), steps: stepsOf(hands), groups: groupsOf(hands, isGrid ? nameOf : classOf), hands };
  });
}

/** @type {View} */
export const graph = {
  name: "graph",
  label: "Graph",
  title: () => "",
  ofAll: true,
  async make({ request, signal }) {
    const { hands, options } = request;
    const sides = await sidesOf(request, signal);
    const isListed = sides.some(({ hands }) => hands.length);
    const copy = () => {
      const { hands } = sides.find(({ id }) => id === state.focus) || sides[0];
      return copyText(asCsv(hands), `CSV of ${hands.length.toLocaleString("en")} hands`);
    };
    const canBlock = isListed && hands.length === 2 && !options.opponents && !options.folded?.length;
    const isBlocking = hasBlockers && canBlock;
    if (isBlocking) await addBlockers(request, sides, signal);
    const toggle = () => {
      hasBlockers = !hasBlockers;
      $("tab-graph").click(); // shows the view again
    };
    const block = h("button", { type: "button", id: "blockers", "aria-pressed": String(hasBlockers), title: "Combos that a hand blocks on average, and how the equity of the rest changes", onclick: toggle }, "Blockers");
    const table = isListed ? newHands(sides, "Equity of each hand, as a table", isBlocking) : null;
    const tools = h("div", { class: "row" }, canBlock ? block : null, h("button", { type: "button", id: "copy-csv", onclick: copy }, "Copy as CSV"), h("span", { class: "soft" }, "of the player in focus"));
    return h("div", {}, ...plot(sides, signal), table, isListed ? tools : null);
  },
};
