// What is done with the range in focus beside its grid: weight and suits to paint, quick picks, the share of all hands, copies.
import { painted, setBrush, stepBrush, strokeWeight, touched } from "./brush.js";
import { NAMES, SUITS, SUIT_NAMES, SYMBOLS, cardsIn } from "./cards.js";
import { $, button, copyText, field, h, note, rove, targetOf } from "./dom.js";
import { percent } from "./format.js";
import { ranksOf } from "./games.js";
import { rangeOf, setWeights } from "./range.js";
import { inverted } from "./ranges.js";
import { client, reason } from "./client.js";
import { shareOf } from "./sizes.js";
import { beginDrag, cancelDrag, endDrag, game, isHand, on, seat, setText, state } from "./state.js";

/** Kinds of starting hands, by the words on their buttons. @type {Record<string, (name: string, ranks: string) => boolean>} */
const PICKS = {
  pairs: (name) => name.length === 2,
  suited: (name) => name[2] === "s",
  broadway: (name, ranks) => name.length === 3 && ranks.indexOf(name[0]) < 5 && ranks.indexOf(name[1]) < 5,
  connectors: (name, ranks) => name[2] === "s" && ranks.indexOf(name[1]) === ranks.indexOf(name[0]) + 1,
  "suited aces": (name) => name[2] === "s" && name[0] === "A",
};

/** Gives all hands of a kind the weight to paint, or takes them away where they have it. @param {string} kind */
function pick(kind) {
  const { weights } = rangeOf();
  const ranks = ranksOf(game());
  const names = NAMES.filter((name) => ranks.includes(name[0]) && ranks.includes(name[1]) && PICKS[kind]?.(name, ranks));
  const combos = names.flatMap(touched);
  if (weights && combos.length) setWeights(state.focus, painted(weights, combos, strokeWeight(weights, combos)));
}

function drawEditor() {
  const of = seat();
  const top = /^(\d+(?:\.\d+)?)%$/.exec(of.text);
  const share = shareOf(of);
  if (!state.isDragging) field("percent").value = String(top ? Number(top[1]) : 100 * (share || 0));
  // Only a range given as a share is that of the best hands.
  $("percent-name").textContent = top || !of.text ? "Top" : "Size";
  const words = top ? `${top[1]} %` : percent(share || 0, 1);
  $("percent-shown").textContent = words;
  field("percent").setAttribute("aria-valuetext", words);
  const { weights } = rangeOf();
  for (const id of ["copy-pio", "copy-gto", "invert"]) button(id).disabled = !weights || !of.text;
}

/** @param {"pio" | "gto+"} dialect */
async function copyAs(dialect) {
  try {
    const text = isHand(seat().text) ? cardsIn(seat().text).join("") : seat().text;
    const found = rangeOf().found || (await client.range(text, { game: state.spot.game }));
    await copyText(found.text[dialect], "Range");
  } catch (error) {
    note(reason(error));
  }
}

export function startEditor() {
  for (const suit of SUITS) {
    const words = `Paint combos with ${SUIT_NAMES[suit]}`;
    $("suit-picks").append(
      h("button", { type: "button", class: suit, "data-suit": suit, "aria-pressed": "false", "aria-label": words, title: words }, SYMBOLS[suit]),
    );
  }
  $("suit-picks").addEventListener("click", (event) => {
    const picked = targetOf(event, "button");
    if (picked) picked.setAttribute("aria-pressed", String(picked.getAttribute("aria-pressed") !== "true"));
  });
  for (const kind of Object.keys(PICKS)) $("quick-picks").append(h("button", { type: "button", "data-pick": kind }, kind));
  $("quick-picks").addEventListener("click", (event) => pick(targetOf(event, "button")?.dataset.pick || ""));
  for (const id of ["suit-picks", "weights", "quick-picks", "range-tools"]) rove($(id), "button");
  $("weights").addEventListener("click", (event) => setBrush(targetOf(event, "button")?.dataset.weight || ""));
  field("weight").addEventListener("change", () => setBrush(field("weight").value));
  setBrush("100");
  const slide = () => setText(state.focus, Number(field("percent").value) ? `${field("percent").value}%` : "");
  field("percent").addEventListener("input", () => {
    beginDrag();
    slide();
  });
  // A thumb that is dragged back to where it was ends without a change.
  for (const kind of ["change", "pointerup", "keyup", "blur"]) field("percent").addEventListener(kind, endDrag);
  field("percent").addEventListener("pointercancel", cancelDrag); // the finger scrolls the page
  button("invert").addEventListener("click", () => {
    const { weights } = rangeOf();
    if (weights) setWeights(state.focus, inverted(weights, ranksOf(game())));
  });
  button("copy-pio").addEventListener("click", () => copyAs("pio"));
  button("copy-gto").addEventListener("click", () => copyAs("gto+"));
  on(["spot", "focus", "range"], drawEditor);
}

/**
 * Changes the weight to paint with, by keys.
 * @param {string} key
 */
export const weightKey = (key) => note(`Weight ${stepBrush(key === "+" ? 5 : -5)} %`);
