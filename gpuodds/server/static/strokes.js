// Strokes over the grid, by mouse, finger, pen or key: they paint hands; a long press shows the combos of one.
import { painted, strokeWeight, touched } from "./brush.js";
import { NAMES } from "./cards.js";
import { openCombos } from "./combos.js";
import { $, button, targetOf } from "./dom.js";
import { ranksOf } from "./games.js";
import { CELL } from "./grid.js";
import { rangeOf, setWeights } from "./range.js";
import { beginDrag, cancelDrag, endDrag, game, on, setFocus, state } from "./state.js";

const PRESS = 500; // milliseconds until a finger that stays shows the combos
const SLIP = 10; // pixels that it may move meanwhile

/**
 * A stroke: its pointer, where that was last, the hands still to paint, and the weight, once the range is known.
 * @typedef {{ pointer: number, seat: number, game: string, x: number, y: number, hands: string[], weight: number | null, isOver: boolean }} Stroke
 */

/** @type {Stroke | null} */
let stroke = null;
/** The finger that may become a long press. @type {{ x: number, y: number, timer: ReturnType<typeof setTimeout> } | null} */
let press = null;
let isPressed = false; // whether the finger that is down has shown combos: it paints nothing
let pointer = ""; // the kind of pointer that went down last

/** Paints the hands of the stroke. While the range is being read they wait. */
function paint() {
  if (!stroke || (!stroke.isOver && !state.isDragging)) return; // or it was taken back
  const isSame = stroke.seat === state.focus && stroke.game === state.spot.game;
  const range = rangeOf(stroke.seat);
  if (range.weights && isSame && stroke.hands.length) {
    const combos = stroke.hands.flatMap(touched);
    const weight = (stroke.weight ??= strokeWeight(range.weights, touched(stroke.hands[0])));
    stroke.hands = [];
    const { weights } = range;
    if (combos.some((combo) => (weights[combo] || 0) !== weight)) setWeights(stroke.seat, painted(weights, combos, weight));
  }
  if (stroke?.isOver && (range.weights || range.error || !isSame)) stroke = null;
}

/**
 * Begins a stroke at a hand.
 * @param {string} name
 * @param {{ pointerId: number, clientX: number, clientY: number }} [at]
 */
function begin(name, at) {
  const place = { pointer: at?.pointerId ?? -1, x: at?.clientX ?? 0, y: at?.clientY ?? 0 };
  stroke = { ...place, seat: state.focus, game: state.spot.game, hands: [name], weight: null, isOver: !at };
  if (at) beginDrag();
  paint();
}

/** @param {number} id */
const gridOf = (id) => /** @type {HTMLElement} */ ($(`grid-${id}`));

/** The seat of a cell that can be painted: not those of the small grids. @param {Event} event */
function seatAt(event) {
  const cell = targetOf(event, CELL);
  const row = targetOf(event, ".seat");
  return cell && row && !row.hasAttribute("data-small") ? { cell, id: Number(row.dataset.id) } : null;
}

/**
 * Returns the hands on the straight line between two points, in its order; a fast pointer skips cells.
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 */
function handsBetween(from, to) {
  const box = gridOf(state.focus).getBoundingClientRect();
  const count = ranksOf(game()).length;
  const [width, height] = [box.width / count, box.height / count];
  const steps = Math.max(1, Math.ceil(4 * Math.max(Math.abs(to.x - from.x) / width, Math.abs(to.y - from.y) / height)));
  /** @type {Set<string>} */
  const found = new Set();
  for (let step = 0; step <= steps; step += 1) {
    const column = Math.floor((from.x + ((to.x - from.x) * step) / steps - box.left) / width);
    const row = Math.floor((from.y + ((to.y - from.y) * step) / steps - box.top) / height);
    if (column >= 0 && column < count && row >= 0 && row < count) found.add(NAMES[13 * row + column]);
  }
  return [...found];
}

/** @param {PointerEvent} event */
function move(event) {
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLIP) endPress();
  if (!stroke || stroke.isOver || event.pointerId !== stroke.pointer) return;
  const to = { x: event.clientX, y: event.clientY };
  stroke.hands.push(...handsBetween(stroke, to));
  Object.assign(stroke, to);
  paint();
}

/** Ends the stroke. @param {PointerEvent} event */
function end(event) {
  endPress();
  if (!stroke || stroke.isOver || event.pointerId !== stroke.pointer) return;
  if (!state.isDragging) stroke = null;
  else stroke.isOver = true;
  endDrag();
  paint();
}

/** Takes the stroke back. */
function cancel() {
  if (!stroke) return;
  if (!stroke.isOver) cancelDrag();
  stroke = null;
}

function endPress() {
  clearTimeout(press?.timer);
  press = null;
}

/** Shows the combos of a cell in place of a stroke. @param {HTMLElement} cell */
function showCombos(cell) {
  endPress();
  cancel();
  isPressed = pointer === "touch";
  openCombos(cell);
}

/** Whether fingers tap, and scroll the page, rather than draw strokes. */
const isTapping = () => button("drag-paint").getAttribute("aria-pressed") !== "true";

/** @param {PointerEvent} event */
function down(event) {
  pointer = event.pointerType;
  const at = seatAt(event);
  if (!event.isPrimary) {
    endPress();
    cancel(); // two fingers zoom
    return;
  }
  isPressed = false;
  if (!at || event.button !== 0) return;
  const { cell, id } = at;
  if (pointer === "touch") press = { x: event.clientX, y: event.clientY, timer: setTimeout(() => setFocus(id) ?? showCombos(cell), PRESS) };
  if (pointer === "touch" && isTapping()) return;
  event.preventDefault();
  cell.focus(); // a field that the user was typing in is taken first
  setFocus(id);
  begin(cell.dataset.name || "", event);
}

export function startStrokes() {
  window.addEventListener("pointerdown", down);
  window.addEventListener("pointermove", move);
  for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) window.addEventListener(kind, end);
  const seats = $("seats");
  seats.addEventListener("click", (event) => {
    const at = seatAt(event);
    if (!at || pointer !== "touch" || !isTapping() || isPressed) return;
    setFocus(at.id);
    begin(at.cell.dataset.name || "");
  });
  // The end of a long press is no click, which would take the focus back from the combos.
  seats.addEventListener("touchend", (event) => isPressed && targetOf(event, CELL) && event.preventDefault());
  // Some browsers tell of a long press, some do not: the timer or this comes first.
  seats.addEventListener("contextmenu", (event) => {
    const at = seatAt(event);
    if (!at) return;
    event.preventDefault();
    setFocus(at.id);
    if (!isPressed && (pointer === "touch" || !state.isDragging)) showCombos(at.cell);
  });
  seats.addEventListener("keydown", (event) => {
    const at = seatAt(event);
    if (!at || (event.key !== " " && event.key !== "Enter")) return;
    setFocus(at.id);
    if (event.key === " ") begin(at.cell.dataset.name || "");
    else openCombos(at.cell);
    event.preventDefault();
  });
  button("drag-paint").addEventListener("click", () => {
    const isOn = isTapping();
    button("drag-paint").setAttribute("aria-pressed", String(isOn));
    seats.dataset.drag = String(isOn);
  });
  on(["range"], paint);
}
