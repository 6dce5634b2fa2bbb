// The page: a spot is plain data, kept in the address and in a history for undo; every change draws the
// page anew and asks the server, the last question alone.
import { RANKS, SUITS, SYMBOLS, cardsIn, isKnown, gridName, NAMES, HOLDINGS, sorted, textOf } from "./cards.js";
import { Client, Problem } from "./gpuodds.js";

const LETTERS = "ABCDEFGHIJ";
const MOST_SEATS = 10;
const $ = (id) => document.getElementById(id);

const token = new URLSearchParams(location.hash.slice(1)).get("token");
const client = new Client(undefined, token);

// --- the spot ---------------------------------------------------------------------------------------

const fresh = () => ({ hands: ["", ""], opponents: 0, board: "", dead: "" });
let spot = fresh();
let chosen = 0;
let past = [];
let future = [];
let answer = null; // the last answer or estimate, for the spot as it is
let weights = {}; // of the chosen player's range: holding -> weight

function fromAddress() {
  const query = new URLSearchParams(location.search);
  if (![...query.keys()].length) return fresh();
  const hands = query.getAll("hand").slice(0, MOST_SEATS);
  while (hands.length < 2) hands.push("");
  const opponents = Math.min(22, Math.max(0, Number.parseInt(query.get("opponents") || "0", 10) || 0));
  return { hands, opponents, board: query.get("board") || "", dead: query.get("dead") || "" };
}

function toAddress(of) {
  const query = new URLSearchParams();
  for (const hand of of.hands) query.append("hand", hand);
  if (of.opponents) query.set("opponents", of.opponents);
  if (of.board) query.set("board", of.board);
  if (of.dead) query.set("dead", of.dead);
  return `${location.pathname}?${query}${token ? `#token=${encodeURIComponent(token)}` : ""}`;
}

function change(next, { remember = true } = {}) {
  if (JSON.stringify(next) === JSON.stringify(spot)) return;
  if (remember) {
    past.push(spot);
    if (past.length > 200) past.shift();
    future = [];
  }
  spot = next;
  chosen = Math.min(chosen, spot.hands.length - 1);
  history.replaceState(null, "", toAddress(spot));
  draw();
  ask();
}

const edited = (part) => change({ ...spot, ...part });
const withHand = (place, text) => edited({ hands: spot.hands.map((hand, i) => (i === place ? text : hand)) });

function step(from, to) {
  if (!from.length) return;
  to.push(spot);
  const next = from.pop();
  change(next, { remember: false });
}

// --- cards ------------------------------------------------------------------------------------------

function takenCards() {
  const hands = spot.hands.filter(isKnown).flatMap(cardsIn);
  return { board: cardsIn(spot.board), dead: cardsIn(spot.dead), hands };
}

function pick(card) {
  const target = document.querySelector('input[name="target"]:checked').value;
  const text = target === "hand" ? spot.hands[chosen] : spot[target];
  const cards = target === "hand" && !isKnown(text) && cardsIn(text).length !== 1 ? [] : cardsIn(text);
  const at = cards.indexOf(card);
  if (at >= 0) cards.splice(at, 1);
  else if (target === "board" && cards.length >= 5) return;
  else if (target === "hand" && cards.length >= 2) return;
  else cards.push(card);
  if (target === "hand") withHand(chosen, cards.join(""));
  else edited({ [target]: cards.join("") });
}

// --- ranges -----------------------------------------------------------------------------------------

function painted(name, weight) {
  const picks = [...document.querySelectorAll("#suit-picks [aria-pressed='true']")].map((b) => b.dataset.suit);
  const next = { ...weights };
  for (const holding of HOLDINGS[name]) {
    if (picks.length && !picks.includes(holding[1]) && !picks.includes(holding[3])) continue;
    if (weight) next[sorted(holding)] = weight;
    else delete next[sorted(holding)];
  }
  return next;
}

