// The views: each shows more of one player's spot, has that player in its title, and follows the seat in focus.
/** @import { View } from "./types.js" */
import { $, all, fade, h, rove, stopAt, targetOf } from "./dom.js";
import { isGone, passing, reason, retryAfter } from "./client.js";
import { showPart } from "./menus.js";
import { currentRequest, missing } from "./request.js";
import { game, letterOf, on, seat, state } from "./state.js";
import { store, stored } from "./storage.js";
import { answer } from "./stream.js";
import { bet } from "./view-bet.js";
import { cards } from "./view-cards.js";
import { flops } from "./view-flops.js";
import { graph } from "./view-graph.js";
import { hits } from "./view-hits.js";
import { opponents } from "./view-opponents.js";
import { isPushFoldLink, pushFold } from "./view-push-fold.js";
import { train } from "./view-train.js";

/** @type {View[]} */
const VIEWS = [hits, graph, cards, flops, opponents, bet, pushFold, train];

let chosen = VIEWS[0];
/** @type {AbortController} */
let viewing = new AbortController();
let shown = ""; // the view and the seat whose content is there, or is being made
let filled = ""; // the spot that the figures there are of, as `spotOf` has it; "" if none are
let asked = ""; // the spot of the figures that are on their way; "" if none are

/** @param {string} name */
function chooseView(name) {
  chosen = VIEWS.find((view) => view.name === name) || chosen;
  store("view", chosen.name);
  drawTabs();
  showView();
}

function drawTabs() {
  for (const tab of all("[role='tab']", $("tabs"))) {
    const view = VIEWS.find((one) => one.name === tab.dataset.view);
    tab.hidden = view?.fits ? !view.fits(game()) : false;
    tab.setAttribute("aria-selected", String(view === chosen));
    if (view === chosen) stopAt($("tabs"), "[role='tab']", tab);
  }
  $("view").setAttribute("aria-labelledby", `tab-${chosen.name}`);
}

/** Writes what the view shows; empties it if it was another view, or another player's. */
function drawHead() {
  const request = currentRequest();
  const of = seat();
  const place = request.seats.findIndex((one) => one.id === of.id);
  const context = { request, place, seat: of };
  $("view-title").textContent = chosen.title(/** @type {any} */ (context));
  $("views-part").dataset.letter = letterOf(of.id);
  const key = `${chosen.name} ${chosen.ofAll ? "" : of.id} ${state.spot.game}`;
  if (key !== shown) {
    $("view").replaceChildren(h("p", {}, "computing …"));
    filled = "";
  }
  shown = key;
  $("view").dataset.old = "true";
  fade($("view"), true);
  return context;
}

/** Returns the seat and the spot that a view is of. @param {View} view */
function spotOf(view) {
  const { seats, options } = currentRequest();
  return JSON.stringify([view.name, state.focus, letterOf(state.focus), seats, { ...options, board: view.ofAllBoards ? "" : options.board }]);
}

const isFailed = () => answer.stage === "failed" || answer.stage === "rough";

