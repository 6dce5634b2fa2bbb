// A client of the gpuodds server for JavaScript: an ES module without dependencies.
//
//   import { Client } from "./gpuodds.js";
//   const client = new Client();                      // the server that the module was loaded from
//   const answer = await client.equity(["AsKs"], { opponents: 3 });
//   for await (const [kind, value] of client.stream(["QQ+", "22+"], { board: "2s7d9h" })) ...
//
// Answers are the server's JSON objects. A refusal throws a Problem: its message is one line, `problem` the
// problem+json object. A server that does not answer, and a stream that breaks off, throw one with status 0.
// An AbortSignal (options.signal) cancels a request. The types of options and answers are at the end.

export class Problem extends Error {
  /** @param {ProblemObject} problem */
  constructor(problem) {
    super(problem.detail || "the server gave no reason");
    this.problem = problem;
  }
}

/**
 * Returns a failure below HTTP as a Problem, but an abort by the caller as it is.
 *
 * @param {unknown} error
 * @param {AbortSignal | null | undefined} signal
 * @param {string} detail
 */
function broken(error, signal, detail) {
  return signal?.aborted ? error : new Problem({ status: 0, detail });
}

export class Client {
  /**
   * @param {string} base the server's address, ending with a slash
   * @param {string | null} token the server's token, if it has one
   */
  constructor(base = new URL(".", import.meta.url).href, token = null) {
    this.base = base;
    this.token = token;
  }

