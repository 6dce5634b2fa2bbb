// Ranges to choose from: presets of the server, and the user's own, which the browser keeps.
import { $, all, button, field, h, note, rove, targetOf } from "./dom.js";
import { short } from "./format.js";
import { client, isGone, passing, reason, retryAfter } from "./client.js";
import { editSeat, gameNamed, on, seat, state } from "./state.js";
import { store, stored } from "./storage.js";

const KEY = "ranges"; // in the browser's storage
const STORED = `gpuodds.${KEY}`;
const MARK = "gpuodds-ranges"; // of an exported file, with the version 1
const MINE = "Saved ranges";
const MAX_BYTES = 1e6; // of a file to import
const MAX_NAME = 40; // as the field has it

/** @typedef {{ name: string, text: string, percent?: number }} NamedRange */
/** @typedef {{ title: string, note: string, ranges: NamedRange[] }} RangeSet */
/**
 * Ranges by game and name: maps, since names may be any text.
 * @typedef {Map<string, Map<string, string>>} Saved
 */

/** The server's sets by game. @type {Record<string, RangeSet[]>} */
const presets = {};
/** Why they cannot be shown. */
let fault = "";
/** The title of the set that the user chose; without a choice the first one is shown. */
let chosen = "";
/** The name that a click more replaces; "" if none is asked about. */
let doubted = "";

/**
 * Returns the entries of a JSON object; null for anything else.
 * @param {unknown} value
 */
const entriesOf = (value) => (typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : null);

/**
 * Returns the ranges in JSON that may be anything, and the number of its entries that are not ranges.
 * @param {unknown} value
 */
function rangesIn(value) {
  /** @type {Saved} */
  const ranges = new Map();
  let faults = 0;
  for (const [game, those] of entriesOf(value) || []) {
    const own = entriesOf(those);
    if (!own) faults += 1;
    for (const [name, text] of own || []) {
      if (typeof text === "string" && text && name.trim() && name.length <= MAX_NAME) {
        ranges.set(game, (ranges.get(game) || new Map()).set(name.trim(), text));
      } else faults += 1;
    }
  }
  return { ranges, faults };
}

/** @param {Saved} saved */
const toJson = (saved) => Object.fromEntries([...saved].map(([game, those]) => [game, Object.fromEntries(those)]));

function readSaved() {
  try {
    return rangesIn(JSON.parse(stored(KEY) || "{}")).ranges;
  } catch {
    return rangesIn({}).ranges;
  }
}

/**
 * Returns the saved ranges of the game.
 * @param {Saved} saved
 * @param {string} [game]
 * @returns {Map<string, string>}
 */
function ofGame(saved, game = state.spot.game) {
  const found = saved.get(game) || new Map();
  saved.set(game, found);
  return found;
}

/**
 * Keeps the ranges in the browser, and says how that went.
 * @param {Saved} saved
 * @param {string} done
 */
function writeSaved(saved, done) {
  const isKept = store(KEY, JSON.stringify(toJson(saved)));
  note(isKept ? done : "Nothing was changed: the browser's storage is full, or closed to the page.");
  return isKept;
}

/** @returns {RangeSet} */
function savedSet() {
  const ranges = [...ofGame(readSaved())].map(([name, text]) => ({ name, text }));
  return { title: MINE, note: ranges.length ? "Kept in this browser." : "Nothing saved yet: name the range of the player in focus, and save it.", ranges };
}

/** @param {NamedRange} one */
function newEntry(one) {
  const percent = one.percent === undefined ? short(one.text, 14) : `${one.percent.toFixed(0)} %`;
  const isNamed = one.percent !== undefined && /\d ?%/.test(one.name); // "Top 10 %" says it itself
  const parts = [h("span", {}, one.name), isNamed ? null : h("small", {}, percent)];
  return h("button", { type: "button", "data-name": one.name, "data-text": one.text, title: one.text }, ...parts);
}

const entries = () => all("button", $("range-set-list"));

/** Whether the menu is open: a closed one is drawn when it opens. */
const isShown = () => $("seat-menu").matches(":popover-open");

export function drawLibrary() {
  if (!isShown()) return;
  load();
  drawSets();
  field("range-name").value = seat().name;
  drawForget();
}

function drawSets() {
  const every = [...(presets[state.spot.game] || []), savedSet()];
  const set = every.find((one) => one.title === chosen) || every[0];
  const select = field("range-set");
  select.replaceChildren(...every.map((one) => new Option(one.title)));
  select.value = set.title;
  $("range-set-note").textContent = fault || set.note;
  $("range-set-list").replaceChildren(...set.ranges.map(newEntry));
  entries().forEach((one, at) => (one.tabIndex = at ? -1 : 0));
}

/** Returns the name of the saved range to delete, which is the one in the field; "" if it is not saved. */
function doomed() {
  const name = field("range-name").value.trim();
  return ofGame(readSaved()).has(name) ? name : "";
}

