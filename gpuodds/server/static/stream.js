// The answer to the current spot: the page asks after each change, which cancels the request before.
/** @import { SpotRequest } from "./types.js" */
import { Problem } from "./gpuodds.js";
import { client, isGone, isTooRough, passing, reason, retryAfter } from "./client.js";
import { currentRequest, missing } from "./request.js";
import { emit, on, state } from "./state.js";

const PAUSE = 60; // milliseconds between requests while a range is painted

/**
 * Where the answer stands: nothing to ask; asked; estimates; the last estimate; counted; failed; too rough an estimate.
 * @typedef {"empty" | "waiting" | "estimate" | "final" | "exact" | "failed" | "rough"} Stage
 */

export const answer = {
  /** @type {Stage} */
  stage: "empty",
  /** The last answer or estimate; of the spot before, if `isStale`. @type {any} */
  found: null,
  /** The ids of the seats of its players. @type {number[]} */
  ids: [],
  /** Whether `found` belongs to a spot before this one, or the server is gone. */
  isStale: false,
  /** The fraction counted, which only grows; null where it is not known. @type {number | null} */
  progress: null,
  /** What the status line adds: what is missing, or why there is no answer. */
  text: "",
  /** One line, and the input at fault: "board", "dead", the id of a seat, or "". @type {{ text: string, where: "" | "board" | "dead" | number }} */
  error: { text: "", where: "" },
  /** The request that was sent last. @type {SpotRequest | null} */
  request: null,
};

/** @param {Partial<typeof answer>} part */
function set(part) {
  Object.assign(answer, part);
  emit("answer");
}

/** @type {AbortController | null} */
let asking = null;
let asked = 0; // when
let tries = 0; // without an answer, since the server was reached last
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let last = ""; // the request that was asked last, or is held back, as text
let isHeld = false; // whether a stroke holds it back

/** Follows the spot. */
export function followAnswers() {
  on(["spot", "details", "range"], () => {
    const request = currentRequest();
    const text = JSON.stringify([request, state.linkFault]);
    // The end of a stroke asks at once for what was held back.
    if (text === last && (state.isDragging || !isHeld)) return;
    last = text;
    clearTimeout(timer);
    tries = 0;
    const wait = state.isDragging ? asked + PAUSE - performance.now() : 0;
    isHeld = wait > 0;
    if (isHeld) timer = setTimeout(ask, wait);
    else ask();
  });
}

/** Asks for the answer to the current spot. */
async function ask() {
  asking?.abort();
  isHeld = false;
  const mine = (asking = new AbortController());
  asked = performance.now();
  const request = currentRequest();
  const lack = missing(request);
  const ids = request.seats.map((seat) => seat.id);
  // Figures of the spot before stay in grey, if they have the same rows.
  const isSame = answer.found !== null && String(ids) === String(answer.ids) && answer.found.game === request.options.game;
  const isSameRows = isSame && Boolean(answer.found.opponents) === Boolean(request.options.opponents);
  const found = isSameRows && !lack && !state.linkFault ? answer.found : null;
  const error = { text: state.linkFault, where: /** @type {""} */ ("") };
  const text = lack || (tries ? answer.text : ""); // that the server is gone stays until it answers
  set({ request, found, ids, isStale: true, progress: null, error, text, stage: lack || state.linkFault ? "empty" : "waiting" });
  if (request.isWaiting) set({ found: isSameRows ? answer.found : found, stage: "waiting" }); // until the hits come
  if (lack || state.linkFault) return;
  try {
    for await (const [kind, value] of client.stream(request.hands, { ...request.options, signal: mine.signal })) {
      if (mine.signal.aborted) return;
      tries = 0;
      if (kind === "progress") {
        set({ progress: Math.max(answer.progress ?? 0, value) });
      } else {
        const stage = value.exact ? "exact" : kind === "answer" ? "final" : "estimate";
        set({ found: value, stage, isStale: false, text: "", progress: kind === "answer" ? null : answer.progress });
      }
    }
  } catch (thrown) {
    if (!mine.signal.aborted) fail(thrown, request);
  }
}

/**
 * Says what went wrong, and asks again where that can help.
 * @param {unknown} thrown
 * @param {SpotRequest} request
 */
function fail(thrown, request) {
  const busy = passing(thrown);
  if (busy || isGone(thrown)) {
    tries += 1;
    timer = setTimeout(ask, 1000 * retryAfter(thrown, tries - 1));
    const text = busy ? `The server is ${busy}; the page retries by itself.` : `${reason(thrown)} The page retries by itself.`;
    set({ stage: "waiting", isStale: true, progress: null, text });
    return;
  }
  const where = placeOf(thrown, request);
  const isFresh = answer.found && !answer.isStale;
  if (isFresh && isTooRough(thrown)) set({ stage: "rough", progress: null, error: { text: reason(thrown), where } });
  else if (isFresh) set({ stage: "failed", progress: null, text: "not finished", error: { text: reason(thrown), where } });
  else set({ stage: "failed", found: null, progress: null, text: "No answer.", error: { text: reason(thrown), where } });
}

/**
 * Returns the input at fault: the one that the server names, else the one that was edited last.
 * @param {unknown} thrown
 * @param {SpotRequest} request
 * @returns {"" | "board" | "dead" | number}
 */
function placeOf(thrown, request) {
  if (!(thrown instanceof Problem) || thrown.problem.status !== 400) return "";
  const input = String(thrown.problem.input || "");
  if (input === "board" || input === "dead") return input;
  const named = /^(hands|folded)\.(\d+)$/.exec(input);
  if (named) return (named[1] === "hands" ? request.seats : request.folded)[Number(named[2])]?.id ?? "";
  return state.edited;
}
