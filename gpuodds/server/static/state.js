// The state of the page: the spot, its history, the seat in focus, and who listens to changes of them.
/** @import { Game, Seat, Spot } from "./types.js" */
import { isKnown } from "./cards.js";
import { facts } from "./facts.js";
import { HOLDEM, opponentsOf, seatsOf } from "./games.js";

const LETTERS = "ABCDEFGHIJ";
const MAX_PAST = 200;
const MAX_KEPT = 50; // spots before and after this one that outlive a reload

let lastId = 0;

/**
 * Returns a new seat.
 * @param {string} [text]
 * @param {string} [name]
 * @param {boolean} [isFolded]
 * @param {Record<string, string[]>} [filters]
 * @returns {Seat}
 */
export const newSeat = (text = "", name = "", isFolded = false, filters = {}) => ({ id: (lastId += 1), text, name, isFolded, filters });

/**
 * Returns a spot of two empty seats.
 * @param {string} [game]
 * @returns {Spot}
 */
const emptySpot = (game = HOLDEM.name) => ({ seats: [newSeat(), newSeat()], opponents: 0, board: "", dead: "", game });

const first = emptySpot();

export const state = {
  /** The games by each of their names. @type {Record<string, Game>} */
  games: { [HOLDEM.name]: HOLDEM, ...Object.fromEntries(facts.games.flatMap((one) => [one.name, ...one.other_names].map((name) => [name, one]))) },
  spot: first,
  /** The id of the seat that the range editor, the card picker and the views are of. */
  focus: first.seats[0].id,
  /** Why the spot differs from the link's. */
  linkFault: "",
  /** What the grids show. @type {"range" | "equity" | "hits"} */
  mode: "equity",
  /** Whether a stroke or a slider is being dragged. */
  isDragging: false,
  /** The place of the last edit: "board", "dead", or the id of a seat; an error of several places is shown there. */
  /** @type {"" | "board" | "dead" | number} */
  edited: "",
};

/** @type {Spot[]} */
let past = [];
/** @type {Spot[]} */
let future = [];
/** The spot before the drag. @type {Spot | null} */
let before = null;

/** @typedef {"spot" | "focus" | "range" | "answer" | "history" | "details" | "mode" | "hover"} Change */
/** @type {Record<string, (() => void)[]>} */
const listeners = {};

/**
 * Calls a function after each change of the kinds.
 * @param {Change[]} kinds
 * @param {() => void} listener
 */
export function on(kinds, listener) {
  for (const kind of kinds) (listeners[kind] ||= []).push(listener);
}

/** @param {Change} kind */
export const emit = (kind) => (listeners[kind] || []).forEach((listener) => listener());

export const game = () => state.games[state.spot.game];
/**
 * Returns the game with a name, or undefined. The name comes from links and files, and may be any text.
 * @param {string} name
 * @returns {Game | undefined}
 */
export const gameNamed = (name) => (Object.hasOwn(state.games, name) ? state.games[name] : undefined);
/** Returns the place of the seat in focus, from 0. */
const place = () => state.spot.seats.findIndex((seat) => seat.id === state.focus);
/** Returns the seat in focus. */
export const seat = () => state.spot.seats[place()];
/** @param {number} id */
export const seatOf = (id) => state.spot.seats.find((one) => one.id === id);
/** @param {number} id */
export const letterOf = (id) => LETTERS[state.spot.seats.findIndex((one) => one.id === id)];
/** Returns what a player is called. @param {number} id */
export const nameOfSeat = (id) => seatOf(id)?.name || `Player ${letterOf(id)}`;
/** Returns what a column of a player is called: the first word of the name, or the letter. @param {number} id */
export function shortNameOf(id) {
  const first = (/** @type {Seat} */ one) => one.name.split(" ")[0].slice(0, 9);
  const own = seatOf(id);
  const isAlone = own && state.spot.seats.filter((one) => first(one) === first(own)).length === 1;
  return own && first(own) && isAlone ? first(own) : letterOf(id);
}
/** @param {string} text */
export const isHand = (text) => isKnown(text, game().hole_cards);

/** @param {Spot} spot */
const written = (spot) => JSON.stringify(spot);

/**
 * Changes parts of the spot: one step to undo. While a drag goes on, the whole drag is one step.
 * @param {Partial<Spot>} part
 */
export function edit(part) {
  const next = { ...state.spot, ...part };
  if (written(next) !== written(state.spot)) {
    if (!state.isDragging) remember(state.spot);
    state.linkFault = "";
    put(next);
  } else {
    emit("spot"); // a field may hold a value that was refused
  }
}

/**
 * @param {Spot} spot
 */
