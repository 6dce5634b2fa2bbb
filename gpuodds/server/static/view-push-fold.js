// All-in or fold before the flop: a chart for each position and history, and each decision explained by a click.
/** @import { DecisionAnswer, PushFoldAnswer, PushFoldOptions } from "./gpuodds.js" */
/** @import { View } from "./types.js" */
import { NAMES } from "./cards.js";
import { newTable } from "./charts.js";
import { copyText, h, rove } from "./dom.js";
import { fixed, percent, signed } from "./format.js";
import { client, patiently, reason } from "./client.js";
import { Problem } from "./gpuodds.js";
import { store, stored } from "./storage.js";

const FIELDS = [
  { name: "stacks", label: "Stacks", value: "10, 10", title: "In order of action, the blinds last" },
  { name: "blinds", label: "Blinds", value: "0.5/1" },
  { name: "ante", label: "Ante", value: "0" },
  { name: "payouts", label: "Prizes", value: "", title: "From the first place on; empty: chips count" },
];

const linked = new URLSearchParams(location.search);

/** Whether the page was opened by a link to this view. */
export const isPushFoldLink = linked.has("stacks");

/** What the fields hold. @type {Record<string, string>} */
const typed = Object.fromEntries(FIELDS.map(({ name, value }) => [name, (isPushFoldLink ? linked.get(name) : stored(`push-${name}`)) || value]));

/**
 * What is shown: the answer, its place, and the hand that is explained.
 * @type {{ question: string, answer: PushFoldAnswer | null, place: string, hand: string }}
 */
const shown = { question: "", answer: null, place: "", hand: "" };

/** @param {string} name @param {string | RegExp} between */
const numbers = (name, between) => {
  const { label } = FIELDS.find((one) => one.name === name) || FIELDS[0];
  return typed[name].split(between).filter((text) => text.trim()).map((text) => {
    const value = Number(text);
    if (Number.isNaN(value)) throw new Problem({ status: 400, detail: `${label}: expected numbers, found ${text.trim().slice(0, 20)}` });
    return value;
  });
};

/** Returns the question that the fields hold. */
function given() {
  const payouts = numbers("payouts", /[,;\s]+/);
  const stacks = numbers("stacks", /[,;\s]+/);
  return { stacks, options: { blinds: numbers("blinds", "/"), ante: numbers("ante", " ")[0] || 0, ...(payouts.length ? { payouts } : {}) } };
}

/** Returns the places of an answer with their charts. @param {PushFoldAnswer} answer */
const placesOf = (answer) =>
  Object.entries(answer.strategies).flatMap(([position, charts]) =>
    Object.entries(charts).map(([history, chart]) => ({ place: history ? `${position}:${history}` : position, chart })),
  );

/** @param {string} name */
const combos = (name) => (name.length === 2 ? 6 : name[2] === "s" ? 4 : 12);

/** @param {Record<string, number>} chart */
const share = (chart) => NAMES.reduce((sum, name) => sum + combos(name) * chart[name], 0) / 1326;

/** Says how near an equilibrium charts are. @param {number} share of the pool, that best responses gain */
const certified = (share) => `Best responses gain ${share < 1e-9 ? "less than 1e-9" : share.toExponential(1)} of the pool`;

/**
 * Returns the answer; tells of the certificates on the way.
 * @param {number[]} stacks
 * @param {PushFoldOptions} options
 * @param {(share: number) => void} tell
 */
async function search(stacks, options, tell) {
  let last;
  for await (const [kind, found] of client.pushFoldStream(stacks, options)) {
    if (kind === "estimate") tell(found.share_of_pool);
    else last = found;
  }
  return /** @type {PushFoldAnswer} */ (last); // a stream without one throws
}

/** @param {DecisionAnswer} found */
function explained(found) {
  const unit = found.unit === "chips" ? "chips" : "prize money";
  const rows = found.endings.map(({ callers, chance, equity, value }) => [callers, percent(chance), percent(equity), fixed(value, 4)]);
  return h(
    "div",
    { id: "push-decision" },
    h("p", {}, h("b", {}, `${found.hand} at ${found.place}`), `: all-in ${percent(found.probability, 1)}, worth ${fixed(found.all_in, 4)}; fold ${fixed(found.fold, 4)} (${signed(found.difference, 4)} ${unit})`),
    newTable(["Called by", "Chance", "Equity", "Worth"], rows),
    ...found.opponents.map((one) => h("p", { class: "soft" }, `${one.position} ${one.all_in ? "is all-in" : "calls"} with ${fixed(one.percent, 2)} %: ${one.range || "no hand"}`)),
  );
}