function drawForget() {
  const name = doomed();
  button("forget-range").hidden = !name;
  button("forget-range").title = name && `Delete ${name}`;
  if (doubted !== name) doubted = "";
  button("save-range").textContent = doubted ? "Replace it" : "Save";
}

/** @param {string} title */
function choose(title) {
  chosen = title;
  drawSets();
  drawForget();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let asked = ""; // the game whose presets are on their way

/**
 * Shows the ranges of the game; asks the server for its presets, again if that cannot answer now.
 * @param {number} [tries] how often it was asked in vain before
 */
async function load(tries = 0) {
  const name = state.spot.game;
  clearTimeout(timer);
  if (!tries) fault = "";
  if (presets[name] || (asked === name && !tries)) return;
  asked = name;
  try {
    presets[name] = (await client.presets({ game: name })).sets;
    if (name !== state.spot.game) return;
    fault = "";
    drawSets();
  } catch (error) {
    asked = "";
    if (name !== state.spot.game) return;
    fault = reason(error);
    $("range-set-note").textContent = fault;
    if (isGone(error) || passing(error)) timer = setTimeout(load, 1000 * retryAfter(error, tries), tries + 1);
  }
}

/** Saves the range of the seat in focus under the name in the field, which becomes the seat's. */
function save() {
  const name = field("range-name").value.trim();
  const { id, text } = seat();
  if (!name || !text) return note(text ? "Give the range a name." : "The player in focus has no range.");
  const saved = readSaved();
  const before = ofGame(saved).get(name);
  if (before !== undefined && before !== text && doubted !== name) {
    doubted = name;
    drawForget();
    return note(`${name} is saved already, as ${short(before, 40)}: save again to replace it.`);
  }
  doubted = "";
  ofGame(saved).set(name, text);
  if (!writeSaved(saved, `${name} saved.`)) return undefined;
  editSeat(id, { name });
  return choose(MINE);
}

function forget() {
  const saved = readSaved();
  const name = doomed();
  const at = [...ofGame(saved).keys()].indexOf(name);
  ofGame(saved).delete(name);
  if (!writeSaved(saved, `${name} deleted.`)) return;
  drawSets();
  drawForget();
  (entries()[at] || field("range-name")).focus();
}

function exportSaved() {
  const file = new Blob([JSON.stringify({ [MARK]: 1, ranges: toJson(readSaved()) }, null, 1)], { type: "application/json" });
  const url = URL.createObjectURL(file);
  h("a", { href: url, download: "gpuodds-ranges.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/**
 * Returns the JSON object of a file that the page exported; null for any other file.
 * @param {File} file
 */
async function exported(file) {
  try {
    const found = file.size <= MAX_BYTES ? JSON.parse(await file.text()) : null;
    return found?.[MARK] === 1 && entriesOf(found.ranges) ? found : null;
  } catch {
    return null;
  }
}

/** @param {File} file */
async function importSaved(file) {
  const found = await exported(file);
  if (!found) return note(`${short(file.name, 30)}: expected a file that the page exported, of up to 1 MB.`);
  const { ranges, faults } = rangesIn(found.ranges);
  const saved = readSaved();
  let [count, left] = [0, faults];
  for (const [name, those] of ranges) {
    const game = gameNamed(name);
    if (!game) {
      left += those.size;
      continue;
    }
    for (const [own, text] of those) ofGame(saved, game.name).set(own, text);
    count += those.size;
  }
  const rest = left ? ` ${left} left out: not of a game listed, or not a range with a name.` : "";
  return writeSaved(saved, `${count} ${count === 1 ? "range" : "ranges"} imported.${rest}`) ? choose(MINE) : undefined;
}

export function startLibrary() {
  field("range-set").addEventListener("change", () => choose(field("range-set").value));
  field("range-name").addEventListener("input", drawForget);
  field("range-name").addEventListener("change", () => seat().text && editSeat(state.focus, { name: field("range-name").value.trim() }));
  rove($("range-set-list"), "button");
  $("range-set-list").addEventListener("click", (event) => {
    const entry = targetOf(event, "button");
    if (entry) editSeat(state.focus, { text: entry.dataset.text || "", name: entry.dataset.name || "" });
  });
  $("save-form").addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  button("forget-range").addEventListener("click", forget);
  button("export-ranges").addEventListener("click", exportSaved);
  button("import-ranges").addEventListener("click", () => field("import-file").click());
  field("import-file").addEventListener("change", () => {
    const file = field("import-file").files?.[0];
    if (file) importSaved(file);
    field("import-file").value = "";
  });
  let shown = "";
  on(["spot", "focus"], () => {
    if (!isShown()) return;
    if (shown !== state.spot.game) drawLibrary();
    shown = state.spot.game;
    if (document.activeElement !== field("range-name")) field("range-name").value = seat().name;
    drawForget();
  });
  // Another tab saved a range.
  window.addEventListener("storage", (event) => event.key === STORED && isShown() && drawSets());
}