function remember(spot) {
  past.push(spot);
  if (past.length > MAX_PAST) past.shift();
  future = [];
  emit("history");
}

/** @param {Spot} next */
function put(next) {
  const [at, { focus }] = [Math.max(0, place()), state];
  state.spot = next;
  if (place() < 0) state.focus = next.seats[Math.min(at, next.seats.length - 1)].id;
  emit("spot");
  if (state.focus !== focus) emit("focus");
}

/** Begins a drag: the changes until its end are one step to undo. */
export function beginDrag() {
  if (state.isDragging) return;
  state.isDragging = true;
  before = state.spot;
}

/** Ends a drag, and takes it back. */
export function cancelDrag() {
  if (!state.isDragging || !before) return;
  const spot = before;
  state.isDragging = false;
  before = null;
  put(spot);
}

/** Ends a drag. */
export function endDrag() {
  if (!state.isDragging) return;
  state.isDragging = false;
  const changed = before !== null && written(before) !== written(state.spot);
  if (changed && before) remember(before);
  before = null;
  if (changed) emit("spot");
}

/**
 * Changes a seat.
 * @param {number} id
 * @param {Partial<Seat>} part
 */
export function editSeat(id, part) {
  state.edited = id;
  edit({ seats: state.spot.seats.map((one) => (one.id === id ? { ...one, ...part } : one)) });
}

/**
 * Gives a seat another text. Without a text it has no name either.
 * @param {number} id
 * @param {string} text
 */
export const setText = (id, text) => editSeat(id, text ? { text } : { text, name: "", isFolded: false, filters: {} });

/**
 * @param {"board" | "dead"} name
 * @param {string} text
 */
export function setCards(name, text) {
  state.edited = name;
  edit({ [name]: text });
}

/** @param {number} id */
export function setFocus(id) {
  if (state.focus === id) return;
  state.focus = id;
  emit("focus");
}

/** Adds an empty seat, or one with a text and a name, and moves the focus to it. Returns whether there is room. */
export function addSeat(text = "", name = "") {
  if (state.spot.seats.length >= seatsOf(game())) return false;
  const added = newSeat(text, name);
  state.focus = added.id;
  edit({ seats: [...state.spot.seats, added] });
  emit("focus");
  return true;
}

/** @param {number} id */
export function removeSeat(id) {
  if (state.spot.seats.length > 1) edit({ seats: state.spot.seats.filter((one) => one.id !== id) });
}

/** @param {Seat} one */
const emptied = (one) => ({ ...one, text: "", name: "", isFolded: false, filters: {} });

/**
 * Changes the game. Hands stay if the other game has as many hole cards.
 * @param {string} name
 */
export function setGame(name) {
  const [next, now] = [state.games[name], game()];
  const seats =
    next.hole_cards === now.hole_cards
      ? state.spot.seats.slice(0, seatsOf(next))
      : state.spot.seats.slice(0, 2).map(emptied);
  edit({ game: next.name, seats, opponents: Math.min(state.spot.opponents, opponentsOf(next)) });
}

/** Empties the spot, in the same game. */
export function clearSpot() {
  const seats = state.spot.seats.slice(0, 2).map(emptied);
  while (seats.length < 2) seats.push(newSeat());
  edit({ ...emptySpot(state.spot.game), seats });
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

export function undo() {
  step(past, future);
}

export function redo() {
  step(future, past);
}

/**
 * @param {Spot[]} from
 * @param {Spot[]} to
 */
function step(from, to) {
  if (state.isDragging) return cancelDrag();
  const next = from.pop();
  if (!next) return undefined;
  to.push(state.spot);
  state.edited = "";
  state.linkFault = "";
  put(next);
  return emit("history");
}

/**
 * Replaces the spot by a link's, without a step to undo.
 * @param {Spot} spot
 * @param {string} fault why it differs from the link's
 */
export function open(spot, fault) {
  state.linkFault = fault;
  state.focus = spot.seats[0].id;
  put(spot);
  emit("focus");
}

/** Returns the spots before and after this one, and the place of the seat in focus: what a reload would lose. */
export const visit = () => ({ past: past.slice(-MAX_KEPT), future: future.slice(-MAX_KEPT), spot: state.spot, place: place(), lastId });

/**
 * Takes up a visit where it was left.
 * @param {ReturnType<typeof visit>} kept
 */
export function resume(kept) {
  [past, future, lastId] = [kept.past, kept.future, Math.max(lastId, kept.lastId)];
  state.focus = (kept.spot.seats[kept.place] || kept.spot.seats[0]).id;
  put(kept.spot);
  emit("focus");
  emit("history");
}
