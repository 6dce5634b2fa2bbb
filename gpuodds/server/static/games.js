// The games, and what the page shows differently in each: cards, ranges, columns of the answer.
import { RANKS } from "./cards.js";

// The default game; the server lists all.
export const HOLDEM = { name: "holdem", title: "Texas hold'em", deck_size: 52, hole_cards: 2, max_players: 23, has_low: false };

const MAX_SEATS = 10;
const MAX_OPPONENTS = 22;
const EXAMPLE = "AsAhKsKhQdJd";
const WORDS = ["no", "one", "two", "three", "four", "five", "six"];
const SHOWN = 100; // rows of a list
const SUIT_PATTERNS = {
  22: "ds", 211: "ss", 31: "ts", 1111: "rb", 4: "ms", 221: "ds", 32: "dts", 2111: "ss", 311: "ts", 41: "qs", 5: "ms",
  222: "222", 2211: "ds", 33: "33", 321: "321", 3111: "ts", 42: "42", 411: "qs", 51: "51", 6: "ms",
};

export const seatsOf = (game) => Math.min(MAX_SEATS, game.max_players);
export const opponentsOf = (game) => Math.min(MAX_OPPONENTS, game.max_players - 1);
export const ranksOf = (game) => RANKS.slice(0, game.deck_size / 4);
export const hasGrid = (game) => game.hole_cards === 2;
export const cardsOf = (game) => `${WORDS[game.hole_cards]} known cards`;
export const placeholderOf = (game) => {
  if (hasGrid(game)) return "AsKs, QQ+, 15%, random";
  return `${EXAMPLE.slice(0, 2 * game.hole_cards)}, AA${"*".repeat(game.hole_cards - 2)}`;
};

// Returns the ranks of a hand and the pattern of its suits, as the server names them: ["AAKK", "ds"].
export function classOf(hand) {
  const cards = hand.match(/../g);
  const ranks = cards.map((card) => card[0]).sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b));
  const counts = {};
  for (const [, suit] of cards) counts[suit] = (counts[suit] || 0) + 1;
  const pattern = Object.values(counts).sort((a, b) => b - a).join("");
  return [ranks.join(""), SUIT_PATTERNS[pattern]];
}

const percent = (share, digits = 2) => `${(100 * share).toFixed(digits)} %`;
const share = (counts, outcomes) => counts.reduce((sum, count) => sum + Number(count), 0) / Number(outcomes);

// The columns after the equity: a name, and the share of outcomes of a player (undefined if unknown).
// Four columns have room for two digits.
const HIGH = ["win", "tie", "lose"].map((part) => [part[0].toUpperCase() + part.slice(1), (player) => player[part]]);
const HI_LO = [
  ["Scoop", (player) => player.scoop],
  ["High", (player, found) => player.high_outcomes && share(player.high_outcomes, found.outcomes)],
  ["Low", (player, found) => player.low_outcomes && share(player.low_outcomes, found.outcomes)],
  ["Lose", (player) => player.lose],
];
export const digitsOf = (game, isExact) => (game.has_low || !isExact ? 2 : 4);
export const columnsOf = (game) => (game.has_low ? HI_LO : HIGH);

// Returns a table of the first rows, and how many more there are: texts and elements, a name first.
export function newList(heads, rows) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const name of heads) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = name;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const [name, ...cells] of rows.slice(0, SHOWN)) {
    const row = body.insertRow();
    const first = document.createElement("th");
    first.scope = "row";
    first.textContent = name;
    row.append(first);
    for (const value of cells) row.insertCell().append(...[value].flat());
  }
  if (rows.length > SHOWN) {
    const cell = body.insertRow().insertCell();
    cell.colSpan = heads.length;
    cell.textContent = `and ${(rows.length - SHOWN).toLocaleString("en")} more`;
  }
  return table;
}

// Returns a range of Omaha as a list of its classes.
export function newClasses(found) {
  const rows = found.classes.map((row) => [`${row.ranks} ${row.suits}`, String(row.combos), percent(row.weight / row.combos, 0)]);
  return newList(["Hands", "Combos", "Weight"], rows);
}

// Returns the equities of hands as a list by class, the best first; `bar` makes the bar of an equity.
export function newEquities(hands, bar) {
  const sums = {};
  for (const { hand, weight, equity } of hands) {
    const sum = (sums[classOf(hand).join(" ")] ||= [0, 0, 0]);
    sum[0] += weight * equity;
    sum[1] += weight;
    sum[2] += 1;
  }
  const rows = Object.entries(sums).map(([name, [equity, weight, combos]]) => [name, combos, equity / weight]);
  rows.sort((a, b) => b[2] - a[2]);
  return newList(["Hands", "Combos", "Equity"], rows.map(([name, combos, equity]) => [name, String(combos), [percent(equity, 4), bar(equity)]]));
}
