// A client of the gpuodds server for JavaScript: an ES module without dependencies.
//
//   import { Client } from "./gpuodds.js";
//   const client = new Client();                      // the server that the module came from
//   const answer = await client.equity(["AsKs"], { opponents: 3 });
//   for await (const [kind, value] of client.stream(["QQ+", "22+"], { board: "2s7d9h" })) ...
//
// Answers are the JSON objects of the server. A refusal throws a Problem: its message is one line,
// `problem` the problem+json object. An AbortSignal (options.signal) stops a question.

export class Problem extends Error {
  constructor(problem) {
    super(problem.detail || "the server gave no reason");
    this.problem = problem;
  }
}

export class Client {
  constructor(base = new URL(".", import.meta.url).href, token = null) {
    this.base = base;
    this.token = token;
  }

  async #send(way, body, signal) {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    const init = { method: body === undefined ? "GET" : "POST", headers, signal };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(new URL(way, this.base), init);
    if (response.ok) return response;
    let problem;
    try {
      problem = await response.json();
    } catch {
      problem = { status: response.status, detail: `the server answers ${response.status}` };
    }
    throw new Problem(problem);
  }

  async #read(way, body, signal) {
    return (await this.#send(way, body, signal)).json();
  }

  equity(hands, { signal, ...options } = {}) {
    return this.#read("v1/equity", { hands, ...options }, signal);
  }

  range(text, { signal } = {}) {
    return this.#read("v1/range", { text }, signal);
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

  // Gives ["estimate", object], ["progress", share] and at last ["answer", object], which is exact, or
  // sampled ("exact": false) and no worse than the last estimate.
  async *stream(hands, { signal, ...options } = {}) {
    const response = await this.#send("v1/equity/stream", { hands, ...options }, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += value;
        let end;
        while ((end = text.indexOf("\n\n")) >= 0) {
          const event = text.slice(0, end).split("\n");
          text = text.slice(end + 2);
          const kind = event[0].slice("event: ".length);
          const found = JSON.parse(event[1].slice("data: ".length));
          if (kind === "error") throw new Problem(found);
          yield [kind, found];
        }
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}
