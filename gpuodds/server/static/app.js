// The start of the page: its parts listen to the state, which the address fills.
import { followSpot } from "./address.js";
import { startAnswer } from "./answer.js";
import { startBoard } from "./board.js";
import { startCombos } from "./combos.js";
import { followDetails } from "./details.js";
import { $, button, field, rove } from "./dom.js";
import { facts } from "./facts.js";
import { startEditor } from "./editor.js";
import { startGrids } from "./grid.js";
import { startHistory } from "./history.js";
import { focusField, startKeys } from "./keys.js";
import { startLibrary } from "./library.js";
import { startMenus } from "./menus.js";
import { followRanges } from "./range.js";
import { startSeatMenu } from "./seat-menu.js";
import { startSeats } from "./seats.js";
import { startShare } from "./share.js";
import { canRedo, canUndo, clearSpot, on, redo, setGame, state, undo } from "./state.js";
import { followAnswers } from "./stream.js";
import { startStrokes } from "./strokes.js";
import { startTheme } from "./theme.js";
import { startViews } from "./views.js";
import { openFirst } from "./visit.js";

function startHeader() {
  rove($("spot-tools"), "button");
  field("game").replaceChildren(...facts.games.map(({ title, name }) => new Option(title, name)));
  button("undo").addEventListener("click", undo);
  button("redo").addEventListener("click", redo);
  button("clear").addEventListener("click", clearSpot);
  field("game").addEventListener("change", () => setGame(field("game").value));
  on(["history", "spot"], () => {
    button("undo").disabled = !canUndo();
    button("redo").disabled = !canRedo();
  });
  on(["spot"], () => {
    field("game").value = state.spot.game;
  });
}

function start() {
  // A change is sent to the server first, and drawn while it counts; the address comes last.
  followAnswers();
  followRanges();
  followDetails();
  const parts = [startTheme, startMenus, startHeader, startSeats, startBoard, startGrids, startCombos, startStrokes, startEditor];
  for (const part of [...parts, startSeatMenu, startLibrary, startHistory, startViews, startShare, startKeys]) part();
  startAnswer(focusField);
  openFirst();
  followSpot();
  document.documentElement.dataset.ready = "true";
}

start();