let readRange = 0;
async function showRange() {
  const mine = ++readRange;
  const text = spot.hands[chosen].trim();
  $("range-whose").textContent = `player ${LETTERS[chosen]}`;
  if (document.activeElement !== $("range-text")) $("range-text").value = spot.hands[chosen];
  if (!text) {
    weights = {};
    drawGrid(null);
    return;
  }
  try {
    const found = await client.range(isKnown(text) ? cardsIn(text).join("") : text);
    if (mine !== readRange) return;
    weights = found.weights;
    drawGrid(found);
  } catch (error) {
    if (mine !== readRange) return;
    $("range-size").textContent = error instanceof Problem ? error.message : "";
  }
}

function drawGrid(found) {
  $("range-size").textContent = found ? `${+found.combos.toFixed(2)} combos, ${found.percent.toFixed(1)} %` : "";
  $("grid").dataset.pio = found ? found.text.pio : "";
  $("grid").dataset.gto = found ? found.text["gto+"] : "";
  for (const cell of document.querySelectorAll("#grid [role='gridcell']")) {
    const values = HOLDINGS[cell.dataset.name].map((holding) => weights[sorted(holding)] || 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    cell.style.setProperty("--part", `${100 * mean}%`);
    cell.dataset.partial = String(values.some((value) => value !== values[0]));
    cell.setAttribute("aria-selected", String(mean > 0));
    cell.setAttribute("aria-label", `${cell.dataset.name}, ${Math.round(100 * mean)} %`);
  }
}

function buildGrid() {
  for (let row = 0; row < 13; row += 1) {
    const line = document.createElement("div");
    line.setAttribute("role", "row");
    for (let column = 0; column < 13; column += 1) {
      const cell = document.createElement("span");
      cell.setAttribute("role", "gridcell");
      cell.tabIndex = row || column ? -1 : 0;
      cell.dataset.name = gridName(row, column);
      cell.textContent = cell.dataset.name;
      line.append(cell);
    }
    $("grid").append(line);
  }
  let brush = null;
  const weight = () => Math.min(1, Math.max(0, Number($("weight").value) / 100));
  const paint = (cell) => {
    weights = painted(cell.dataset.name, brush);
    drawGrid(null);
  };
  const keep = () => withHand(chosen, textOf(weights));
  $("grid").addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("[role='gridcell']");
    if (!cell) return;
    brush = cell.getAttribute("aria-selected") === "true" ? 0 : weight();
    paint(cell);
    event.preventDefault();
    focusCell(cell);
  });
  $("grid").addEventListener("pointermove", (event) => {
    if (brush === null) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("#grid [role='gridcell']");
    if (cell) paint(cell);
  });
  window.addEventListener("pointerup", () => {
    if (brush === null) return;
    brush = null;
    keep();
  });
  $("grid").addEventListener("keydown", (event) => {
    const cells = [...document.querySelectorAll("#grid [role='gridcell']")];
    const at = cells.indexOf(event.target);
    const moves = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 13, ArrowUp: -13 };
    if (event.key in moves) {
      const next = cells[at + moves[event.key]];
      if (next) focusCell(next);
      event.preventDefault();
    } else if (event.key === " " || event.key === "Enter") {
      brush = event.target.getAttribute("aria-selected") === "true" ? 0 : weight();
      paint(event.target);
      brush = null;
      keep();
      event.preventDefault();
    }
  });
}