  /**
   * @param {string} path
   * @param {object} [body] of a POST; without one the request is a GET
   * @param {AbortSignal} [signal]
   * @returns {Promise<Response>}
   */
  async #send(path, body, signal) {
    /** @type {Record<string, string>} */
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    // fetch takes a header as text with one character per byte: here the token's UTF-8 bytes.
    if (this.token) headers.Authorization = `Bearer ${String.fromCharCode(...new TextEncoder().encode(this.token))}`;
    /** @type {RequestInit} */
    const init = { method: body === undefined ? "GET" : "POST", headers, signal };
    if (body !== undefined) init.body = JSON.stringify(body);
    let response;
    try {
      response = await fetch(new URL(path, this.base), init);
    } catch (error) {
      throw broken(error, signal, "The server does not answer.");
    }
    if (response.ok) return response;
    let problem;
    try {
      problem = await response.json();
    } catch {
      problem = { status: response.status, detail: `the server answers ${response.status}` };
    }
    throw new Problem(problem);
  }

  /**
   * @param {string} path
   * @param {object} [body]
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async #read(path, body, signal) {
    const response = await this.#send(path, body, signal);
    try {
      return await response.json();
    } catch (error) {
      throw broken(error, signal, "The connection ended before the answer.");
    }
  }

  /**
   * @param {string[]} hands a hand or a range per player
   * @param {EquityOptions} options
   * @returns {Promise<EquityAnswer>}
   */
  equity(hands, { signal, ...options } = {}) {
    return this.#read("v1/equity", { hands, ...options }, signal);
  }

  /**
   * The equities on every flop: rows of the boards that differ in suits alone.
   *
   * @param {string[]} hands
   * @param {ReportOptions} options
   * @returns {Promise<BoardReportAnswer>}
   */
  flops(hands, { signal, ...options } = {}) {
    return this.#read("v1/flops", { hands, ...options }, signal);
  }

  /**
   * The equities on every turn card of a flop.
   *
   * @param {string[]} hands
   * @param {ReportOptions & { board: string }} options
   * @returns {Promise<BoardReportAnswer>}
   */
  turns(hands, { signal, ...options }) {
    return this.#read("v1/turns", { hands, ...options }, signal);
  }

  /**
   * @param {string} text a range in any dialect
   * @param {Cancellable & { game?: string }} options
   * @returns {Promise<RangeAnswer>}
   */
  range(text, { signal, ...options } = {}) {
    return this.#read("v1/range", { text, ...options }, signal);
  }

  /**
   * The made hands and draws of a range by street.
   *
   * @param {string} text
   * @param {HitsOptions} options
   * @returns {Promise<HitsAnswer>}
   */
  hits(text, { signal, ...options } = {}) {
    return this.#read("v1/hits", { text, ...options }, signal);
  }

  /**
   * @param {Cancellable} options
   * @returns {Promise<GamesAnswer>}
   */
  games({ signal } = {}) {
    return this.#read("v1/games", undefined, signal);
  }

  /**
   * @param {Cancellable & { game?: string }} options
   * @returns {Promise<PresetsAnswer>}
   */
  presets({ game = "holdem", signal } = {}) {
    return this.#read(`v1/presets?game=${encodeURIComponent(game)}`, undefined, signal);
  }

  /**
   * @param {string} hand the cards to bet on
   * @param {KellyOptions} options
   * @returns {Promise<KellyAnswer>}
   */
  kelly(hand, { signal, ...options }) {
    return this.#read("v1/kelly", { hand, ...options }, signal);
  }

  /** All-in or fold. @param {number[]} stacks @param {PushFoldOptions} options @returns {Promise<PushFoldAnswer>} */
  pushFold(stacks, { signal, ...options } = {}) {
    return this.#read("v1/push-fold", { stacks, ...options }, signal);
  }

  /**
   * @param {Cancellable} options
   * @returns {Promise<TablesAnswer>}
   */
  tables({ signal } = {}) {
    return this.#read("v1/tables", undefined, signal);
  }

  /**
   * @param {string} board three to five cards
   * @param {Cancellable & { opponents?: number }} options
   * @returns {Promise<EquitiesAnswer>}
   */
  equities(board, { opponents = 1, signal } = {}) {
    return this.#read(`v1/boards/${encodeURIComponent(board)}/equities?opponents=${opponents}`, undefined, signal);
  }

  /**
   * Yields ["estimate", object], ["progress", fraction] and last ["answer", object], which is exact, or
   * sampled ("exact": false) and no worse than the last estimate. Too few samples are a Problem.
   *
   * @param {string[]} hands a hand or a range per player
   * @param {EquityOptions} options
   * @returns {AsyncGenerator<StreamEvent, void, void>}
   */
  stream(hands, { signal, ...options } = {}) {
    return /** @type {AsyncGenerator<StreamEvent, void>} */ (this.#events("v1/equity/stream", { hands, ...options }, signal));
  }

  /** All-in or fold: certificates of the search, at last the answer. @param {number[]} stacks @param {PushFoldOptions} options */
  pushFoldStream(stacks, { signal, ...options } = {}) {
    return /** @type {AsyncGenerator<PushFoldEvent, void>} */ (this.#events("v1/push-fold/stream", { stacks, ...options }, signal));
  }

  /** @param {string} path @param {object} asked @param {AbortSignal | undefined} signal @returns {AsyncGenerator<any, void>} */
  async *#events(path, asked, signal) {
    const response = await this.#send(path, asked, signal);
    const body = /** @type {NonNullable<Response["body"]>} */ (response.body);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error) => {
          throw broken(error, signal, "The connection ended before the answer.");
        });
        if (done) throw broken(null, null, "The connection ended before the answer.");
        text += value;
        let end;
        while ((end = text.indexOf("\n\n")) >= 0) {
          const event = text.slice(0, end).split("\n");
          text = text.slice(end + 2);
          const kind = event[0].slice("event: ".length);
          const found = JSON.parse(event[1].slice("data: ".length));
          if (kind === "error") throw new Problem(found);
          yield [kind, found];
          if (kind === "answer") return;
        }
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}

// Counts are decimal strings, as they can exceed 2^53, or numbers if hands have weights: see /v1/openapi.json.

/** @typedef {string | number} Count */

/**
 * A reason why there is no answer: problem+json (RFC 9457), one line in `detail`. The status is 0 if the
 * server did not answer; `retry_after` are the seconds after which to try again.
 *
 * @typedef {{ status: number, detail?: string, type?: string, title?: string, retry_after?: number, input?: string }} ProblemObject
 */

/** @typedef {{ signal?: AbortSignal }} Cancellable */

