// The views: each shows more of one player's spot, has that player in its title, and follows the seat in focus.
/** @import { View } from "./types.js" */
import { $, all, h, rove, stopAt, targetOf } from "./dom.js";
import { short } from "./format.js";
import { currentRequest, isGone, missing, passing, reason, retryAfter } from "./request.js";
import { game, letterOf, on, seat, state } from "./state.js";
import { answer } from "./stream.js";
import { bet } from "./view-bet.js";
import { cards } from "./view-cards.js";
import { flops } from "./view-flops.js";
import { graph } from "./view-graph.js";
import { hands } from "./view-hands.js";
import { hits } from "./view-hits.js";
import { opponents } from "./view-opponents.js";

/** @type {View[]} */
const VIEWS = [hands, hits, graph, cards, opponents, flops, bet];
const KEY = "gpuodds.view";

let chosen = VIEWS[0];
/** @type {AbortController} */
let viewing = new AbortController();
let shown = ""; // the view and the seat whose content is there

/** @param {string} name */
export function chooseView(name) {
  chosen = VIEWS.find((view) => view.name === name) || chosen;
  try {
    localStorage.setItem(KEY, chosen.name);
  } catch {
    // it is chosen for this visit alone
  }
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

/** Shows the view of the seat in focus, for the spot that was answered. */
async function showView() {
  viewing.abort();
  const mine = (viewing = new AbortController());
  if (chosen.fits && !chosen.fits(game())) {
    chosen = VIEWS[0];
    drawTabs();
  }
  const request = currentRequest();
  const of = seat();
  const place = request.seats.findIndex((one) => one.id === of.id);
  const whose = `Player ${letterOf(of.id)}${place < 0 ? "" : `, ${short(request.hands[place], 30)}`}`;
  $("view-title").textContent = `${whose}: ${chosen.title}`;
  $("views-part").dataset.letter = letterOf(of.id);
  const key = `${chosen.name} ${of.id} ${state.spot.game}`;
  if (key !== shown) $("view").replaceChildren(h("p", {}, "computing …"));
  shown = key;
  $("view").dataset.old = "true";
  let made;
  try {
    const lack = chosen.alone ? "" : missing(request);
    if (place < 0) made = h("p", {}, "Give this player a hand or a range, or choose another.");
    else if (lack) made = h("p", {}, lack);
    else if (answer.stage === "failed") made = h("p", {}, "No answer."); // the error is shown once, where it is
    else made = await chosen.make({ request, place, whose, seat: of, signal: mine.signal });
  } catch (error) {
    if (mine.signal.aborted) return;
    const busy = passing(error) || (isGone(error) ? "gone" : "");
    if (busy) {
      // Asked again like the answer, which says the same in its status.
      setTimeout(() => mine.signal.aborted || showView(), 1000 * retryAfter(error));
      made = h("p", {}, `The server is ${busy}; the page retries by itself.`);
    } else {
      made = h("p", { class: "error" }, reason(error));
    }
  }
  if (mine.signal.aborted) return;
  $("view").replaceChildren(made);
  $("view").dataset.old = "false";
}

/** Marks the view as that of a spot before, and stops its requests. */
function age() {
  viewing.abort();
  $("view").dataset.old = "true";
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
  try {
    chosen = VIEWS.find((view) => view.name === localStorage.getItem(KEY)) || chosen;
  } catch {
    // as if none was chosen before
  }
  drawTabs();
  let last = "";
  on(["answer", "spot"], () => {
    // Views wait for the answer, and for the end of a stroke: they must not compete with it.
    const { stage, isStale, request, error } = answer;
    const isOpen = state.isDragging || stage === "waiting" || stage === "estimate";
    const key = `${isOpen} ${stage} ${isStale} ${JSON.stringify(request)} ${error.text}`;
    if (key === last) return;
    last = key;
    if (isOpen) age();
    else showView();
  });
  on(["focus", "games"], () => {
    drawTabs();
    showView();
  });
}
