// The shapes that the page's modules share, as JSDoc types; nothing is exported at run time.

/**
 * A player's place at the table. Its id stays with the player when other seats come and go. The cards of a player who
 * has folded are dead. Filters are classes of hits by street: of the range, what has one of them plays on.
 * @typedef {{ id: number, text: string, name: string, isFolded: boolean, filters: Record<string, string[]> }} Seat
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
 * A range of two cards as the page knows it: read by the server, or by the page itself, or painted.
 * @typedef {object} RangeEntry
 * @property {string} text
 * @property {string} game
 * @property {Weights | null} weights null until the text is read, and if it cannot be
 * @property {Weights} shown the weights, or those before them while the text is read
 * @property {import("./gpuodds.js").RangeAnswer | null} found the object gpuodds.range/1, if the server read the text
 * @property {string} error why the text cannot be read
 */

/**
 * The request for the current spot: the seats that play, their hands in the same order; and of those that have folded.
 * @typedef {object} SpotRequest
 * @property {Seat[]} seats
 * @property {string[]} hands
 * @property {Seat[]} folded
 * @property {{ opponents: number, board: string, dead: string, game: string, folded?: string[] }} options
 * @property {boolean} isWaiting whether hands are still being filtered
 * @property {string} lack what the filters lack; "" if nothing
 */

/**
 * What a view is made from.
 * @typedef {object} ViewContext
 * @property {SpotRequest} request
 * @property {number} place the place of the player in focus in the request, from 0; -1 if it has none
 * @property {Seat} seat the seat in focus
 * @property {AbortSignal} signal ends when the view is no longer wanted
 */

/**
 * @typedef {object} View
 * @property {string} name
 * @property {string} label the text of its tab
 * @property {(context: ViewContext) => Promise<HTMLElement>} make
 * @property {(context: ViewContext) => string} title what it shows
 * @property {(game: Game) => boolean} [fits] whether the game has the view; by default all have
 * @property {boolean} [ofAll] whether it is of all players, whoever is in focus
 * @property {boolean} [isFree] whether it has nothing to do with the spot
 * @property {boolean} [alone] whether it answers a single player, without an opponent
 * @property {boolean} [ofAllBoards] whether the board does not matter to it
 */

export {};