/**
 * @typedef {Cancellable & {
 *   opponents?: number | null, board?: string, dead?: string, game?: string, folded?: string[],
 *   method?: "auto" | "exact" | "monte-carlo", table?: boolean, samples?: number | null,
 *   standard_error?: number | null, time_limit?: number | null, deadline?: number | null, seed?: number | null,
 *   by_hand?: boolean, equity_graph?: boolean, blockers?: boolean, made_hands?: boolean,
 *   explain?: boolean, pot?: number | null, to_call?: number | null,
 * }} EquityOptions
 */

/**
 * @typedef {Cancellable & {
 *   opponents: number | string[], bankroll: number, stack?: number | null, pot?: number, to_call?: number,
 *   board?: string, dead?: string, game?: string, stacks?: (number | null)[] | null, fold?: number,
 *   multiple?: number, minimum?: number, spread?: number, seed?: number | null, explain?: boolean, fold_curve?: number[] | null,
 * }} KellyOptions
 */

/** @typedef {{ method: string, seconds: number | null, chosen: boolean, reason: string }} MethodAnswer */
/** @typedef {{ explanation?: MethodAnswer[], assumed?: string[] }} ExplainedAnswer what `explain` adds */

/** @typedef {{ hand: string, weight: number, equity: number, win: number, tie: number }} HandAnswer what `by_hand` adds, best first */
/** @typedef {{ hand: string, weight: number, blocked: number, share: number, made: Record<string, number>, equity: number | null, change: number | null }} BlockersAnswer */

/**
 * The shares of final hands of a category, and of those that win and tie: what `made_hands` adds.
 *
 * @typedef {{ all: number, win: number, tie: number }} MadeHandAnswer
 */

/**
 * What a call is worth to the first player: what `pot` and `to_call` add.
 *
 * @typedef {{
 *   pot: number, to_call: number, pot_odds: number, pot_odds_exact: string, expected_value: number,
 *   expected_value_exact: string | null, standard_error: number | null,
 * }} CallAnswer
 */

/**
 * One player; `high_outcomes`, `low_outcomes` and `scoop` only in hi-lo. What is not known is null.
 *
 * @typedef {{
 *   hand: string, equity: number, equity_exact: string | null, win: number | null, tie: number | null,
 *   lose: number | null, win_outcomes: Count | null, tie_outcomes: Count[] | null,
 *   standard_error: number | null, high_outcomes?: Count[] | null, low_outcomes?: Count[] | null,
 *   scoop?: number | null, by_hand?: HandAnswer[], blockers?: BlockersAnswer[], made_hands?: Record<string, MadeHandAnswer> | null,
 * }} PlayerAnswer
 */

/**
 * The object gpuodds.equity/1. `winners` are null where not known, `low_winners` also without a low half.
 *
 * @typedef {ExplainedAnswer & {
 *   schema: string, game: string, hands: string[], opponents: number, board: string, dead: string,
 *   folded?: string[], method: string, exact: boolean, backend: string, outcomes: Count | null,
 *   players: PlayerAnswer[], random_equity: number | null, seconds: number,
 *   winners?: Record<string, Count> | null, low_winners?: Record<string, Count>, notes?: string[],
 *   call?: CallAnswer,
 * }} EquityAnswer
 */

/** @typedef {["estimate", EquityAnswer] | ["progress", number] | ["answer", EquityAnswer]} StreamEvent */
/** @typedef {{ ranks: string, suits: string, combos: number, weight: number }} ClassAnswer */

/**
 * The object gpuodds.range/1: `grid` for games with two hole cards, `classes` for Omaha.
 *
 * @typedef {{
 *   schema: string, game: string, text: Record<string, string>, combos: number, holdings: number,
 *   percent: number, grid?: number[][], classes?: ClassAnswer[], weights: Record<string, number>,
 *   notes?: string[],
 * }} RangeAnswer
 */

/**
 * @typedef {{
 *   name: string, other_names: string[], title: string, rules: string, deck_size: number,
 *   hole_cards: number, max_players: number, has_low: boolean,
 * }} GameAnswer
 */

/** @typedef {{ schema: string, games: GameAnswer[] }} GamesAnswer */

