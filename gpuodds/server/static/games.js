// The games, and what the page shows differently in each: cards, seats, ranges, columns of the answer.
/** @import { Game } from "./types.js" */
import { RANKS } from "./cards.js";

/**
 * The default game; the server lists all.
 * @type {Game}
 */
export const HOLDEM = { name: "holdem", other_names: [], title: "Texas hold'em", deck_size: 52, hole_cards: 2, max_players: 23, has_low: false };

const MAX_SEATS = 10;
const MAX_OPPONENTS = 22;
const EXAMPLE = "AsAhKsKhQdJd";
const WORDS = ["no", "one", "two", "three", "four", "five", "six"];
/** @type {Record<string, string>} */
const SUIT_PATTERNS = {
  22: "ds", 211: "ss", 31: "ts", 1111: "rb", 4: "ms", 221: "ds", 32: "dts", 2111: "ss", 311: "ts", 41: "qs", 5: "ms",
  222: "222", 2211: "ds", 33: "33", 321: "321", 3111: "ts", 42: "42", 411: "qs", 51: "51", 6: "ms",
};

/** @param {Game} game */
export const seatsOf = (game) => Math.min(MAX_SEATS, game.max_players);
/** @param {Game} game */
export const opponentsOf = (game) => Math.min(MAX_OPPONENTS, game.max_players - 1);
/** @param {Game} game */
export const ranksOf = (game) => RANKS.slice(0, game.deck_size / 4);
/**
 * Returns whether the game's starting hands make a grid: those of two cards.
 * @param {Game} game
 */
export const hasGrid = (game) => game.hole_cards === 2;
/** @param {Game} game */
export const cardsOf = (game) => `${WORDS[game.hole_cards]} known cards`;
/** @param {Game} game */
export const placeholderOf = (game) =>
  hasGrid(game) ? "AsKs, QQ+, 15%, random" : `${EXAMPLE.slice(0, 2 * game.hole_cards)}, AA${"*".repeat(game.hole_cards - 2)}`;

/**
 * Returns the ranks of a hand and the pattern of its suits, as the server names them: "AAKK ds".
 * @param {string} hand
 */
export function classOf(hand) {
  const cards = hand.match(/../g) || [];
  const ranks = cards.map((card) => card[0]).sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b));
  /** @type {Record<string, number>} */
  const counts = {};
  for (const [, suit] of cards) counts[suit] = (counts[suit] || 0) + 1;
  const pattern = Object.values(counts).sort((a, b) => b - a).join("");
  return `${ranks.join("")} ${SUIT_PATTERNS[pattern]}`;
}

/**
 * @param {(string | number)[]} counts
 * @param {string | number} outcomes
 */
const share = (counts, outcomes) => counts.reduce((/** @type {number} */ sum, count) => sum + Number(count), 0) / Number(outcomes);

/**
 * The columns after the equity: a name, and the share of outcomes of a player, if known.
 * @typedef {[string, (player: any, found: any) => number | null | undefined]} Column
 */
/** @type {Column[]} */
const HIGH = [
  ["Win", (player) => player.win],
  ["Tie", (player) => player.tie],
  ["Lose", (player) => player.lose],
];
/** @type {Column[]} */
const HI_LO = [
  ["Scoop", (player) => player.scoop],
  ["High", (player, found) => player.high_outcomes && share(player.high_outcomes, found.outcomes)],
  ["Low", (player, found) => player.low_outcomes && share(player.low_outcomes, found.outcomes)],
  ["Lose", (player) => player.lose],
];
/** @param {Game} game */
const columnsOf = (game) => (game.has_low ? HI_LO : HIGH);

/**
 * Returns the shares of outcomes of a player by the names of their columns, those that are known.
 * @param {any} player
 * @param {any} found the answer
 * @param {Game} game
 * @returns {[string, number][]}
 */
export const sharesOf = (player, found, game) =>
  columnsOf(game).flatMap(([name, of]) => {
    const share = of(player, found);
    return share == null ? [] : [[name.toLowerCase(), share]];
  });