function focusCell(cell) {
  for (const other of document.querySelectorAll("#grid [tabindex='0']")) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

// --- drawing ----------------------------------------------------------------------------------------

function draw() {
  const seats = $("seats");
  while (seats.children.length > spot.hands.length) seats.lastChild.remove();
  while (seats.children.length < spot.hands.length) seats.append(newSeat(seats.children.length));
  [...seats.children].forEach((seat, place) => {
    seat.dataset.chosen = String(place === chosen);
    const input = seat.querySelector("input");
    if (document.activeElement !== input) input.value = spot.hands[place];
    seat.querySelector(".remove").disabled = spot.hands.length <= 1;
  });
  for (const [id, value] of [["board", spot.board], ["dead", spot.dead], ["opponents", String(spot.opponents)]]) {
    if (document.activeElement !== $(id)) $(id).value = value;
  }
  const taken = takenCards();
  for (const button of $("cards").children) {
    const card = button.dataset.card;
    const where = ["board", "dead", "hands"].find((part) => taken[part].includes(card));
    button.setAttribute("aria-pressed", String(Boolean(where)));
    const words = { board: ", on the board", dead: ", dead", hands: ", in a hand" };
    button.setAttribute("aria-label", `${card}${where ? words[where] : ""}`);
  }
  $("undo").disabled = !past.length;
  $("redo").disabled = !future.length;
  $("add-seat").disabled = spot.hands.length >= MOST_SEATS;
  showRange();
}

function newSeat(place) {
  const seat = document.createElement("li");
  const letter = document.createElement("span");
  letter.className = "letter";
  letter.textContent = LETTERS[place];
  const input = document.createElement("input");
  input.setAttribute("aria-label", `Player ${LETTERS[place]}: hand or range`);
  input.placeholder = "AsKs, QQ+, 15%, random";
  input.autocomplete = "off";
  input.spellcheck = false;
  input.maxLength = 20000;
  input.addEventListener("focus", () => {
    chosen = place;
    draw();
  });
  input.addEventListener("change", () => withHand(place, input.value.trim()));
  const random = document.createElement("button");
  random.type = "button";
  random.textContent = "any";
  random.setAttribute("aria-label", `Player ${LETTERS[place]}: any hand`);
  random.addEventListener("click", () => withHand(place, "random"));
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "remove";
  remove.textContent = "✕";
  remove.setAttribute("aria-label", `Remove player ${LETTERS[place]}`);
  remove.addEventListener("click", () => edited({ hands: spot.hands.filter((_, i) => i !== place) }));
  seat.append(letter, input, random, remove);
  return seat;
}

const percent = (share, digits = 2) => `${(100 * share).toFixed(digits)} %`;

// A bar as long as the equity, with a whisker over its 95 % interval where it is an estimate.
function newBar(equity, error) {
  const room = document.createElement("span");
  room.className = "meter";
  const bar = document.createElement("span");
  bar.className = "bar";
  bar.style.width = `${100 * equity}%`;
  room.append(bar);
  if (error) {
    const whisker = document.createElement("span");
    whisker.className = "whisker";
    const low = Math.max(0, equity - 1.96 * error);
    whisker.style.left = `${100 * low}%`;
    whisker.style.width = `${100 * (Math.min(1, equity + 1.96 * error) - low)}%`;
    room.append(whisker);
  }
  return room;
}

function drawAnswer(found, isFinal) {
  const rows = found.players.map((player, place) => [`${LETTERS[place]}: ${player.hand}`, player]);
  if (found.opponents) {
    const each = { equity: found.random_equity };
    rows.push([found.opponents > 1 ? `each of ${found.opponents} random` : "random", each]);
  }
  const body = $("result").tBodies[0];
  body.replaceChildren(
    ...rows.map(([name, player]) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      const digits = found.exact ? 4 : 2;
      const equity = document.createElement("td");
      equity.textContent = percent(player.equity, digits);
      if (player.standard_error) {
        const error = document.createElement("span");
        error.className = "error-bar";
        error.textContent = ` ± ${percent(1.96 * player.standard_error)}`;
        equity.append(error);
      }
      equity.append(newBar(player.equity, player.standard_error));
      const others = ["win", "tie", "lose"].map((part) => {
        const cell = document.createElement("td");
        cell.textContent = player[part] === undefined ? "" : percent(player[part], digits);
        return cell;
      });
      row.append(head, equity, ...others);
      return row;
    }),
  );
  $("result").hidden = false;
  $("status").dataset.exact = String(found.exact);
  const count = Number(found.outcomes).toLocaleString("en");
  if (found.exact) {
    const how = found.method === "table" ? "from a table" : "counted";
    $("status").textContent = `${how}: all ${count} outcomes`;
  } else {
    $("status").textContent = `${isFinal ? "final " : ""}estimate from ${count} deals, 95 % error shown`;
  }
}

