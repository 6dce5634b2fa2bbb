// The spots of this visit that were answered: a list to go back to.
/** @import { Spot } from "./types.js" */
import { linkTo } from "./address.js";
import { isSettled } from "./details.js";
import { $, h, rove } from "./dom.js";
import { percent, short } from "./format.js";
import { closeBox } from "./menus.js";
import { edit, nameOfSeat, newSeat, on, state } from "./state.js";
import { PAGE } from "./storage.js";
import { answer } from "./stream.js";

const KEY = "gpuodds.spots";
const MOST = 60;
const PAUSE = 1500; // milliseconds that a spot stays before it is listed

/** @typedef {{ link: string, spot: Spot, title: string, figures: string }} Visited */

/** @returns {Visited[]} the last one first */
function visited() {
  try {
    const { version, spots } = JSON.parse(sessionStorage.getItem(KEY) || "{}");
    return version === PAGE ? spots : [];
  } catch {
    return [];
  }
}

/** Lists the spot that is shown. */
function note() {
  if (!isSettled() || !answer.request) return;
  const { spot } = state;
  const players = answer.found.players.map((/** @type {any} */ player, /** @type {number} */ at) => ({
    name: answer.request?.seats[at].name || short(player.hand, 18) || nameOfSeat(answer.ids[at]),
    equity: player.equity,
  }));
  if (spot.opponents) players.push({ name: `${spot.opponents} random`, equity: answer.found.random_equity });
  const title = players.map((/** @type {any} */ { name }) => name).join(" v ");
  const figures = players.map((/** @type {any} */ { equity }) => percent(equity)).join(" · ");
  const one = { link: linkTo(spot), spot, title: `${title}${answer.found.board ? ` on ${answer.found.board}` : ""}`, figures };
  const others = visited().filter(({ link }) => link !== one.link);
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ version: PAGE, spots: [one, ...others].slice(0, MOST) }));
  } catch {
    // Without room for it, the list stays as it is.
  }
}

/** Goes back to a spot: one step to undo. @param {Spot} spot */
function reopen(spot) {
  closeBox("visit");
  edit({ ...spot, seats: spot.seats.map((one) => newSeat(one.text, one.name, one.isFolded, one.filters)) });
}

function draw() {
  const rows = visited().map(({ spot, title, figures }) =>
    h("button", { type: "button", class: "visited", onclick: () => reopen(spot) }, h("span", {}, short(title, 60)), h("small", { class: "soft" }, figures)),
  );
  $("visit").replaceChildren(...(rows.length ? rows : [h("p", { class: "soft" }, "Spots that have been answered are listed here.")]));
  if (rows[0]) rows[0].tabIndex = 0;
}

export function startHistory() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  on(["answer"], () => {
    clearTimeout(timer);
    if (isSettled()) timer = setTimeout(note, PAUSE);
  });
  rove($("visit"), "button");
  $("visit").addEventListener("toggle", draw);
}
