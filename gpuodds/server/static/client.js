// The client that sends requests: what its errors mean, when to ask again, and what was asked before.
import { token } from "./address.js";
import { facts } from "./facts.js";
import { Client, Problem } from "./gpuodds.js";

const MAX_RETRY = 10; // seconds

export const client = new Client(undefined, token);

/**
 * Returns an error in one line.
 * @param {unknown} error
 */
export function reason(error) {
  if (isTooRough(error)) return "Not enough samples for an answer: use narrower ranges or fewer players.";
  if (error instanceof Problem) return error.message;
  return `The page failed: ${error instanceof Error ? error.message : error}`;
}

/** @param {Problem} error */
const kindOf = (error) => String(error.problem.type || "").split("/").pop() || "";

/** Whether too few deals were sampled. @param {unknown} error */
export const isTooRough = (error) => error instanceof Problem && kindOf(error) === "not-enough-samples";

/** @type {Record<string, string>} */
const PASSING = { "warming-up": "warming up", busy: "busy", connections: "busy", stopping: "stopping" };
/** What something between page and server says, which names no type. */
const PASSING_STATUS = [429, 502, 503, 504];

/**
 * Returns what the server is, if an error passes by itself and the page asks again: "busy".
 * @param {unknown} error
 */
export function passing(error) {
  if (!(error instanceof Problem)) return "";
  const { type, status } = error.problem;
  if (!type) return PASSING_STATUS.includes(status) ? "busy" : "";
  return PASSING[kindOf(error)] || "";
}

/**
 * Returns the seconds after which to ask again.
 * @param {unknown} error
 * @param {number} [tries] how often it was asked in vain before
 */
export function retryAfter(error, tries = 0) {
  const wanted = error instanceof Problem ? error.problem.retry_after : 0;
  return wanted || Math.min(MAX_RETRY, 2 ** tries);
}

/** @param {number} seconds */
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/**
 * Returns whether an error means that the server cannot be reached.
 * @param {unknown} error
 */
export const isGone = (error) => error instanceof Problem && error.problem.status === 0;

/**
 * Returns what a function gives; waits and calls it again while the server is busy.
 * @template Found
 * @param {() => Promise<Found>} ask
 * @param {AbortSignal} signal
 * @returns {Promise<Found>}
 */
export async function patiently(ask, signal) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !passing(error)) throw error;
      await pause(retryAfter(error));
    }
  }
}

const AT_ONCE = 2; // requests of a view: they must not keep others waiting

/**
 * Returns what a function gives for each item, a few at a time.
 * @template Item, Found
 * @param {Item[]} items
 * @param {(item: Item) => Promise<Found>} ask
 * @returns {Promise<Found[]>}
 */
export async function eachInTurn(items, ask) {
  /** @type {Found[]} */
  const found = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      found[at] = await ask(items[at]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

const KEPT = "gpuodds.answers"; // in the tab's storage
const MOST = 24; // answers kept
const ROOM = 2e6; // characters of them in the storage
const VERSION = `${facts.version} ${token || ""}`; // without the token, all may be refused

/** What was answered, by what was asked, the last one last. @type {Map<string, any> | null} */
let kept = null;

/** Returns what this tab was answered, also before a reload, by this version of the server to this token. @returns {Map<string, any>} */
function answers() {
  if (kept) return kept;
  kept = new Map();
  try {
    const { version, rows } = JSON.parse(sessionStorage.getItem(KEPT) || "{}");
    if (version === VERSION) kept = new Map(rows);
  } catch {
    // Storage that is closed to the page, or was written by something else, holds nothing.
  }
  return kept;
}

/** Keeps the answers for a reload. */
function store() {
  let left = ROOM;
  const rows = [...answers()].reverse().filter((row) => (left -= JSON.stringify(row).length) > 0);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ version: VERSION, rows: rows.reverse() }));
  } catch {
    // Without room for them they are asked again.
  }
}

/**
 * Returns what was answered to a question before, or asks now. The answers are counted, so that they stay the same.
 * @template Found
 * @param {unknown} question anything that JSON can write
 * @param {() => Promise<Found>} ask
 * @param {(found: Found) => boolean} [isFinal] whether an answer stays the same
 * @returns {Promise<Found>}
 */
export async function once(question, ask, isFinal = () => true) {
  const name = JSON.stringify(question);
  const known = answers();
  if (known.has(name)) return known.get(name);
  const found = await ask();
  if (isFinal(found)) known.set(name, found);
  if (known.size > MOST) known.delete(/** @type {string} */ (known.keys().next().value));
  return found;
}

window.addEventListener("pagehide", store);
