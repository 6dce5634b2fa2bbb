// The flop report: exact equities of all players by texture and on every flop; a click puts a flop on the board.
/** @import { ReportRow } from "./gpuodds.js" */
/** @import { View } from "./types.js" */
import { cardsIn } from "./cards.js";
import { newBar, newRegion, newTable } from "./charts.js";
import { cardText } from "./card-text.js";
import { h, rove } from "./dom.js";
import { percent, points, whole } from "./format.js";
import { client, once } from "./client.js";
import { nameOfSeat, setCards, shortNameOf } from "./state.js";

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

/** @param {ReportRow[]} rows */
const count = (rows) => rows.reduce((sum, row) => sum + row.weight, 0);

/** @type {View} */
export const flops = {
  name: "flops",
  label: "Flops",
  title: ({ seat }) => `exact on every flop, sorted by ${nameOfSeat(seat.id)}; a click deals one`,
  ofAllBoards: true,
  ofAll: true,
  async make({ request, place, signal }) {
    const { hands, options, seats } = request;
    const { opponents, dead, game } = options;
    const asked = { opponents, dead, game };
    const found = await once(["flops", hands, asked], () => client.flops(hands, { ...asked, signal }));
    return newReport(found.rows, seats.map(({ id }) => shortNameOf(id)), place);
  },
};

/** @param {ReportRow[]} all @param {string[]} names @param {number} place the place of the player in focus */
function newReport(all, names, place) {
  const [textures, list] = [h("div"), h("div")];
  const figure = `equity_${place + 1}`;
  const cellsOf = (/** @type {ReportRow[]} */ rows) =>
    names.map((_, at) => {
      const equity = mean(rows, `equity_${at + 1}`);
      return h("span", { title: equity === null ? null : percent(equity, 4) }, equity === null ? "–" : points(equity, 2));
    });
  const ofTexture = (/** @type {string} */ name) => all.filter((row) => !name || row.textures.split(" ").includes(name));
  const sort = h("button", { type: "button", id: "flop-order" });
  const summary = h("span", { class: "soft", id: "flop-mean" });
  const draw = () => {
    const lines = ["", ...TEXTURES].flatMap((name) => {
      const rows = ofTexture(name);
      if (!rows.length) return [];
      const onclick = () => {
        choice.texture = name;
        draw();
        document.getElementById(`texture-${name}`)?.focus();
      };
      const pick = h("button", { type: "button", class: "pick", id: `texture-${name}`, "aria-pressed": String(choice.texture === name), onclick }, name || "all flops");
      return [[pick, whole(count(rows)), ...cellsOf(rows)]];
    });
    textures.replaceChildren(newTable(["Texture", "Flops", ...names], lines));
    const every = ofTexture(choice.texture);
    const rows = every.filter((row) => row[figure] !== null);
    rows.sort((a, b) => (choice.isUp ? 1 : -1) * (a[figure] - b[figure]));
    const equity = mean(rows, figure);
    const of = count(rows) === count(every) ? "" : ` of ${whole(count(every))}`; // others hold a card of each combo of a range
    summary.textContent = equity === null ? "no such flop" : `${whole(count(rows))}${of} flops, mean ${percent(equity, 4)}`;
    sort.textContent = choice.isUp ? "Worst first" : "Best first";
    const cells = rows.slice(0, SHOWN).map((row) => {
      const flop = row.flop || "";
      const onclick = () => setCards("board", flop);
      const pick = h("button", { type: "button", class: "flop", "aria-label": `Put ${flop} on the board`, onclick }, ...cardsIn(flop).map(cardText));
      const equities = names.map((_, at) => {
        const own = row[`equity_${at + 1}`];
        return own === null ? "–" : h("span", { title: percent(own, 4) }, points(own, 2), at === place ? newBar(own) : null);
      });
      return [pick, String(row.weight), ...equities];
    });
    list.replaceChildren(newRegion("Equity on every flop", newTable(["Flop", "Flops", ...names], cells)));
  };
  sort.addEventListener("click", () => {
    choice.isUp = !choice.isUp;
    draw();
  });
  draw();
  rove(textures, ".pick");
  rove(list, ".flop");
  return h("div", {}, textures, h("div", { class: "row" }, sort, summary), list);
}
