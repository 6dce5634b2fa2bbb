// Equity graphs: the hands of each range sorted by equity, all players in one plot.
/** @import { View } from "./types.js" */
import { newRegion, newTable } from "./charts.js";
import { h, svg } from "./dom.js";
import { percent, short } from "./format.js";
import { client } from "./request.js";
import { isHand, letterOf } from "./state.js";
import { answer } from "./stream.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [420, 250, 34, 24];

/** @param {number} share */
const x = (share) => LEFT + (WIDTH - LEFT - 6) * share;
/** @param {number} equity */
const y = (equity) => 6 + (HEIGHT - BOTTOM - 6) * (1 - equity);

/**
 * Returns the equity at a share of a range, its best hands first.
 * @param {[number, number][]} points cumulative shares and equities
 * @param {number} share
 */
function at(points, share) {
  const found = points.find(([end]) => end >= share - 1e-9) || points[points.length - 1];
  return found[1];
}

/** @param {[number, number][]} points */
function path(points) {
  let [text, begin] = ["", 0];
  for (const [end, equity] of points) {
    text += `${text ? "L" : "M"}${x(begin).toFixed(1)} ${y(equity).toFixed(1)}L${x(end).toFixed(1)} ${y(equity).toFixed(1)}`;
    begin = end;
  }
  return text;
}

/**
 * Returns the plot, and the line below it with the figures where it is pointed at.
 * @param {{ letter: string, points: [number, number][], isChosen: boolean }[]} curves
 * @param {string} label
 */
function plot(curves, label) {
  const lines = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
    svg("path", { class: part === 0.5 ? "axis" : "rule", d: `M${x(0)} ${y(part)}H${x(1)}` }),
    svg("text", { x: LEFT - 5, y: y(part) + 4, "text-anchor": "end" }, String(100 * part)),
    svg("text", { x: x(part), y: HEIGHT - 6, "text-anchor": part === 1 ? "end" : "middle" }, `${100 * part} %`),
  ]);
  const drawn = curves.map(({ letter, points, isChosen }) =>
    svg("path", { class: isChosen ? "curve chosen" : "curve", "data-letter": letter, d: path(points) }),
  );
  const line = svg("path", { class: "pointer" });
  const figures = h("p", { class: "soft" }, "Equity by the share of each range, its best hands first. Point at the graph for figures.");
  const made = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "plot" }, ...lines, line, ...drawn);
  const point = (/** @type {MouseEvent} */ event) => {
    const box = made.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (((event.clientX - box.left) / box.width) * WIDTH - x(0)) / (x(1) - x(0))));
    line.setAttribute("d", `M${x(share).toFixed(1)} ${y(1)}V${y(0)}`);
    const found = curves.map(({ letter, points }) => `${letter} ${percent(at(points, share), 1)}`);
    figures.textContent = `At ${percent(share, 0)}: ${found.join(", ")}`;
  };
  made.addEventListener("pointermove", /** @type {EventListener} */ (point));
  made.addEventListener("pointerdown", /** @type {EventListener} */ (point));
  return [/** @type {HTMLElement} */ (/** @type {unknown} */ (made)), figures];
}

/** @type {View} */
export const graph = {
  name: "graph",
  label: "Graph",
  title: "hands by equity, beside the other players",
  async make({ request, place, whose, signal }) {
    const isKnown = request.hands.every(isHand) && answer.found && !answer.isStale; // then each graph is a line
    const found = isKnown ? answer.found : await client.equity(request.hands, { ...request.options, equity_graph: true, signal });
    /** @type {{ letter: string, points: [number, number][], isChosen: boolean, name: string }[]} */
    const curves = found.players.map((/** @type {any} */ player, /** @type {number} */ number) => ({
      letter: letterOf(request.seats[number].id) || "",
      points: isKnown ? [[1, player.equity]] : player.equity_graph,
      isChosen: number === place,
      name: player.hand,
    }));
    const legend = h(
      "ul",
      { class: "legend" },
      ...curves.map(({ letter, name }) => h("li", { "data-letter": letter }, h("span", { class: "chip" }, letter), short(name, 28))),
    );
    const shares = Array.from({ length: 10 }, (_, tenth) => (tenth + 1) / 10);
    const rows = shares.map((share) => [percent(share, 0), ...curves.map(({ points }) => percent(at(points, share), 1))]);
    const table = newTable(["Best", ...curves.map(({ letter }) => letter)], rows);
    const label = `${whose}: equity of hands, the best first`;
    return h("div", {}, ...plot(curves, label), legend, newRegion("Equity at each tenth of the ranges", table));
  },
};
