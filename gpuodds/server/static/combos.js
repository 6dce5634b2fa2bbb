// The single combos of a starting hand: a box over the grid, one button a combo.
import { painted, strokeWeight } from "./brush.js";
import { cardText } from "./card-text.js";
import { COMBOS, SUITS, SUIT_NAMES, sorted } from "./cards.js";
import { $, all, h, rove, targetOf } from "./dom.js";
import { range, setWeights } from "./range.js";
import { on } from "./state.js";

let name = "";
/** @type {HTMLElement | null} */
let opener = null;

/** @param {string} combo */
const words = (combo) => `${combo}, ${Math.round(100 * (range.weights?.[combo] || 0))} %`;

/** @param {string} combo */
function newButton(combo) {
  const [a, b] = [combo.slice(0, 2), combo.slice(2)];
  return h("button", { type: "button", "data-combo": combo }, cardText(a), cardText(b));
}

function draw() {
  for (const one of all("[data-combo]", $("combos"))) {
    const combo = one.dataset.combo || "";
    const weight = range.weights?.[combo] || 0;
    one.style.setProperty("--part", `${100 * weight}%`);
    one.setAttribute("aria-pressed", String(weight > 0));
    one.setAttribute("aria-label", words(combo));
  }
}

/** Suits of the first card down, of the second across; pairs and suited hands need no table. */
function rows() {
  const combos = COMBOS[name];
  if (combos.length < 12) return [h("div", { class: "combo-row" }, ...combos.map(newButton))];
  return SUITS.split("").map((first) =>
    h(
      "div",
      { class: "combo-row", title: `${name[0]} of ${SUIT_NAMES[first]}` },
      ...SUITS.split("").filter((second) => second !== first).map((second) => newButton(sorted(name[0] + first + name[1] + second))),
    ),
  );
}

/**
 * Opens the box of a cell of the grid.
 * @param {HTMLElement} cell
 */
export function openCombos(cell) {
  if (!range.weights) return;
  opener = cell;
  name = cell.dataset.name || "";
  const box = $("combos");
  box.setAttribute("aria-label", `Combos of ${name}`);
  $("combo-rows").replaceChildren(...rows());
  $("combos-title").textContent = name;
  draw();
  box.showPopover();
  const [at, size] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];
  box.style.left = `${Math.max(4, Math.min(at.left, innerWidth - size.width - 4))}px`;
  box.style.top = `${at.bottom + size.height + 4 > innerHeight ? Math.max(4, at.top - size.height - 4) : at.bottom + 4}px`;
  const first = all("[data-combo]", box)[0];
  first.tabIndex = 0;
  first.focus();
}

export function startCombos() {
  const box = $("combos");
  rove($("combo-rows"), "[data-combo]");
  box.addEventListener("click", (event) => {
    const combo = targetOf(event, "[data-combo]")?.dataset.combo;
    if (!combo || !range.weights) return;
    setWeights(painted(range.weights, [combo], strokeWeight(range.weights, [combo])));
  });
  // A press outside closes the box; the right click that opens it ends outside, so the browser cannot do it.
  window.addEventListener("pointerdown", (event) => {
    if (box.matches(":popover-open") && !(event.target instanceof Node && box.contains(event.target))) box.hidePopover();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    box.hidePopover();
    opener?.focus();
  });
  on(["range"], draw);
}