/** Shows the view of the seat in focus, for the spot that was answered. */
async function showView() {
  stop();
  const mine = viewing;
  if (chosen.fits && !chosen.fits(game())) {
    chosen = VIEWS[0];
    drawTabs();
  }
  const context = drawHead();
  let made;
  let spot = "";
  try {
    const lack = chosen.alone ? "" : missing(context.request);
    const { where } = answer.error;
    const isNeeded = context.place < 0 && !(chosen.ofAll && context.request.seats.length);
    if (context.place < 0 && chosen.ofAll) context.place = 0;
    const isRefused = chosen.alone ? where !== "" : !chosen.ofAllBoards || where !== "board";
    if (chosen.isFree) made = await chosen.make({ ...context, signal: mine.signal });
    else if (state.linkFault || (isFailed() && isRefused)) made = h("p", {}, "No answer."); // the error is shown at its input
    else if (isNeeded) made = h("p", {}, "Give this player a hand or a range, or choose another.");
    else if (lack) made = h("p", {}, lack);
    else {
      spot = asked = spotOf(chosen);
      made = await chosen.make({ ...context, signal: mine.signal });
    }
  } catch (error) {
    if (mine.signal.aborted) return;
    spot = asked = "";
    const busy = passing(error) || (isGone(error) ? "gone" : "");
    if (busy) {
      // Asked again like the answer, which says the same in its status.
      setTimeout(() => mine.signal.aborted || showView(), 1000 * retryAfter(error));
      if (filled) return; // the figures before stay, in grey
      made = h("p", {}, `The server is ${busy}; the page retries by itself.`);
    } else {
      made = h("p", { class: "error" }, reason(error));
    }
  }
  if (mine.signal.aborted) return;
  put(made);
  filled = spot;
  asked = "";
}

/**
 * Shows what a view made. The focus stays on the element of the same id.
 * @param {HTMLElement} made
 */
function put(made) {
  const view = $("view");
  const active = document.activeElement;
  const had = active instanceof HTMLElement && view.contains(active) ? active : null;
  view.replaceChildren(made);
  view.dataset.old = "false";
  fade(view, false);
  if (!had) return;
  const same = all("[id], [data-hit]", view).find((one) => (one.id && one.id === had.id) || (one.dataset.hit && one.dataset.hit === had.dataset.hit));
  (same && !same.hasAttribute("disabled") ? same : view).focus();
}

/** Stops the requests of the view. */
function stop() {
  viewing.abort();
  viewing = new AbortController();
  asked = "";
}

/** Marks the view as that of a spot before, and stops its requests. */
function age() {
  stop();
  drawHead();
}

/** Returns whether the figures of a spot are there, or on their way. @param {string} spot */
function isThere(spot) {
  return asked ? asked === spot && !isFailed() : filled === spot && $("view").dataset.old === "false";
}

export function startViews() {
  for (const view of VIEWS) {
    const attributes = { type: "button", role: "tab", id: `tab-${view.name}`, "data-view": view.name, "aria-controls": "view" };
    $("tabs").append(h("button", attributes, view.label));
  }
  rove($("tabs"), "[role='tab']");
  $("tabs").addEventListener("click", (event) => {
    const name = targetOf(event, "[role='tab']")?.dataset.view;
    if (name) chooseView(name);
  });
  chosen = isPushFoldLink ? pushFold : VIEWS.find((view) => view.name === stored("view")) || chosen;
  if (isPushFoldLink) showPart("views");
  drawTabs();
  let last = "";
  const follow = () => {
    // Views wait for the answer, and for the end of a stroke: they must not compete with it. Some need none.
    const { stage, isStale, request, error } = answer;
    const isAlone = chosen.alone && missing(currentRequest()) !== "";
    const isOpen = state.isDragging || (!isAlone && (stage === "waiting" || stage === "estimate"));
    const of = seat();
    const whose = `${of.id} ${letterOf(of.id)} ${state.spot.game} ${chosen.name}`;
    const spot = isAlone ? JSON.stringify(currentRequest()) : `${stage} ${isStale} ${JSON.stringify(request)} ${error.text}`;
    const key = chosen.isFree ? `${chosen.name} ${state.spot.game}` : `${isOpen} ${whose} ${spot} ${state.linkFault}`;
    if (key === last) return;
    last = key;
    if (chosen.ofAllBoards && isThere(spotOf(chosen))) return;
    drawTabs();
    if (isOpen && !chosen.isFree) age();
    else showView();
  };
  on(["answer", "spot", "focus"], follow);
  $("tabs").addEventListener("focusout", () => {
    const tab = $("tabs").querySelector("[aria-selected='true']");
    if (tab) stopAt($("tabs"), "[role='tab']", /** @type {HTMLElement} */ (tab));
  });
}
