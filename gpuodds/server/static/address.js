// The spot in the page's address, so that a link brings it back.
/** @import { Spot } from "./types.js" */
import { HOLDEM, opponentsOf, seatsOf } from "./games.js";
import { gameNamed, newSeat, on, open, state } from "./state.js";

// Servers and proxies refuse long addresses, but never see what follows "#": a longer spot goes there.
const MAX_QUERY = 4000;
const MAX_NAME = 40;

/** Returns what follows "#" in the address: the token of the server, and a long spot. */
const fragment = () => new URLSearchParams(location.hash.replaceAll("#", "&"));

/** The server's token, from #token= in the address. */
export const token = fragment().get("token");

/** Returns the parts of the spot in the address; players after "#" take the place of those before it. */
function parts() {
  const [before, after] = [new URLSearchParams(location.search), new URLSearchParams(fragment().get("spot") || "")];
  for (const name of after.keys()) before.delete(name);
  return new URLSearchParams(`${before}&${after}`);
}

/**
 * Returns the number of opponents that a text means.
 * @param {string} text
 * @param {import("./types.js").Game} game
 */
export const inBounds = (text, game) => Math.min(opponentsOf(game), Math.max(0, Number.parseInt(text, 10) || 0));

const FILTER = /^(\d+)\.(flop|turn|river)\.(.+)$/;

/** Returns the filters of a seat in a link: "1.flop.set,two pair". @param {URLSearchParams} given @param {number} at */
function filtersIn(given, at) {
  const parts = given.getAll("filter").flatMap((text) => {
    const found = FILTER.exec(text);
    return found && Number(found[1]) === at + 1 ? [[found[2], found[3].split(",")]] : [];
  });
  return Object.fromEntries(parts);
}

/**
 * Returns the spot of the address, and why it differs from the link's.
 * @returns {{ spot: Spot, fault: string }}
 */
function readSpot() {
  const given = parts();
  let fault = "";
  const name = given.get("game") || HOLDEM.name;
  const game = gameNamed(name.toLowerCase()) || HOLDEM;
  if (!gameNamed(name.toLowerCase())) fault = `The link has game=${name.slice(0, 20)}: expected one of the games listed.`;
  const hands = given.getAll("hand");
  if (hands.length > seatsOf(game)) fault = `The link has ${hands.length} players: there are seats for ${seatsOf(game)}.`;
  const names = given.getAll("name");
  const folded = given.getAll("folded").map(Number);
  const seats = hands.slice(0, seatsOf(game)).map((text, at) => newSeat(text, (names[at] || "").slice(0, MAX_NAME), folded.includes(at + 1), filtersIn(given, at)));
  while (seats.length < 2) seats.push(newSeat());
  const number = given.get("opponents") || "0";
  const opponents = inBounds(number, game);
  if (String(opponents) !== number) fault = `The link has opponents=${number.slice(0, 20)}: expected 0 to ${opponentsOf(game)}.`;
  return { spot: { seats, opponents, board: given.get("board") || "", dead: given.get("dead") || "", game: game.name }, fault };
}

/** Whether the address has a spot. */
export const hasSpot = () => parts().has("hand");

/**
 * Opens the spot of the address.
 */
export function readAddress() {
  const { spot, fault } = readSpot();
  open(spot, fault);
}

/**
 * Returns the link to a spot, without the token.
 * @param {Spot} spot
 */
export function linkTo(spot) {
  const query = new URLSearchParams();
  for (const { text } of spot.seats) query.append("hand", text);
  if (spot.seats.some(({ name }) => name)) for (const { name } of spot.seats) query.append("name", name);
  spot.seats.forEach(({ isFolded }, at) => isFolded && query.append("folded", String(at + 1)));
  spot.seats.forEach(({ filters }, at) => {
    for (const [street, classes] of Object.entries(filters)) if (classes.length) query.append("filter", `${at + 1}.${street}.${classes.join(",")}`);
  });
  if (spot.opponents) query.set("opponents", String(spot.opponents));
  if (spot.board) query.set("board", spot.board);
  if (spot.dead) query.set("dead", spot.dead);
  const game = spot.game === HOLDEM.name ? "" : `game=${spot.game}`;
  const page = location.origin + location.pathname;
  if (String(query).length <= MAX_QUERY) return `${page}?${query}${game && "&"}${game}`;
  return `${page}${game && "?"}${game}#spot=${encodeURIComponent(String(query))}`;
}

/**
 * Puts a link in the address, with a token.
 * @param {string} link
 * @param {string | null} [secret]
 */
const write = (link, secret = token) =>
  history.replaceState(null, "", link + (secret ? `${link.includes("#") ? "&" : "#"}token=${encodeURIComponent(secret)}` : ""));

let last = ""; // the link that the page put in the address

/** Follows a change of the address by the user: another spot, another token, or neither. */
function onAddress() {
  last = "";
  const added = fragment().get("token") || token;
  const isSpot = hasSpot(); // what the user wrote after "#" may have replaced it
  if (!isSpot) write(linkTo(state.spot), added);
  if (added !== token) return location.reload(); // all that was refused is asked again
  const { spot, fault } = readSpot();
  if (linkTo(spot) !== linkTo(state.spot) || fault !== state.linkFault) return open(spot, fault);
  return fault ? undefined : write(linkTo(spot));
}

/** Keeps the address up to date. */
export function followSpot() {
  const follow = () => {
    if (state.isDragging || state.linkFault) return;
    const link = linkTo(state.spot);
    if (link === last) return;
    last = link;
    write(link);
  };
  // Writing an address takes 10 ms: after a stroke it waits until nothing else does, and not for long.
  let [isDue, wasDragged] = [false, false];
  const later = () => {
    if (isDue) return;
    isDue = true;
    const write = () => {
      isDue = false;
      follow();
    };
    if ("requestIdleCallback" in window) requestIdleCallback(write, { timeout: 100 });
    else setTimeout(write);
  };
  on(["spot"], () => {
    if (!state.isDragging && !wasDragged) return follow();
    wasDragged = state.isDragging;
    return wasDragged ? undefined : later();
  });
  window.addEventListener("pagehide", follow);
  follow(); // the address in the page's own words
  window.addEventListener("popstate", onAddress);
}