/** @param {HTMLElement} box @param {AbortSignal} signal */
async function explain(box, signal) {
  const { place, hand } = shown;
  if (!hand) return box.replaceChildren(h("p", { class: "soft" }, "Choose a hand to see what all-in and a fold are worth."));
  try {
    const { stacks, options } = given();
    const { decisions } = await patiently(() => client.pushFold(stacks, { ...options, hands: [`${place}=${hand}`], signal }), signal);
    if (shown.place === place && shown.hand === hand && decisions) box.replaceChildren(explained(decisions[0]));
  } catch (error) {
    if (!signal.aborted) box.replaceChildren(h("p", { class: "error" }, reason(error)));
  }
}

/** @param {HTMLElement} box @param {PushFoldAnswer} answer @param {AbortSignal} signal */
function draw(box, answer, signal) {
  const places = placesOf(answer);
  const now = places.find(({ place }) => place === shown.place) || places[0];
  shown.place = now.place;
  const detail = h("div", { "aria-live": "polite" });
  const select = h("select", { id: "push-place" }, ...places.map(({ place, chart }) => new Option(`${place} ${percent(share(chart))}`, place)));
  select.value = now.place;
  select.addEventListener("change", () => {
    shown.place = select.value;
    draw(box, answer, signal);
    document.getElementById("push-place")?.focus();
  });
  const cells = NAMES.map((name) => {
    const weight = now.chart[name];
    const cell = h("span", { role: "gridcell", tabindex: -1, "data-name": name, "data-kind": name[2] || "pair", "aria-label": `${name}: ${percent(weight, 1)}`, "aria-selected": String(weight > 0), "aria-current": name === shown.hand ? "true" : null }, h("b", {}, name));
    cell.style.setProperty("--part", `${100 * weight}%`);
    return cell;
  });
  const rows = Array.from({ length: 13 }, (_, row) => h("div", { role: "row" }, ...cells.slice(13 * row, 13 * row + 13)));
  const grid = h("div", { class: "grid chart", role: "grid", "aria-label": `All-in at ${now.place}` }, ...rows);
  rove(grid, "[role='gridcell']");
  const choose = (/** @type {Event} */ event) => {
    if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    const name = event.target instanceof Element ? event.target.closest("[data-name]")?.getAttribute("data-name") : "";
    if (!name) return;
    shown.hand = name;
    for (const cell of cells) {
      if (cell.dataset.name === name) cell.setAttribute("aria-current", "true");
      else cell.removeAttribute("aria-current");
    }
    explain(detail, signal);
  };
  for (const kind of ["click", "keydown"]) grid.addEventListener(kind, choose);
  const values = answer.positions.map((position, at) => [position, String(answer.stacks[at]), signed(answer.values[at], 4)]);
  const link = h("button", { type: "button", id: "push-link" }, "Copy link");
  link.addEventListener("click", () => copyText(`${location.origin}${location.pathname}?${new URLSearchParams(typed)}`, "Link"));
  box.replaceChildren(
    h("div", { class: "place" }, h("label", {}, "All-in at ", select), link),
    grid,
    detail,
    newTable(["Position", "Chips", answer.unit === "chips" ? "Gains" : "Gains in prizes"], values),
    h("p", { class: "soft" }, `${certified(answer.certificate.share_of_pool)}${answer.exact ? ", counted exactly" : ", in a model of deals"}.`),
  );
  explain(detail, signal);
}

/** @type {View} */
export const pushFold = {
  name: "push-fold",
  label: "All-in",
  title: () => "all-in or fold before the flop",
  fits: (game) => game.name === "holdem",
  isFree: true,
  async make({ signal }) {
    const box = h("div", { "aria-live": "polite" });
    const told = h("p", { class: "soft", "aria-live": "off" });
    let running = new AbortController();
    signal.addEventListener("abort", () => running.abort());
    const update = async () => {
      running.abort(); // a search for what the fields held before
      const mine = (running = new AbortController());
      try {
        const { stacks, options } = given();
        const question = JSON.stringify([stacks, options]);
        let { answer } = shown;
        if (question !== shown.question || !answer) {
          told.textContent = "";
          if (stacks.length > 2) box.replaceChildren(h("p", {}, "computing …"), told);
          answer = await patiently(() => search(stacks, { ...options, signal: mine.signal }, (share) => (told.textContent = `${certified(share)} so far`)), mine.signal);
          if (mine.signal.aborted) return;
          [shown.question, shown.answer] = [question, answer];
        }
        draw(box, answer, signal);
      } catch (error) {
        if (!mine.signal.aborted) box.replaceChildren(h("p", { class: "error" }, reason(error)));
      }
    };
    const inputs = FIELDS.map(({ name, label, title }) => {
      const input = h("input", { id: `push-${name}`, value: typed[name], title, autocomplete: "off", spellcheck: "false" });
      input.addEventListener("change", () => {
        typed[name] = input.value;
        store(`push-${name}`, input.value);
        update();
      });
      return h("label", {}, `${label} `, input);
    });
    const form = h("form", { class: "amounts", onsubmit: (/** @type {Event} */ event) => event.preventDefault() }, ...inputs);
    update();
    return h("div", {}, form, box);
  },
};
