// The page. A spot is plain data, kept in the address and in a history for undo. Each change redraws the
// page and sends a request to the server, which cancels the request before.
import { RANKS, SUITS, SYMBOLS, cardsIn, isKnown as isHand, gridName, NAMES, COMBOS, sorted, textOf } from "./cards.js";
import { HOLDEM, cardsOf, columnsOf, digitsOf, hasGrid, newClasses, newEquities, opponentsOf, placeholderOf, ranksOf, seatsOf } from "./games.js";
import { Client, Problem } from "./gpuodds.js";

const LETTERS = "ABCDEFGHIJ";
const $ = (id) => document.getElementById(id);

const token = new URLSearchParams(location.hash.slice(1)).get("token");
const client = new Client(undefined, token);

// --- the spot ---------------------------------------------------------------------------------------

let games = { [HOLDEM.name]: HOLDEM }; // by each of their names
const fresh = (game = HOLDEM.name) => ({ hands: ["", ""], opponents: 0, board: "", dead: "", game });
let spot = fresh();
let chosen = 0;
let past = [];
let future = [];
let answer = null; // the last answer or estimate for the current spot, and the seats of its players
let weights = {}; // of the chosen player's range: combo -> weight; null until the range is read
let weightsOf = ""; // the text that the weights were read from
let linkFault = ""; // why the spot differs from the link's

const gameOf = (of) => games[of.game];
const isKnown = (text) => isHand(text, gameOf(spot).hole_cards);
const inBounds = (text, game) => Math.min(opponentsOf(game), Math.max(0, Number.parseInt(text, 10) || 0));

function fromAddress() {
  const query = new URLSearchParams(location.search);
  linkFault = "";
  if (![...query.keys()].length) return fresh();
  const name = query.get("game") || HOLDEM.name;
  const game = games[name.toLowerCase()] || HOLDEM;
  if (!games[name.toLowerCase()]) linkFault = `The link has game=${name.slice(0, 20)}: expected one of the games listed.`;
  const hands = query.getAll("hand");
  if (hands.length > seatsOf(game)) linkFault = `The link has ${hands.length} players: there are seats for ${seatsOf(game)}.`;
  hands.length = Math.min(hands.length, seatsOf(game));
  while (hands.length < 2) hands.push("");
  const given = query.get("opponents") || "0";
  const opponents = inBounds(given, game);
  if (String(opponents) !== given) linkFault = `The link has opponents=${given.slice(0, 20)}: expected 0 to ${opponentsOf(game)}.`;
  return { hands, opponents, board: query.get("board") || "", dead: query.get("dead") || "", game: game.name };
}

function toAddress(of) {
  const query = new URLSearchParams();
  for (const hand of of.hands) query.append("hand", hand);
  if (of.opponents) query.set("opponents", of.opponents);
  if (of.board) query.set("board", of.board);
  if (of.dead) query.set("dead", of.dead);
  if (of.game !== HOLDEM.name) query.set("game", of.game);
  return `${location.pathname}?${query}${token ? `#token=${encodeURIComponent(token)}` : ""}`;
}

function change(next, { remember = true } = {}) {
  if (JSON.stringify(next) === JSON.stringify(spot)) {
    draw(); // a field may hold a value that was refused
    return;
  }
  if (remember) {
    past.push(spot);
    if (past.length > 200) past.shift();
    future = [];
  }
  spot = next;
  linkFault = "";
  chosen = Math.min(chosen, spot.hands.length - 1);
  history.replaceState(null, "", toAddress(spot));
  draw();
  ask();
}

const edited = (part) => change({ ...spot, ...part });