function showError(text) {
  $("error").hidden = !text;
  $("error").textContent = text || "";
}

// --- asking -----------------------------------------------------------------------------------------

let asking = null;

function question() {
  const hands = spot.hands.map((hand) => hand.trim()).filter(Boolean);
  return { hands, options: { opponents: spot.opponents, board: spot.board.trim(), dead: spot.dead.trim() } };
}

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const { hands, options } = question();
  answer = null;
  showError("");
  $("progress").hidden = true;
  $("status").dataset.exact = "false";
  if (!hands.length || hands.length + options.opponents < 2) {
    $("result").hidden = true;
    $("status").textContent = hands.length ? "Add another player, or a random opponent." : "Add a hand or a range.";
    showView();
    return;
  }
  $("status").textContent = "asking …";
  try {
    for await (const [kind, value] of client.stream(hands, { ...options, signal })) {
      if (signal.aborted) return;
      if (kind === "progress") {
        $("progress").hidden = value >= 1;
        $("progress").value = value;
      } else {
        answer = value;
        drawAnswer(value, kind === "answer");
        if (kind === "answer") $("progress").hidden = true;
      }
    }
    showView();
  } catch (error) {
    if (signal.aborted) return;
    $("result").hidden = true;
    $("progress").hidden = true;
    $("status").textContent = "No answer.";
    showError(error instanceof Problem ? error.message : "The server does not answer.");
    $("view").replaceChildren();
  }
}

// --- views ------------------------------------------------------------------------------------------

let view = "";
let viewing = null;

function chooseView(name) {
  view = view === name ? "" : name;
  for (const other of ["heat", "next", "opponents", "kelly"]) {
    $(`show-${other}`).setAttribute("aria-pressed", String(view === other));
  }
  $("kelly-form").hidden = view !== "kelly";
  showView();
}

async function showView() {
  viewing?.abort();
  viewing = new AbortController();
  const { signal } = viewing;
  const out = $("view");
  const { hands, options } = question();
  out.replaceChildren();
  if (!view || !hands.length) return;
  const place = Math.min(chosen, hands.length - 1);
  try {
    const made = await { heat: viewHeat, next: viewNext, opponents: viewOpponents, kelly: viewKelly }[view](hands, options, place, signal);
    if (!signal.aborted) out.replaceChildren(made);
  } catch (error) {
    if (signal.aborted) return;
    const line = document.createElement("p");
    line.textContent = error instanceof Problem ? error.message : "The server does not answer.";
    out.replaceChildren(line);
  }
}

async function viewHeat(hands, options, place, signal) {
  const found = await client.equity(hands, { ...options, by_hand: true, signal });
  const sums = {};
  for (const hand of found.players[place].by_hand) {
    const [a, b] = [hand.hand.slice(0, 2), hand.hand.slice(2)];
    const [high, low] = RANKS.indexOf(a[0]) <= RANKS.indexOf(b[0]) ? [a, b] : [b, a];
    const name = high[0] === low[0] ? high[0] + low[0] : high[0] + low[0] + (high[1] === low[1] ? "s" : "o");
    const sum = (sums[name] ||= [0, 0]);
    sum[0] += hand.weight * hand.equity;
    sum[1] += hand.weight;
  }
  const box = document.createElement("div");
  box.className = "heat";
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", `Equity of each starting hand of player ${LETTERS[place]}`);
  for (const name of NAMES) {
    const cell = document.createElement("span");
    const value = sums[name] && sums[name][0] / sums[name][1];
    cell.innerHTML = value === undefined ? name : `<b>${name}</b><small>${(100 * value).toFixed(1)}</small>`;
    if (value !== undefined) {
      cell.style.background = `hsl(${120 * value} 55% 50% / .55)`;
      cell.title = `${name}: ${percent(value, 4)}`;
    }
    box.append(cell);
  }
  return box;
}

