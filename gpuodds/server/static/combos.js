// The single combos of a starting hand: a box over the grid, one button a combo.
import { painted, strokeWeight } from "./brush.js";
import { knownCards } from "./known.js";
import { cardText } from "./card-text.js";
import { COMBOS, SUITS, SUIT_NAMES, SYMBOLS, sorted } from "./cards.js";
import { $, all, h, rove, stopAt, targetOf } from "./dom.js";
import { rangeOf, setWeights } from "./range.js";
import { on, state } from "./state.js";

const COMBO = "[data-combo]";
const MARGIN = 4; // pixels between the box and the cell, and the edge of the window

/**
 * The cell that opened the box, and the spot it was opened in.
 * @type {{ cell: HTMLElement, at: DOMRect, seat: number, game: string } | null}
 */
let opened = null;

/** @param {string} combo */
function newButton(combo) {
  const [a, b] = [combo.slice(0, 2), combo.slice(2)];
  return h("button", { type: "button", "data-combo": combo }, cardText(a), cardText(b), h("small"));
}

function draw() {
  if (!opened) return;
  const known = knownCards(opened.seat);
  for (const one of all(COMBO, $("combos"))) {
    const combo = one.dataset.combo || "";
    const isGone = known.includes(combo.slice(0, 2)) || known.includes(combo.slice(2));
    const weight = +(100 * (rangeOf(opened.seat).weights?.[combo] || 0)).toFixed(1);
    one.style.setProperty("--part", `${weight}%`);
    one.dataset.gone = String(isGone);
    one.setAttribute("aria-pressed", String(weight > 0));
    one.setAttribute("aria-label", `${combo}, ${weight} %${isGone ? ", excluded by a known card" : ""}`);
    /** @type {HTMLElement} */ (one.lastElementChild).textContent = String(weight);
  }
}

/** @param {string} suit @param {string} rank */
const newHead = (suit, rank) => h("b", { class: suit, title: `${rank} of ${SUIT_NAMES[suit]}`, "aria-hidden": "true" }, SYMBOLS[suit]);

/**
 * Returns the combos; offsuit ones as a table, the suit of the first card down, of the second across.
 * @param {string} name
 */
function cells(name) {
  const combos = COMBOS[name];
  if (combos.length < 12) return combos.map(newButton);
  const suits = SUITS.split("");
  const rows = suits.map((first) => [
    newHead(first, name[0]),
    ...suits.map((second) => (first === second ? h("span") : newButton(sorted(name[0] + first + name[1] + second)))),
  ]);
  return [h("span"), ...suits.map((suit) => newHead(suit, name[1])), ...rows.flat()];
}

/** Closes the box; the focus goes back to its cell if it would be lost. */
function close() {
  if (!opened) return;
  const { cell } = opened;
  opened = null; // what follows from hiding the box is no second closing
  if ($("combos").contains(document.activeElement)) cell.focus({ preventScroll: true });
  $("combos").hidePopover();
}

/**
 * Opens the box of a cell of the grid.
 * @param {HTMLElement} cell
 */
export function openCombos(cell) {
  if (!rangeOf().weights) return;
  close();
  const [box, name] = [$("combos"), cell.dataset.name || ""];
  box.setAttribute("aria-label", `Combos of ${name}`);
  $("combo-rows").dataset.combos = String(COMBOS[name].length);
  $("combo-rows").replaceChildren(...cells(name));
  $("combos-title").textContent = name;
  opened = { cell, at: cell.getBoundingClientRect(), seat: state.focus, game: state.spot.game };
  draw();
  box.showPopover();
  const [{ at }, size] = [opened, box.getBoundingClientRect()];
  const [below, above] = [at.bottom + MARGIN, at.top - size.height - MARGIN];
  const top = below + size.height + MARGIN <= innerHeight ? below : above;
  // Where it has no room above either, it stands beside the cell.
  const right = at.right + MARGIN;
  const beside = right + size.width + MARGIN <= innerWidth ? right : at.left - size.width - MARGIN;
  const left = top >= MARGIN ? at.left : beside;
  box.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - size.width - MARGIN))}px`;
  box.style.top = `${Math.max(MARGIN, Math.min(top, innerHeight - size.height - MARGIN))}px`;
  const first = all(COMBO, box)[0];
  stopAt($("combo-rows"), COMBO, first);
  first.focus({ preventScroll: true });
}

export function startCombos() {
  const box = $("combos");
  rove($("combo-rows"), COMBO);
  box.addEventListener("click", (event) => {
    const combo = targetOf(event, COMBO)?.dataset.combo;
    const { weights } = rangeOf();
    if (combo && weights) setWeights(state.focus, painted(weights, [combo], strokeWeight(weights, [combo])));
  });
  // A press outside closes the box, and paints nothing; the right click that opens it ends outside, so the browser cannot do it.
  let isClosing = false;
  const onPress = (/** @type {PointerEvent} */ event) => {
    isClosing = false;
    if (!opened || (event.target instanceof Node && box.contains(event.target))) return;
    isClosing = event.button === 0 && targetOf(event, ".grid") !== null;
    close();
    if (!isClosing) return;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("pointerdown", onPress, { capture: true });
  $("seats").addEventListener("click", (event) => isClosing && event.stopPropagation(), { capture: true });
  $("close-combos").addEventListener("click", close);
  // The focus leaves it, but not with the window.
  box.addEventListener("focusout", (event) => {
    if (document.hasFocus() && !(event.relatedTarget instanceof Node && box.contains(event.relatedTarget))) close();
  });
  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  window.addEventListener("resize", close);
  // What scrolls the cell away closes the box; an answer that grows above it, and is scrolled back, does not.
  const onScroll = () => {
    if (!opened) return;
    const now = opened.cell.getBoundingClientRect();
    if (Math.hypot(now.left - opened.at.left, now.top - opened.at.top) > MARGIN) close();
  };
  window.addEventListener("scroll", onScroll, { capture: true, passive: true });
  on(["range"], draw);
  on(["spot", "focus"], () => {
    if (opened && (opened.seat !== state.focus || opened.game !== state.spot.game)) close();
    else draw();
  });
}