/**
 * Ranges by name: the object gpuodds.presets/1.
 *
 * @typedef {{
 *   schema: string, game: string,
 *   sets: { title: string, note: string, ranges: { name: string, text: string, percent: number }[] }[],
 * }} PresetsAnswer
 */

/**
 * What an action does; the growth is null if it is minus infinity.
 *
 * @typedef {{
 *   action: string, chips: number, fraction: number, growth: number | null, expected_value: number,
 *   loss: number, pot_odds: number,
 * }} BetOption
 */

/**
 * The object gpuodds.kelly/1; docs/betting.md describes the fields.
 *
 * @typedef {ExplainedAnswer & {
 *   schema: string, game: string, model: string, hand: string, board: string, dead: string,
 *   opponents: number, against: string[], bankroll: number, stack: number, pot: number,
 *   side_pots: [number, number, number][], to_call: number, stacks: (number | null)[], fold: number[],
 *   callers: number[] | null, multiple: number, action: string, fraction: number, bet: number,
 *   bet_chips: number, win: number, split: number[], lose: number, equity: number, pot_odds: number,
 *   expected_value: number, growth: number | null, loss: number, options: BetOption[], exact: boolean,
 *   method: string, backend: string, standard_error: Record<string, any> | null, advice_changes: boolean | null,
 *   other_actions: string[],
 * }} KellyAnswer
 */

/** @typedef {Cancellable & { blinds?: number[], ante?: number, payouts?: number[], lock?: Record<string, string>, hands?: string[], [name: string]: any }} PushFoldOptions */
/** @typedef {Record<"probability" | "chance" | "all_in" | "fold" | "difference", number> & { place: string, hand: string, unit: string, endings: { callers: string, chance: number, equity: number, value: number }[], opponents: { position: string, all_in: boolean, percent: number, range: string }[] }} DecisionAnswer */
/** @typedef {{ positions: string[], stacks: number[], unit: string, exact: boolean, values: number[], certificate: { share_of_pool: number }, strategies: Record<string, Record<string, Record<string, number>>>, decisions?: DecisionAnswer[] }} PushFoldAnswer */
/** @typedef {["estimate", { iterations: number, share_of_pool: number }] | ["answer", PushFoldAnswer]} PushFoldEvent */
/** @typedef {{ tables: { name: string, ships: boolean }[] }} TablesAnswer */
/** @typedef {{ board: string, opponents: number, equities: Record<string, number> }} EquitiesAnswer */

/**
 * @typedef {object} HitsSpot
 * @property {string} [board] none, or three to five cards
 * @property {string} [dead]
 * @property {string} [game]
 * @property {boolean} [by_hand] needs a board
 * @property {string[]} [filters] what hands must have, such as "top pair+, flush draw"
 * @typedef {HitsSpot & Cancellable} HitsOptions
 */

/**
 * @typedef {{ name: string, combos: number, share: number }} HitCount
 * @typedef {{ hand: string, weight: number, made: string, draws: string[] }} HandHits
 * @typedef {{ street: string, board: string, boards: number, made: HitCount[], draws: HitCount[], by_hand?: HandHits[] }} StreetHits
 */

/**
 * The object gpuodds.hits/1.
 * @typedef {{ schema: string, game: string, range: string, board: string, dead: string, combos: number, streets: StreetHits[], kept?: { range: string, combos: number } }} HitsAnswer
 */

/** @typedef {{ opponents?: number, dead?: string, game?: string } & Cancellable} ReportOptions */

/**
 * A row of a report: `flop` or `turn`, and `equity_1`, `win_1`, `tie_1`, ... of each player, null where the
 * board cannot be dealt.
 * @typedef {{ flop?: string, turn?: string, weight: number, textures: string, outcomes: string | number, [figure: string]: any }} ReportRow
 */

/**
 * The object gpuodds.board_report/1; the players are those of gpuodds.equity/1, over all rows.
 * @typedef {Record<"schema" | "game" | "street" | "board" | "dead" | "backend", string> & { hands: string[], seconds: number, outcomes: string | number, players: any[], rows: ReportRow[] }} BoardReportAnswer
 */
