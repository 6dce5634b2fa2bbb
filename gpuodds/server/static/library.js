// Ranges to choose from: presets of the server, and the user's own, which the browser keeps.
import { $, button, field, h, note, rove, targetOf } from "./dom.js";
import { short } from "./format.js";
import { client, reason } from "./request.js";
import { on, seat, setText, state } from "./state.js";

const KEY = "gpuodds.ranges";
const MINE = "Saved ranges";

/** @typedef {{ name: string, text: string, percent?: number }} NamedRange */
/** @typedef {{ title: string, note: string, ranges: NamedRange[] }} RangeSet */

/** The server's sets by game. @type {Record<string, RangeSet[]>} */
const presets = {};

/**
 * Returns the saved ranges of each game, by name.
 * @returns {Record<string, Record<string, string>>}
 */
function readSaved() {
  try {
    return JSON.parse(localStorage.getItem(KEY) || "{}");
  } catch {
    return {};
  }
}

/** @returns {RangeSet} */
function savedSet() {
  const ranges = Object.entries(readSaved()[state.spot.game] || {}).map(([name, text]) => ({ name, text }));
  return { title: MINE, note: "Kept in this browser.", ranges };
}

/** @param {Record<string, Record<string, string>>} saved */
function writeSaved(saved) {
  try {
    localStorage.setItem(KEY, JSON.stringify(saved));
  } catch {
    note("The browser does not let the page save ranges.");
  }
  drawLibrary();
}

const sets = () => [...(presets[state.spot.game] || []), savedSet()];

/** @param {NamedRange} one */
const newEntry = (one) =>
  h(
    "button",
    { type: "button", "data-name": one.name, "data-text": one.text, title: one.text },
    h("span", {}, one.name),
    h("small", {}, one.percent === undefined ? short(one.text, 14) : `${one.percent.toFixed(0)} %`),
  );

export function drawLibrary() {
  const every = sets();
  const select = field("range-set");
  const wanted = select.value;
  select.replaceChildren(...every.map((set) => new Option(set.title)));
  select.value = every.some((set) => set.title === wanted) ? wanted : every[0].title;
  const set = every.find((one) => one.title === select.value) || every[0];
  const isMine = set.title === MINE;
  const empty = isMine && !set.ranges.length ? "Nothing saved yet: name the range of the player in focus, and save it." : set.note;
  $("range-set-note").textContent = empty;
  $("range-set-list").replaceChildren(...set.ranges.map(newEntry));
  const first = $("range-set-list").querySelector("button");
  for (const one of $("range-set-list").querySelectorAll("button")) one.tabIndex = one === first ? 0 : -1;
  button("forget-range").hidden = !isMine;
  button("forget-range").disabled = !set.ranges.some((one) => one.name === field("range-name").value.trim());
}

async function load() {
  const name = state.spot.game;
  if (presets[name]) return drawLibrary();
  presets[name] = [];
  drawLibrary();
  try {
    presets[name] = (await client.presets({ game: name })).sets;
  } catch (error) {
    delete presets[name]; // asked again with the next change of the game
    $("range-set-note").textContent = reason(error);
    return undefined;
  }
  field("range-set").value = presets[name][0]?.title || MINE;
  return drawLibrary();
}

function save() {
  const name = field("range-name").value.trim();
  const { text } = seat();
  if (!name || !text) return note(text ? "Give the range a name." : "The player in focus has no range.");
  const saved = readSaved();
  saved[state.spot.game] = { ...saved[state.spot.game], [name]: text };
  writeSaved(saved);
  field("range-set").value = MINE;
  drawLibrary();
  return note(`${name} saved.`);
}

function forget() {
  const saved = readSaved();
  const name = field("range-name").value.trim();
  delete (saved[state.spot.game] || {})[name];
  writeSaved(saved);
  note(`${name} deleted.`);
}

function exportSaved() {
  const file = new Blob([JSON.stringify({ "gpuodds-ranges": 1, ranges: readSaved() }, null, 1)], { type: "application/json" });
  const url = URL.createObjectURL(file);
  h("a", { href: url, download: "gpuodds-ranges.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** @param {File} file */
async function importSaved(file) {
  try {
    const { ranges } = JSON.parse(await file.text());
    const saved = readSaved();
    let count = 0;
    for (const [name, those] of Object.entries(/** @type {Record<string, Record<string, unknown>>} */ (ranges))) {
      for (const [own, text] of Object.entries(those)) {
        if (typeof text !== "string") throw new Error(`${own}: expected a range as text`);
        (saved[name] ||= {})[own] = text;
        count += 1;
      }
    }
    writeSaved(saved);
    field("range-set").value = MINE;
    drawLibrary();
    note(`${count} ranges imported.`);
  } catch (error) {
    note(`${file.name}: expected a file that the page exported (${error instanceof Error ? error.message : error})`);
  }
}

export function startLibrary() {
  field("range-set").addEventListener("change", drawLibrary);
  field("range-name").addEventListener("input", drawLibrary);
  rove($("range-set-list"), "button");
  $("range-set-list").addEventListener("click", (event) => {
    const entry = targetOf(event, "button");
    if (!entry) return;
    setText(state.focus, entry.dataset.text || "");
    field("range-name").value = entry.dataset.name || "";
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
  on(["spot", "games"], () => {
    if (shown === state.spot.game) return;
    shown = state.spot.game;
    load();
  });
}
