// The start of the page: its parts listen to the state, which the address fills.
import { followSpot } from "./address.js";
import { startAnswer } from "./answer.js";
import { startBoard } from "./board.js";
import { startCombos } from "./combos.js";
import { followDetails } from "./details.js";
import { $, button, field, rove } from "./dom.js";
import { startEditor } from "./editor.js";
import { startGrids } from "./grid.js";
import { startHistory } from "./history.js";
import { focusField, startKeys } from "./keys.js";
import { startLibrary } from "./library.js";
import { startMenus } from "./menus.js";
import { followRanges } from "./range.js";
import { client, isGone, passing, pause, reason, retryAfter } from "./client.js";
import { startSeatMenu } from "./seat-menu.js";
import { startSeats } from "./seats.js";
import { startShare } from "./share.js";
import { canRedo, canUndo, clearSpot, emit, on, redo, setGame, state, undo } from "./state.js";
import { answer, followAnswers } from "./stream.js";
import { startStrokes } from "./strokes.js";
import { startTheme } from "./theme.js";
import { startViews } from "./views.js";
import { openFirst } from "./visit.js";

function startHeader() {
  rove($("spot-tools"), "button");
  button("undo").addEventListener("click", undo);
  button("redo").addEventListener("click", redo);
  button("clear").addEventListener("click", clearSpot);
  field("game").addEventListener("change", () => setGame(field("game").value));
  on(["history", "spot"], () => {
    button("undo").disabled = !canUndo();
    button("redo").disabled = !canRedo();
  });
  on(["spot", "games"], () => {
    field("game").value = state.spot.game;
  });
}

/** Lists the games, as soon as the server tells of them; returns why it does not. */
async function listGames() {
  for (let tries = 0; ; tries += 1) {
    try {
      const { games } = await client.games();
      field("game").replaceChildren(...games.map((/** @type {any} */ one) => new Option(one.title, one.name)));
      state.games = Object.fromEntries(games.flatMap((/** @type {any} */ one) => [one.name, ...one.other_names].map((name) => [name, one])));
      emit("games");
      return "";
    } catch (error) {
      if (!passing(error) && !isGone(error)) return reason(error);
      if (document.body.inert) say(`${reason(error)} The page retries by itself.`);
      await pause(retryAfter(error, tries));
    }
  }
}

/** @param {string} text */
function say(text) {
  answer.text = text;
  emit("answer");
}

async function start() {
  // A change is sent to the server first, and drawn while it counts; the address comes last.
  followAnswers();
  followRanges();
  followDetails();
  const parts = [startTheme, startMenus, startHeader, startSeats, startBoard, startGrids, startCombos, startStrokes, startEditor];
  for (const part of [...parts, startSeatMenu, startLibrary, startHistory, startViews, startShare]) part();
  startAnswer(focusField);
  // A link to another game waits for the list of them; nothing can be changed meanwhile.
  document.body.inert = new URLSearchParams(location.search).has("game");
  if (document.body.inert) say("Reading the list of games …");
  const listed = listGames();
  const fault = document.body.inert ? await listed : "";
  document.body.inert = false;
  startKeys();
  openFirst(fault);
  followSpot();
  document.documentElement.dataset.ready = "true";
}

start();
