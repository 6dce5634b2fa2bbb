// Made hands and draws in a few groups, as the grid colours them, and the categories that are picked in the view.
/** @import { HandHits } from "./gpuodds.js" */

const STRONG = ["overpair", "top pair"];
const ONE_PAIR = [...STRONG, "pocket pair below top", "middle pair", "weak pair"];
const NOTHING = ["ace high", "no made hand"];

/** The groups from the best; a hand is in the first that it fits. */
export const GROUPS = [
  { title: "two pair or better", fits: (/** @type {HandHits} */ { made }) => !ONE_PAIR.includes(made) && !NOTHING.includes(made) },
  { title: "top pair or overpair", fits: (/** @type {HandHits} */ { made }) => STRONG.includes(made) },
  { title: "other pairs", fits: (/** @type {HandHits} */ { made }) => ONE_PAIR.includes(made) },
  { title: "draws", fits: (/** @type {HandHits} */ { draws }) => draws.some((draw) => !draw.startsWith("backdoor") && draw !== "overcards") },
  { title: "nothing", fits: () => true },
];

/** @param {HandHits} hand */
export const groupOf = (hand) => GROUPS.findIndex(({ fits }) => fits(hand));

/** The categories that are picked, of made hands and draws; kept while the page is open. @type {Set<string>} */
export const picked = new Set();

/** Whether a hand has one of some categories. @param {HandHits} hand @param {Set<string>} categories */
export const hasOne = (hand, categories) => categories.has(hand.made) || hand.draws.some((draw) => categories.has(draw));

/** Whether a hand has one of the categories that are picked. @param {HandHits} hand */
export const isPicked = (hand) => hasOne(hand, picked);
