// A visit: undo and focus outlive a reload, the last spot the visit, and the first visit has an example.
import { hasSpot, linkTo, readAddress } from "./address.js";
import { $ } from "./dom.js";
import { newSeat, on, open, resume, state, visit } from "./state.js";
import { PAGE, store, stored } from "./storage.js";

const KEY = "gpuodds.visit";
const PAUSE = 300; // milliseconds after a change until it is kept

/** The button's opening raise against the big blind's call of it, two of the presets, on a flop. */
const EXAMPLE = {
  board: "Ks9h4d",
  players: [
    ["BTN open", "22+,A2s+,K2s+,Q4s+,J6s+,T6s+,96s+,85s+,75s+,64s+,54s,A2o+,K8o+,Q9o+,J9o+,T8o+,98o"],
    ["BB call", "99-22,ATs-A6s,KTs-K7s,K4s-K2s,QTs-Q4s,J9s-J6s,T8s-T6s,98s,96s,87s,85s,76s,74s,65s-64s,54s-53s,43s,AJo-A5o,KQo-K9o,Q9o+,J9o+,T9o,98o"],
  ],
};

const exampleSpot = () => ({
  seats: EXAMPLE.players.map(([name, text]) => newSeat(text, name)),
  opponents: 0,
  board: EXAMPLE.board,
  dead: "",
  game: state.spot.game,
});

/** Returns what this tab was left with by this version of the page, or null. @returns {ReturnType<typeof visit> | null} */
function keptVisit() {
  try {
    const { version, left } = JSON.parse(sessionStorage.getItem(KEY) || "{}");
    return version === PAGE ? left : null;
  } catch {
    return null;
  }
}

/** Keeps the visit as it is now. */
function keep() {
  if (state.isDragging) return;
  if (!state.linkFault) store("spot", linkTo(state.spot).slice(location.origin.length));
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ version: PAGE, left: visit() }));
  } catch {
    // Without room for it, a reload has the spot alone.
  }
}

/**
 * Opens the spot of the address; without one, that of the last visit, or the example.
 */
export function openFirst() {
  const last = stored("spot");
  if (!hasSpot() && last.includes("hand=")) history.replaceState(null, "", last + (location.hash ? `${last.includes("#") ? "&" : "#"}${location.hash.slice(1)}` : ""));
  const isExample = !hasSpot() && !last;
  if (isExample) open(exampleSpot(), "");
  else readAddress();
  const kept = keptVisit();
  if (kept && !state.linkFault && linkTo(kept.spot) === linkTo(state.spot)) resume(kept);
  let example = isExample ? linkTo(state.spot) : "";
  const show = () => {
    if (example !== linkTo(state.spot)) example = "";
    $("example").hidden = !example;
  };
  show();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  on(["spot", "focus", "history"], () => {
    show();
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE);
  });
  window.addEventListener("pagehide", keep);
}
