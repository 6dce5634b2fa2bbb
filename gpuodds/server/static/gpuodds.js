// A client of the gpuodds server for JavaScript: an ES module without dependencies.
//
//   import { Client } from "./gpuodds.js";
//   const client = new Client();                      // the server that the module was loaded from
//   const answer = await client.equity(["AsKs"], { opponents: 3 });
//   for await (const [kind, value] of client.stream(["QQ+", "22+"], { board: "2s7d9h" })) ...
//
// Answers are the server's JSON objects. A refusal throws a Problem: its message is one line, `problem` the
// problem+json object. A server that does not answer, and a stream that breaks off, throw one with status 0.
// An AbortSignal (options.signal) cancels a request.

export class Problem extends Error {
  constructor(problem) {
    super(problem.detail || "the server gave no reason");
    this.problem = problem;
  }
}

// Returns a failure below HTTP as a Problem, but an abort by the caller as it is.
function broken(error, signal, detail) {
  return signal?.aborted ? error : new Problem({ status: 0, detail });
}

export class Client {
  constructor(base = new URL(".", import.meta.url).href, token = null) {
    this.base = base;
    this.token = token;
  }

  async #send(path, body, signal) {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    // fetch takes a header as text with one character per byte: here the token's UTF-8 bytes.
    if (this.token) headers.Authorization = `Bearer ${String.fromCharCode(...new TextEncoder().encode(this.token))}`;
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

  async #read(path, body, signal) {
    const response = await this.#send(path, body, signal);
    try {
      return await response.json();
    } catch (error) {
      throw broken(error, signal, "The connection ended before the answer.");
    }
  }

  equity(hands, { signal, ...options } = {}) {
    return this.#read("v1/equity", { hands, ...options }, signal);
  }

  range(text, { signal, ...options } = {}) {
    return this.#read("v1/range", { text, ...options }, signal);
  }

  games({ signal } = {}) {
    return this.#read("v1/games", undefined, signal);
  }

  kelly(hand, { signal, ...options }) {
    return this.#read("v1/kelly", { hand, ...options }, signal);
  }

  tables({ signal } = {}) {
    return this.#read("v1/tables", undefined, signal);
  }

  equities(board, { opponents = 1, signal } = {}) {
    return this.#read(`v1/boards/${encodeURIComponent(board)}/equities?opponents=${opponents}`, undefined, signal);
  }

  // Yields ["estimate", object], ["progress", fraction] and last ["answer", object], which is exact, or
  // sampled ("exact": false) and no worse than the last estimate.
  async *stream(hands, { signal, ...options } = {}) {
    const response = await this.#send("v1/equity/stream", { hands, ...options }, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
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
