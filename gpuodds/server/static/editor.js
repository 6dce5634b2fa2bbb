// The range of the seat in focus, around its grid: text, share of all hands, weight and suits to paint, copies.
import { faultId } from "./answer.js";
import { setBrush, stepBrush } from "./brush.js";
import { cardsIn, SUITS, SUIT_NAMES, SYMBOLS } from "./cards.js";
import { newTable } from "./charts.js";
import { knownCards } from "./board.js";
import { $, button, copyText, field, h, note, release, rove, targetOf, write } from "./dom.js";
import { combos, percent, whole } from "./format.js";
import { hasGrid, placeholderOf, ranksOf } from "./games.js";
import { range, setWeights } from "./range.js";
import { inverted, total } from "./ranges.js";
import { client, isPartOfHand, reason } from "./request.js";
import { beginDrag, cancelDrag, endDrag, game, isHand, letterOf, on, seat, setText, state } from "./state.js";
import { answer } from "./stream.js";

const FEW = 12; // hands that a narrow page lists at first, as style.css has it

/** @param {number} of @param {number} count */
const choose = (of, count) => Array.from({ length: count }, (_, at) => (of - at) / (at + 1)).reduce((product, part) => product * part, 1);

/** Returns the range's share of all hands, 0 to 1; null until it is known. */
function share() {
  if (range.weights) return total(range.weights) / choose(game().deck_size, 2);
  return range.found ? range.found.percent / 100 : null;
}

/** Returns the error of the range, unless it is shown at the seat: once is enough. */
function fault() {
  if (faultId() === "range-text") return answer.error.text;
  return answer.error.where === state.focus ? "" : range.error;
}

/** Returns the combos of the range, and those that board, dead cards and other hands leave. */
function size() {
  if (range.error) return "";
  if (isPartOfHand(seat().text)) return "one more card";
  if (isHand(seat().text)) return "one hand";
  const part = share();
  if (part === null) return seat().text ? "reading …" : "";
  if (!range.weights) return !range.found ? "" : `${whole(range.found.combos)} combos, ${percent(part, 1)}`;
  const [all, left] = [total(range.weights), total(range.weights, knownCards(state.focus))];
  const rest = left === all ? "" : `, ${combos(left)} with the known cards`;
  return all ? `${combos(all)} ${all === 1 ? "combo" : "combos"}, ${percent(part, 1)}${rest}` : "";
}

function drawSlider() {
  const top = /^(\d+(?:\.\d+)?)%$/.exec(seat().text);
  const value = top ? Number(top[1]) : 100 * (share() || 0);
  if (!state.isDragging) field("percent").value = String(value);
  const words = top ? `${top[1]} %` : percent(value / 100, 1);
  $("percent-shown").textContent = words;
  field("percent").setAttribute("aria-valuetext", words);
}

function drawEditor() {
  $("range-part").dataset.letter = letterOf(state.focus);
  $("range-whose").textContent = letterOf(state.focus);
  write(field("range-text"), seat().text);
  field("range-text").placeholder = placeholderOf(game());
  const wrong = fault();
  $("range-size").textContent = wrong || size();
  $("range-size").title = wrong;
  $("range-size").dataset.error = String(wrong !== "");
  field("range-text").setAttribute("aria-invalid", String(wrong !== ""));
  drawSlider();
  for (const id of ["copy-pio", "copy-gto", "invert"]) button(id).disabled = !range.weights || !seat().text;
  const rows = range.found?.classes;
  $("classes").hidden = hasGrid(game());
  $("classes").replaceChildren(...(rows && !hasGrid(game()) ? [newClasses(rows)] : []));
  drawAllClasses();
}

/**
 * Returns a range of Omaha as a list of its classes.
 * @param {{ ranks: string, suits: string, combos: number, weight: number }[]} rows
 */
function newClasses(rows) {
  const cells = rows.map((row) => [`${row.ranks} ${row.suits}`, whole(row.combos), percent(row.weight / row.combos, 0)]);
  return newTable(["Hands", "Combos", "Weight"], cells);
}

function drawAllClasses() {
  const isAll = $("classes").dataset.all === "true";
  button("all-classes").textContent = isAll ? "Show fewer" : "Show all";
  button("all-classes").hidden = $("classes").hidden || (range.found?.classes?.length ?? 0) <= FEW;
}

/** @param {"pio" | "gto+"} dialect */
async function copyAs(dialect) {
  try {
    const text = isHand(seat().text) ? cardsIn(seat().text).join("") : seat().text;
    const found = range.found || (await client.range(text, { game: state.spot.game }));
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
  rove($("suit-picks"), "button");
  rove($("weights"), "button");
  rove($("range-tools"), "button");
  $("weights").addEventListener("click", (event) => setBrush(targetOf(event, "button")?.dataset.weight || ""));
  field("weight").addEventListener("change", () => setBrush(field("weight").value));
  setBrush("100");
  field("range-text").addEventListener("change", () => {
    release(field("range-text"));
    setText(state.focus, field("range-text").value.trim(), true);
  });
  const slide = () => setText(state.focus, Number(field("percent").value) ? `${field("percent").value}%` : "");
  field("percent").addEventListener("input", () => {
    beginDrag();
    slide();
  });
  // A thumb that is dragged back to where it was ends without a change.
  for (const kind of ["change", "pointerup", "keyup", "blur"]) field("percent").addEventListener(kind, endDrag);
  field("percent").addEventListener("pointercancel", cancelDrag); // the finger scrolls the page
  button("all-classes").addEventListener("click", () => {
    $("classes").dataset.all = String($("classes").dataset.all !== "true");
    drawAllClasses();
  });
  button("invert").addEventListener("click", () => range.weights && setWeights(inverted(range.weights, ranksOf(game()))));
  button("copy-pio").addEventListener("click", () => copyAs("pio"));
  button("copy-gto").addEventListener("click", () => copyAs("gto+"));
  on(["spot", "focus", "range", "games", "answer"], drawEditor);
}

/**
 * Changes the weight to paint with, by keys.
 * @param {string} key
 */
export const weightKey = (key) => note(`Weight ${stepBrush(key === "+" ? 5 : -5)} %`);
