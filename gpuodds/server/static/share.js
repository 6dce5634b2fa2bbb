// Copies of the spot and its answer: a link, text, JSON, the command.
import { linkTo } from "./address.js";
import { button, copyText } from "./dom.js";
import { percent } from "./format.js";
import { HOLDEM, sharesOf } from "./games.js";
import { savePicture } from "./picture.js";
import { currentRequest, missing } from "./request.js";
import { nameOfSeat, on, state } from "./state.js";
import { answer } from "./stream.js";

/** @param {string} text */
const quoted = (text) => (/^[\w+%,:.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function asCommand() {
  const { hands, options } = currentRequest();
  const parts = ["gpuodds equity", ...hands.map(quoted)];
  if (options.opponents) parts.push(`--opponents ${options.opponents}`);
  if (options.board) parts.push(`--board ${quoted(options.board)}`);
  if (options.dead) parts.push(`--dead ${quoted(options.dead)}`);
  for (const range of options.folded || []) parts.push(`--folded ${quoted(range)}`);
  if (options.game !== HOLDEM.name) parts.push(`--game ${options.game}`);
  return parts.join(" ");
}

function asText() {
  const { found, ids } = answer;
  const where = `${found.board ? ` on ${found.board}` : ""}${found.dead ? `, dead ${found.dead}` : ""}`;
  const { title, name } = state.games[found.game];
  const lines = found.players.map((/** @type {any} */ player, /** @type {number} */ at) => {
    const shares = sharesOf(player, found, state.games[found.game]);
    const figures = [["equity", player.equity], ...shares].map(([of, share]) => `${of} ${percent(share, 4)}`);
    return `${nameOfSeat(ids[at]).replace(/^Player /, "")} ${player.hand}: ${figures.join(", ")}`;
  });
  if (name !== HOLDEM.name) lines.unshift(title);
  if (found.opponents) lines.push(`each of ${found.opponents} random: ${percent(found.random_equity, 4)}`);
  const outcomes = found.outcomes === null ? "by symmetry" : `${found.outcomes} outcomes`;
  return `${lines.join("\n")}\n${found.exact ? "exact" : "estimate"}${where}, ${outcomes}`;
}

export function startShare() {
  button("copy-link").addEventListener("click", () => copyText(linkTo(state.spot), "Link"));
  button("copy-text").addEventListener("click", () => copyText(asText(), "Text"));
  button("copy-json").addEventListener("click", () => copyText(JSON.stringify(answer.found), "JSON"));
  button("save-picture").addEventListener("click", savePicture);
  button("copy-command").addEventListener("click", () => copyText(asCommand(), "Command"));
  // The command reads a single hand as one against a random hand, which is another spot.
  on(["spot", "answer"], () => (button("copy-command").disabled = Boolean(missing(currentRequest()))));
}