async function viewNext(hands, options, place, signal) {
  const board = cardsIn(options.board);
  const line = document.createElement("p");
  if (board.length < 3 || board.length > 4) {
    line.textContent = "Put three or four cards on the board.";
    return line;
  }
  const known = new Set([...board, ...cardsIn(options.dead), ...hands.filter(isKnown).flatMap(cardsIn)]);
  const cards = RANKS.split("").flatMap((rank) => SUITS.split("").map((suit) => rank + suit)).filter((card) => !known.has(card));
  const found = {};
  await Promise.all(
    cards.map(async (card) => {
      try {
        const next = await client.equity(hands, { ...options, board: board.join("") + card, signal });
        found[card] = next.players[place].equity;
      } catch (error) {
        if (!(error instanceof Problem) || error.problem.status === 429) throw error;
      }
    }),
  );
  const box = document.createElement("div");
  box.className = "heat";
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", `Equity of player ${LETTERS[place]} by the next card`);
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      const cell = document.createElement("span");
      const value = found[rank + suit];
      cell.innerHTML = `<b class="${suit}">${rank}${SYMBOLS[suit]}</b><small>${value === undefined ? "–" : (100 * value).toFixed(0)}</small>`;
      if (value !== undefined) cell.style.background = `hsl(${120 * value} 55% 50% / .45)`;
      box.append(cell);
    }
  }
  return box;
}

async function viewOpponents(hands, options, place, signal) {
  const most = Math.min(9, 23 - hands.length);
  const fewest = hands.length > 1 ? 0 : 1;
  const numbers = Array.from({ length: most - fewest + 1 }, (_, i) => fewest + i);
  const found = await Promise.all(numbers.map((opponents) => client.equity(hands, { ...options, opponents, signal })));
  const values = found.map((one) => one.players[place].equity);
  const table = document.createElement("table");
  table.innerHTML = "<thead><tr><th scope='col'>Random opponents</th><th scope='col'>Equity</th></tr></thead>";
  const body = table.createTBody();
  numbers.forEach((number, i) => {
    const row = body.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = number;
    const cell = document.createElement("td");
    cell.textContent = percent(values[i], found[i].exact ? 4 : 2);
    cell.append(newBar(values[i], found[i].players[place].standard_error));
    row.append(head, cell);
  });
  return table;
}

async function viewKelly(hands, options, place, signal) {
  const line = document.createElement("p");
  const opponents = options.opponents + hands.length - 1;
  if (!isKnown(hands[place]) || opponents < 1) {
    line.textContent = "Choose a player with two known cards, against others.";
    return line;
  }
  const found = await client.kelly(cardsIn(hands[place]).join(""), {
    opponents,
    board: options.board,
    dead: options.dead,
    bankroll: Number($("bankroll").value) || 1,
    pot: Number($("pot").value) || 0,
    to_call: Number($("to-call").value) || 0,
    signal,
  });
  const chips = found.bet_chips ? ` ${found.bet_chips.toLocaleString("en")} chips, ${percent(found.fraction)} of the bankroll` : "";
  line.textContent = `${found.action}${chips}; expected gain ${found.expected_value.toFixed(1)}, growth ${found.growth.toFixed(4)}. Against ${opponents} with any cards, who call.`;
  return line;
}

// --- copying ----------------------------------------------------------------------------------------

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("status").textContent = `${what} copied`;
  } catch {
    showError(`The browser does not let the page copy: ${text.slice(0, 200)}`);
  }
}

