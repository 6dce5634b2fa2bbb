// The shapes that the page's modules share, as JSDoc types; nothing is exported at run time.

/**
 * A player's place at the table. Its id stays with the player when other seats come and go.
 * @typedef {{ id: number, text: string }} Seat
 */

/**
 * What is asked. Cards and ranges are texts as the user wrote them; the server reads them.
 * @typedef {{ seats: Seat[], opponents: number, board: string, dead: string, game: string }} Spot
 */

/**
 * The rules of a game, as /v1/games lists them.
 * @typedef {object} Game
 * @property {string} name
 * @property {string[]} other_names
 * @property {string} title
 * @property {number} deck_size
 * @property {number} hole_cards
 * @property {number} max_players
 * @property {boolean} has_low
 */

/**
 * The weights above 0 of a range by combo, written as the server does: "AsKh".
 * @typedef {Record<string, number>} Weights
 */

/**
 * The request for the current spot: the seats that are not empty, their hands in the same order.
 * @typedef {object} SpotRequest
 * @property {Seat[]} seats
 * @property {string[]} hands
 * @property {{ opponents: number, board: string, dead: string, game: string }} options
 */

/**
 * A view of one player's spot.
 * @typedef {object} ViewContext
 * @property {SpotRequest} request
 * @property {number} place the player's place in the request, from 0
 * @property {string} whose "Player B, QQ+"
 * @property {Seat} seat
 * @property {AbortSignal} signal ends when the view is no longer wanted
 */

/**
 * @typedef {object} View
 * @property {string} name
 * @property {string} label the text of its tab
 * @property {string} title what it shows: "equity of each hand"
 * @property {(context: ViewContext) => Promise<HTMLElement>} make
 * @property {(game: Game) => boolean} [fits] whether the game has the view; by default all have
 * @property {boolean} [alone] whether it answers a single player, without an opponent
 * @property {boolean} [ofAllBoards] whether the board does not matter to it
 */

export {};
