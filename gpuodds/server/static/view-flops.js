// The flop report: exact equities on every flop, sorted, by texture.
/** @import { ReportRow } from "./gpuodds.js" */
/** @import { View } from "./types.js" */
import { cardsIn } from "./cards.js";
import { newBar, newRegion, newTable } from "./charts.js";
import { cardText } from "./card-text.js";
import { h, rove } from "./dom.js";
import { percent, whole } from "./format.js";
import { client } from "./request.js";
import { setCards } from "./state.js";

const SHOWN = 100;
const TEXTURES = ["monotone", "two-tone", "rainbow", "trips", "paired", "unpaired", "connected", "disconnected"];

const choice = { texture: "", isUp: false };

/** @param {ReportRow[]} rows @param {string} name */
function mean(rows, name) {
  let [sum, outcomes] = [0, 0];
  for (const row of rows) {
    if (row[name] === null) continue;
    sum += Number(row.outcomes) * row[name];
    outcomes += Number(row.outcomes);
  }
  return outcomes ? sum / outcomes : null;
}

/** @type {View} */
export const flops = {
  name: "flops",
  label: "Flops",
  title: "equity on every flop",
  ofAllBoards: true,
  async make({ request, place, whose, signal }) {
    const { hands, options } = request;
    const { opponents, dead, game } = options;
    const found = await client.flops(hands, { opponents, dead, game, signal });
    return newReport(found.rows, `equity_${place + 1}`, whose);
  },
};

/** @param {ReportRow[]} all @param {string} figure @param {string} whose */
function newReport(all, figure, whose) {
  const box = h("div");
  const select = h("select", { id: "texture", "aria-label": "Texture" }, new Option("all flops", ""), ...TEXTURES.map((name) => new Option(name)));
  select.value = choice.texture;
  const sort = h("button", { type: "button", id: "flop-order" });
  const summary = h("span", { class: "soft", id: "flop-mean" });
  const draw = () => {
    const every = all.filter((row) => !choice.texture || row.textures.split(" ").includes(choice.texture));
    const rows = every.filter((row) => row[figure] !== null);
    rows.sort((a, b) => (choice.isUp ? 1 : -1) * (a[figure] - b[figure]));
    const equity = mean(rows, figure);
    const count = (/** @type {ReportRow[]} */ those) => those.reduce((sum, row) => sum + row.weight, 0);
    const of = count(rows) === count(every) ? "" : ` of ${whole(count(every))}`; // others hold a card of each combo of a range
    summary.textContent = equity === null ? "no such flop" : `${whole(count(rows))}${of} flops, mean ${percent(equity, 4)}`;
    sort.textContent = choice.isUp ? "Worst first" : "Best first";
    const cells = rows.slice(0, SHOWN).map((row) => {
      const flop = row.flop || "";
      const onclick = () => setCards("board", flop);
      const pick = h("button", { type: "button", class: "flop", "aria-label": `Put ${flop} on the board`, onclick }, ...cardsIn(flop).map(cardText));
      return [pick, String(row.weight), h("span", {}, percent(row[figure]), newBar(row[figure]))];
    });
    box.replaceChildren(newRegion(`${whose}: equity on every flop`, newTable(["Flop", "Flops", "Equity"], cells)));
  };
  select.addEventListener("change", () => {
    choice.texture = select.value;
    draw();
  });
  sort.addEventListener("click", () => {
    choice.isUp = !choice.isUp;
    draw();
  });
  draw();
  rove(box, ".flop");
  return h("div", {}, h("div", { class: "line" }, select, sort, summary), box);
}