// Hands stay if the other game has as many hole cards.
function changeGame(name) {
  const [game, before] = [games[name], gameOf(spot)];
  const hands = game.hole_cards === before.hole_cards ? spot.hands.slice(0, seatsOf(game)) : ["", ""];
  edited({ game: name, hands, opponents: Math.min(spot.opponents, opponentsOf(game)) });
}

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
  const most = gameOf(spot).hole_cards;
  const isPart = (count) => count < most && isHand(text, count);
  const isCards = isKnown(text) || Array.from({ length: most }, (_, count) => count).some(isPart);
  const cards = target === "hand" && !isCards ? [] : cardsIn(text);
  const at = cards.indexOf(card);
  if (at >= 0) cards.splice(at, 1);
  else if (target === "board" && cards.length >= 5) return;
  else if (target === "hand" && cards.length >= most) return;
  else cards.push(card);
  if (target === "hand") withHand(chosen, cards.join(""));
  else edited({ [target]: cards.join("") });
}

// --- ranges -----------------------------------------------------------------------------------------

function painted(name, weight) {
  const picks = [...document.querySelectorAll("#suit-picks [aria-pressed='true']")].map((b) => b.dataset.suit);
  const next = { ...weights };
  for (const combo of COMBOS[name]) {
    if (picks.length && !picks.includes(combo[1]) && !picks.includes(combo[3])) continue;
    if (weight) next[sorted(combo)] = weight;
    else delete next[sorted(combo)];
  }
  return next;
}

let readRange = 0;
async function showRange() {
  const mine = ++readRange;
  const text = spot.hands[chosen].trim();
  const best = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1] ?? "0";
  $("range-whose").textContent = `player ${LETTERS[chosen]}`;
  write("range-text", spot.hands[chosen]);
  $("percent").value = best;
  $("percent-shown").textContent = `${best} %`;
  if (!text || text !== weightsOf) {
    // Until the new text is read, painting would change the range before it.
    weights = text ? null : {};
    weightsOf = text ? null : "";
    drawGrid(null);
  }
  if (!text) return;
  try {
    const found = await client.range(isKnown(text) ? cardsIn(text).join("") : text, { game: spot.game });
    if (mine !== readRange) return;
    weights = found.weights;
    weightsOf = text;
    drawGrid(found);
  } catch (error) {
    if (mine !== readRange) return;
    weights = {};
    weightsOf = null;
    drawGrid(null);
    $("range-size").textContent = reason(error);
  }
}

