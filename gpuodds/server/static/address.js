// The spot in the page's address, so that a link brings it back.
/** @import { Spot } from "./types.js" */
import { HOLDEM, opponentsOf, seatsOf } from "./games.js";
import { emptySpot, newSeat, on, open, state } from "./state.js";

/** The server's token, from #token= in the address. */
export const token = new URLSearchParams(location.hash.slice(1)).get("token");

/**
 * Returns the number of opponents that a text means.
 * @param {string} text
 * @param {import("./types.js").Game} game
 */
export const inBounds = (text, game) => Math.min(opponentsOf(game), Math.max(0, Number.parseInt(text, 10) || 0));

/** Opens the spot of the address. */
export function readAddress() {
  const query = new URLSearchParams(location.search);
  if (![...query.keys()].length) return open(emptySpot(), "");
  let fault = "";
  const name = query.get("game") || HOLDEM.name;
  const game = state.games[name.toLowerCase()] || HOLDEM;
  if (!state.games[name.toLowerCase()]) fault = `The link has game=${name.slice(0, 20)}: expected one of the games listed.`;
  const hands = query.getAll("hand");
  if (hands.length > seatsOf(game)) fault = `The link has ${hands.length} players: there are seats for ${seatsOf(game)}.`;
  const seats = hands.slice(0, seatsOf(game)).map(newSeat);
  while (seats.length < 2) seats.push(newSeat());
  const given = query.get("opponents") || "0";
  const opponents = inBounds(given, game);
  if (String(opponents) !== given) fault = `The link has opponents=${given.slice(0, 20)}: expected 0 to ${opponentsOf(game)}.`;
  return open({ seats, opponents, board: query.get("board") || "", dead: query.get("dead") || "", game: game.name }, fault);
}

/**
 * Returns the link to a spot, without the token.
 * @param {Spot} spot
 */
export function linkTo(spot) {
  const query = new URLSearchParams();
  for (const { text } of spot.seats) query.append("hand", text);
  if (spot.opponents) query.set("opponents", String(spot.opponents));
  if (spot.board) query.set("board", spot.board);
  if (spot.dead) query.set("dead", spot.dead);
  if (spot.game !== HOLDEM.name) query.set("game", spot.game);
  return `${location.origin}${location.pathname}?${query}`;
}

/** Keeps the address up to date. */
export function followSpot() {
  let last = "";
  on(["spot"], () => {
    if (state.isDragging || state.linkFault) return;
    const link = linkTo(state.spot);
    if (link === last) return;
    last = link;
    history.replaceState(null, "", link + (token ? `#token=${encodeURIComponent(token)}` : ""));
  });
  window.addEventListener("popstate", readAddress);
}