const quoted = (text) => (/^[\w+%,:.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function asCommand() {
  const { hands, options } = question();
  const parts = ["gpuodds equity", ...hands.map(quoted)];
  if (options.opponents) parts.push(`--opponents ${options.opponents}`);
  if (options.board) parts.push(`--board ${quoted(options.board)}`);
  if (options.dead) parts.push(`--dead ${quoted(options.dead)}`);
  return parts.join(" ");
}

function asText() {
  if (!answer) return "";
  const where = answer.board ? ` on ${answer.board}` : "";
  const lines = answer.players.map((player) => `${player.hand}: equity ${percent(player.equity, 4)}, win ${percent(player.win, 4)}, tie ${percent(player.tie, 4)}`);
  if (answer.opponents) lines.push(`each of ${answer.opponents} random: ${percent(answer.random_equity, 4)}`);
  return `${lines.join("\n")}\n${answer.exact ? "exact" : "estimate"}${where}, ${answer.outcomes} outcomes`;
}

// --- start ------------------------------------------------------------------------------------------

function start() {
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.card = rank + suit;
      button.className = suit;
      button.textContent = rank + SYMBOLS[suit];
      button.addEventListener("click", () => pick(rank + suit));
      $("cards").append(button);
    }
    const choice = document.createElement("button");
    choice.type = "button";
    choice.dataset.suit = suit;
    choice.className = suit;
    choice.textContent = SYMBOLS[suit];
    choice.setAttribute("aria-pressed", "false");
    choice.setAttribute("aria-label", { s: "spades", h: "hearts", d: "diamonds", c: "clubs" }[suit]);
    choice.addEventListener("click", () => choice.setAttribute("aria-pressed", String(choice.getAttribute("aria-pressed") !== "true")));
    $("suit-picks").append(choice);
  }
  buildGrid();
  for (const id of ["board", "dead"]) $(id).addEventListener("change", () => edited({ [id]: $(id).value.trim() }));
  $("opponents").addEventListener("change", () => edited({ opponents: Math.min(22, Math.max(0, Number.parseInt($("opponents").value, 10) || 0)) }));
  $("add-seat").addEventListener("click", addSeat);
  $("range-text").addEventListener("change", () => withHand(chosen, $("range-text").value.trim()));
  $("percent").addEventListener("input", () => ($("percent-shown").textContent = `${$("percent").value} %`));
  $("percent").addEventListener("change", () => withHand(chosen, Number($("percent").value) ? `${$("percent").value}%` : ""));
  $("undo").addEventListener("click", () => step(past, future));
  $("redo").addEventListener("click", () => step(future, past));
  $("clear").addEventListener("click", () => change(fresh()));
  $("copy-link").addEventListener("click", () => copy(new URL(toAddress(spot), location.href).href.split("#")[0], "link"));
  $("copy-text").addEventListener("click", () => copy(asText(), "text"));
  $("copy-json").addEventListener("click", () => copy(JSON.stringify(answer), "JSON"));
  $("copy-command").addEventListener("click", () => copy(asCommand(), "command"));
  $("copy-pio").addEventListener("click", () => copy($("grid").dataset.pio, "range"));
  $("copy-gto").addEventListener("click", () => copy($("grid").dataset.gto, "range"));
  for (const name of ["heat", "next", "opponents", "kelly"]) $(`show-${name}`).addEventListener("click", () => chooseView(name));
  $("kelly-form").addEventListener("submit", (event) => event.preventDefault());
  $("kelly-form").addEventListener("change", showView);
  window.addEventListener("keydown", onKey);
  window.addEventListener("popstate", () => {
    spot = fromAddress();
    draw();
    ask();
  });
  spot = fromAddress();
  draw();
  ask();
}

function addSeat() {
  if (spot.hands.length >= MOST_SEATS) return;
  chosen = spot.hands.length;
  edited({ hands: [...spot.hands, ""] });
  $("seats").lastChild.querySelector("input").focus();
}

function onKey(event) {
  const typing = event.target.matches("input:not([type='radio']):not([type='range']), select");
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
    if (event.shiftKey) step(future, past);
    else step(past, future);
    event.preventDefault();
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { "/": "range-text", b: "board", d: "dead" };
  if (keys[event.key]) {
    $(keys[event.key]).focus();
    event.preventDefault();
  } else if (event.key === "n") {
    addSeat();
    event.preventDefault();
  }
}

start();
