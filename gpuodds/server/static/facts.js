// What the server has written into the page: its version, and the games.
/** @import { Game } from "./types.js" */

/** @type {{ version: string, games: Game[] }} */
export const facts = JSON.parse(document.getElementById("facts")?.textContent || '{"version":"","games":[]}');