function drawGrid(found) {
  $("range-size").textContent = found ? `${+found.combos.toFixed(2)} combos, ${found.percent.toFixed(1)} %` : "";
  $("classes").replaceChildren(...(found?.classes ? [newClasses(found)] : []));
  if (!hasGrid(gameOf(spot))) return;
  $("grid").dataset.pio = found ? found.text.pio : "";
  $("grid").dataset.gto = found ? found.text["gto+"] : "";
  for (const cell of document.querySelectorAll("#grid [role='gridcell']")) {
    const values = COMBOS[cell.dataset.name].map((combo) => weights?.[sorted(combo)] || 0);
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
    readRange += 1; // drops an answer that is older than the stroke
    weights = painted(cell.dataset.name, brush);
    drawGrid(null);
  };
  const keep = () => {
    weightsOf = textOf(weights);
    withHand(chosen, weightsOf);
  };
  $("grid").addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("[role='gridcell']");
    if (!cell || !weights) return;
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
      if (next && !next.hidden) focusCell(next);
      event.preventDefault();
    } else if ((event.key === " " || event.key === "Enter") && weights) {
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

// Writes a field only if it differs, so that the caret stays in place.
function write(id, value) {
  if ($(id).value !== value || $(id).validity.badInput) $(id).value = value;
}

function choose(place) {
  const moved = place !== chosen;
  chosen = place;
  draw();
  if (moved) showView();
}

function removeSeat(place) {
  if (place < chosen) chosen -= 1; // the same player stays chosen
  edited({ hands: spot.hands.filter((_, i) => i !== place) });
}

function drawGame() {
  const game = gameOf(spot);
  $("game").value = game.name;
  $("game-title").textContent = game.title;
  $("opponents").max = opponentsOf(game);
  const ranks = ranksOf(game);
  for (const part of document.querySelectorAll(".of-grid")) part.hidden = !hasGrid(game);
  $("classes").hidden = hasGrid(game);
  $("grid").style.setProperty("--columns", ranks.length);
  for (const cell of document.querySelectorAll("#grid [role='gridcell']")) {
    cell.hidden = ![...cell.dataset.name.slice(0, 2)].every((rank) => ranks.includes(rank));
  }
  for (const button of $("cards").children) button.disabled = !ranks.includes(button.dataset.card[0]);
  for (const input of [...document.querySelectorAll("#seats input"), $("range-text")]) input.placeholder = placeholderOf(game);
}

function draw() {
  const seats = $("seats");
  while (seats.children.length > spot.hands.length) seats.lastChild.remove();
  while (seats.children.length < spot.hands.length) seats.append(newSeat(seats.children.length));
  [...seats.children].forEach((seat, place) => {
    seat.dataset.chosen = String(place === chosen);
    const input = seat.querySelector("input");
    if (input.value !== spot.hands[place]) input.value = spot.hands[place];
    seat.querySelector(".remove").disabled = spot.hands.length <= 1;
  });
  drawGame();
  write("board", spot.board);
  write("dead", spot.dead);
  write("opponents", String(spot.opponents));
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
  $("add-seat").disabled = spot.hands.length >= seatsOf(gameOf(spot));
  // The command reads a single hand as one against a random hand, which is another spot.
  $("copy-command").disabled = Boolean(missing(currentRequest()));
  showRange();
}

function newSeat(place) {
  const seat = document.createElement("li");
  const letter = document.createElement("span");
  letter.className = "letter";
  letter.textContent = LETTERS[place];
  const input = document.createElement("input");
  input.setAttribute("aria-label", `Player ${LETTERS[place]}: hand or range`);
  input.autocomplete = "off";
  input.spellcheck = false;
  input.maxLength = 20000;
  input.addEventListener("focus", () => choose(place));
  input.addEventListener("change", () => withHand(place, input.value.trim()));
  const random = document.createElement("button");
  random.type = "button";
  random.textContent = "random";
  random.setAttribute("aria-label", `Player ${LETTERS[place]}: random cards`);
  random.addEventListener("click", () => withHand(place, "random"));
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "remove";
  remove.textContent = "✕";
  remove.setAttribute("aria-label", `Remove player ${LETTERS[place]}`);
  remove.addEventListener("click", () => removeSeat(place));
  seat.append(letter, input, random, remove);
  return seat;
}

const percent = (share, digits = 2) => `${(100 * share).toFixed(digits)} %`;

// Returns a bar as long as the equity, with a whisker over the 95 % interval of an estimate.
function newBar(equity, error) {
  const meter = document.createElement("span");
  meter.className = "meter";
  const bar = document.createElement("span");
  bar.className = "bar";
  bar.style.width = `${100 * equity}%`;
  meter.append(bar);
  if (error) {
    const whisker = document.createElement("span");
    whisker.className = "whisker";
    const low = Math.max(0, equity - 1.96 * error);
    whisker.style.left = `${100 * low}%`;
    whisker.style.width = `${100 * (Math.min(1, equity + 1.96 * error) - low)}%`;
    meter.append(whisker);
  }
  return meter;
}

function newLine(text) {
  const line = document.createElement("p");
  line.textContent = text;
  return line;
}

const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

function setAnswer(next) {
  answer = next;
  $("copy-text").disabled = $("copy-json").disabled = !next;
  $("result").dataset.old = String(!next);
}

function drawHeads(columns) {
  const row = document.createElement("tr");
  for (const name of ["Player", "Equity", ...columns.map(([name]) => name)]) {
    const head = document.createElement("th");
    head.scope = "col";
    head.textContent = name;
    row.append(head);
  }
  $("result").tHead.replaceChildren(row);
}

function drawAnswer({ found, seats }, isFinal) {
  const game = games[found.game];
  const columns = columnsOf(game);
  drawHeads(columns);
  const rows = found.players.map((player, place) => [`${LETTERS[seats[place]]}: ${player.hand}`, player]);
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
      const others = columns.map(([, of]) => {
        const cell = document.createElement("td");
        const share = of(player, found);
        cell.textContent = share === undefined ? "" : percent(share, digitsOf(game, found.exact));
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

// --- requests ---------------------------------------------------------------------------------------

let asking = null;

// Returns the request for the current spot: the players at the seats that are not empty, and those seats.
// An answer has its players in this order; `seats` maps a place in the answer to a seat.
function currentRequest() {
  const seats = spot.hands.flatMap((hand, seat) => (hand.trim() ? [seat] : []));
  const { opponents, game } = spot;
  const options = { opponents, board: spot.board.trim(), dead: spot.dead.trim(), game };
  return { seats, hands: seats.map((seat) => spot.hands[seat].trim()), options };
}

const reason = (error) => (error instanceof Problem ? error.message : `The page failed: ${error.message}`);
// Problems that pass: the page sends the request again after the problem's retry_after.
const PASSING = { "warming-up": "warming up", busy: "busy" };
const passing = (error) => error instanceof Problem && PASSING[String(error.problem.type).split("/").pop()];
const missing = ({ hands, options }) => {
  if (!hands.length) return "Add a hand or a range.";
  return hands.length + options.opponents < 2 ? "Add another player, or a random opponent." : "";
};

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const request = currentRequest();
  // The numbers of the spot before must not appear under this one.
  setAnswer(null);
  clearView();
  showError(linkFault);
  $("progress").hidden = true;
  $("status").dataset.exact = "false";
  if (linkFault || missing(request)) {
    $("result").hidden = true;
    $("status").textContent = linkFault ? "No answer." : missing(request);
    if (!linkFault) showView();
    return;
  }
  $("status").textContent = "computing …";
  try {
    for await (const [kind, value] of client.stream(request.hands, { ...request.options, signal })) {
      if (signal.aborted) return;
      if (kind === "progress") {
        $("progress").hidden = value >= 1;
        $("progress").value = value;
      } else {
        setAnswer({ found: value, seats: request.seats });
        drawAnswer(answer, kind === "answer");
        if (kind === "answer") $("progress").hidden = true;
      }
    }
    showView();
  } catch (error) {
    if (signal.aborted) return;
    $("progress").hidden = true;
    if (passing(error)) {
      $("result").hidden = true;
      $("status").textContent = `The server is ${passing(error)}; the page retries by itself.`;
      setTimeout(() => signal.aborted || ask(), 1000 * (error.problem.retry_after || 1));
      return;
    }
    if (answer) {
      $("status").textContent += ", not finished";
    } else {
      $("result").hidden = true;
      $("status").textContent = "No answer.";
    }
    showError(reason(error));
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

const VIEWS = {
  heat: ["equity of each starting hand", viewHeat],
  next: ["equity by the next card", viewNext],
  opponents: ["equity by the number of random opponents", viewOpponents],
  kelly: ["how much to bet", viewKelly],
};

// Empties the view, and cancels its requests.
function clearView() {
  viewing?.abort();
  viewing = new AbortController();
  $("view").replaceChildren();
  return viewing.signal;
}

async function showView() {
  const signal = clearView();
  if (!view) return;
  const request = currentRequest();
  const place = request.seats.indexOf(chosen);
  const [title, make] = VIEWS[view];
  const whose = `Player ${LETTERS[chosen]}${place < 0 ? "" : `, ${short(request.hands[place])}`}`;
  const head = newLine(`${whose}: ${title}`);
  head.className = "whose";
  const body = newLine("computing …");
  $("view").append(head, body);
  let made;
  try {
    if (place < 0) made = newLine("Give this player a hand or a range, or choose another.");
    else if (view !== "opponents" && missing(request)) made = newLine(missing(request));
    else made = await make({ ...request, place, whose, signal });
  } catch (error) {
    made = newLine(reason(error));
  }
  if (!signal.aborted) body.replaceWith(made);
}

async function viewHeat({ hands, options, place, whose, signal }) {
  const found = await client.equity(hands, { ...options, by_hand: true, signal });
  const game = games[options.game];
  if (!hasGrid(game)) {
    const list = newEquities(found.players[place].by_hand, newBar);
    const region = document.createElement("div");
    region.className = "list";
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", `${whose}: equity by ranks and suits`);
    region.append(list);
    return region;
  }
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
  box.setAttribute("aria-label", `${whose}: equity of each starting hand`);
  const ranks = ranksOf(game);
  box.style.setProperty("--columns", ranks.length);
  for (const name of NAMES.filter((name) => [...name.slice(0, 2)].every((rank) => ranks.includes(rank)))) {
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

async function viewNext({ hands, options, place, whose, signal }) {
  // The board as the server reads it, which takes more notations than the page.
  const board = cardsIn((answer?.found ?? (await client.equity(hands, { ...options, signal }))).board);
  if (board.length < 3 || board.length > 4) return newLine("Put three or four cards on the board.");
  const known = new Set([...board, ...cardsIn(options.dead), ...hands.filter(isKnown).flatMap(cardsIn)]);
  const ranks = ranksOf(games[options.game]).split("");
  const cards = ranks.flatMap((rank) => SUITS.split("").map((suit) => rank + suit)).filter((card) => !known.has(card));
  const found = {};
  await Promise.all(
    cards.map(async (card) => {
      try {
        const next = await client.equity(hands, { ...options, board: board.join("") + card, signal });
        found[card] = next.players[place].equity;
      } catch (error) {
        // Bad input here means a card that cannot come: every hand of some range contains it.
        if (!(error instanceof Problem) || error.problem.status !== 400) throw error;
      }
    }),
  );
  const box = document.createElement("div");
  box.className = "heat";
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", `${whose}: equity by the next card`);
  box.style.setProperty("--columns", ranks.length);
  for (const suit of SUITS) {
    for (const rank of ranks) {
      const cell = document.createElement("span");
      const value = found[rank + suit];
      cell.innerHTML = `<b class="${suit}">${rank}${SYMBOLS[suit]}</b><small>${value === undefined ? "–" : (100 * value).toFixed(0)}</small>`;
      if (value !== undefined) cell.style.background = `hsl(${120 * value} 55% 50% / .45)`;
      box.append(cell);
    }
  }
  return box;
}

async function viewOpponents({ hands, options, place, signal }) {
  const max = Math.min(9, games[options.game].max_players - hands.length);
  const min = hands.length > 1 ? 0 : 1;
  const numbers = Array.from({ length: max - min + 1 }, (_, i) => min + i);
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

// Returns the amounts that are filled in. By default pot and bet to call are 0, the stack is the bankroll.
function amounts() {
  const found = {};
  for (const [id, name] of [["bankroll", "bankroll"], ["stack", "stack"], ["pot", "pot"], ["to-call", "to_call"]]) {
    const { value, validity, labels } = $(id);
    if (validity.badInput || (id === "bankroll" && !value)) {
      throw new Problem({ detail: `${labels[0].textContent.trim()}: expected a number of chips` });
    }
    if (value) found[name] = Number(value);
  }
  return found;
}

async function viewKelly({ hands, seats, options, place, signal }) {
  if (!isKnown(hands[place])) {
    return newLine(`${short(hands[place])} is a range; a bet can be computed only for ${cardsOf(games[options.game])}.`);
  }
  const others = hands.filter((_, i) => i !== place);
  const found = await client.kelly(cardsIn(hands[place]).join(""), {
    opponents: others.length ? [...others, ...Array(options.opponents).fill("random")] : options.opponents,
    board: options.board,
    dead: options.dead,
    game: options.game,
    ...amounts(),
    signal,
  });
  const against = seats.flatMap((seat, i) => (i === place ? [] : [`${LETTERS[seat]}: ${short(hands[i])}`]));
  if (options.opponents) against.push(`${options.opponents} random`);
  const chips = found.bet_chips ? ` ${found.bet_chips.toLocaleString("en")} chips, ${percent(found.fraction)} of the bankroll` : "";
  const growth = found.growth === null ? "minus infinity" : found.growth.toFixed(4);
  return newLine(
    `${found.action}${chips}; expected gain ${found.expected_value.toFixed(1)}, growth ${growth}` +
      `${found.exact ? "" : ", by estimated odds"}. Against ${against.join("; ")}; all call.`,
  );
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
  const { hands, options } = currentRequest();
  const parts = ["gpuodds equity", ...hands.map(quoted)];
  if (options.opponents) parts.push(`--opponents ${options.opponents}`);
  if (options.board) parts.push(`--board ${quoted(options.board)}`);
  if (options.dead) parts.push(`--dead ${quoted(options.dead)}`);
  if (options.game !== HOLDEM.name) parts.push(`--game ${options.game}`);
  return parts.join(" ");
}

function asText() {
  const { found, seats } = answer;
  const where = found.board ? ` on ${found.board}` : "";
  const lines = found.players.map((player, place) => `${LETTERS[seats[place]]} ${player.hand}: equity ${percent(player.equity, 4)}, win ${percent(player.win, 4)}, tie ${percent(player.tie, 4)}`);
  if (found.opponents) lines.push(`each of ${found.opponents} random: ${percent(found.random_equity, 4)}`);
  return `${lines.join("\n")}\n${found.exact ? "exact" : "estimate"}${where}, ${found.outcomes} outcomes`;
}

// --- start ------------------------------------------------------------------------------------------

async function start() {
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
  $("opponents").addEventListener("change", () => edited({ opponents: inBounds($("opponents").value, gameOf(spot)) }));
  $("game").addEventListener("change", () => changeGame($("game").value));
  $("add-seat").addEventListener("click", addSeat);
  $("range-text").addEventListener("change", () => withHand(chosen, $("range-text").value.trim()));
  $("percent").addEventListener("input", () => ($("percent-shown").textContent = `${$("percent").value} %`));
  $("percent").addEventListener("change", () => withHand(chosen, Number($("percent").value) ? `${$("percent").value}%` : ""));
  $("undo").addEventListener("click", () => step(past, future));
  $("redo").addEventListener("click", () => step(future, past));
  $("clear").addEventListener("click", () => change(fresh(spot.game)));
  $("copy-link").addEventListener("click", () => copy(new URL(toAddress(spot), location.href).href.split("#")[0], "link"));
  $("copy-text").addEventListener("click", () => copy(asText(), "text"));
  $("copy-json").addEventListener("click", () => copy(JSON.stringify(answer.found), "JSON"));
  $("copy-command").addEventListener("click", () => copy(asCommand(), "command"));
  $("copy-pio").addEventListener("click", () => copy($("grid").dataset.pio, "range"));
  $("copy-gto").addEventListener("click", () => copy($("grid").dataset.gto, "range"));
  for (const name of ["heat", "next", "opponents", "kelly"]) $(`show-${name}`).addEventListener("click", () => chooseView(name));
  $("kelly-form").addEventListener("submit", (event) => event.preventDefault());
  $("kelly-form").addEventListener("change", showView);
  window.addEventListener("keydown", onKey);
  window.addEventListener("popstate", () => {
    spot = fromAddress();
    chosen = Math.min(chosen, spot.hands.length - 1);
    draw();
    ask();
  });
  const listed = listGames();
  // A link to another game waits for the list of them.
  if (new URLSearchParams(location.search).has("game")) await listed;
  spot = fromAddress();
  draw();
  ask();
}

async function listGames() {
  try {
    const found = await client.games();
    $("game").replaceChildren(...found.games.map((game) => new Option(game.title, game.name)));
    games = Object.fromEntries(found.games.flatMap((game) => [game.name, ...game.other_names].map((name) => [name, game])));
    $("game").value = spot.game;
  } catch (error) {
    showError(reason(error));
  }
}

function addSeat() {
  if (spot.hands.length >= seatsOf(gameOf(spot))) return;
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
