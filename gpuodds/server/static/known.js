// The cards that are known: of the board, of known hands, and dead ones.
import { cardsIn, onlyCards } from "./cards.js";
import { isHand, state } from "./state.js";

/** Returns the known cards of each seat. */
export const knownHands = () => state.spot.seats.filter(({ text }) => isHand(text)).map((one) => ({ id: one.id, cards: cardsIn(one.text) }));

/**
 * Returns the cards that are known apart from a seat's own: board, dead cards, other hands.
 * @param {number} id
 */
export function knownCards(id) {
  const others = knownHands().filter((one) => one.id !== id);
  return [...onlyCards(state.spot.board), ...onlyCards(state.spot.dead), ...others.flatMap((one) => one.cards)];
}
