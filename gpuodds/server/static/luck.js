// The page of luck: files of hand histories, each answered by the server, added up here.
/**
 * @typedef {{ time: number[], result: number[], ev: number[], flop: number[], turn: number[], river: number[] }} Series
 * @typedef {{ hands: string[], names: string[], board: string, dead?: string, game: string }} Spot
 * @typedef {{ hand: string, file: string, line: number, time: string | null, currency: string, result: number, ev: number, luck: number, streets: number[], spot: Spot | null }} AllIn
 * @typedef {{ currency: string, hands: number, all_ins: number, result: string, ev: string, big_blinds: { result: number, ev: number, ev_deviation_per_100: number } }} Total
 * @typedef {{ player: string | null, hands: number, again: number, players: { player: string, hands: number }[], totals: Total[], series: Series, lucky: AllIn[], not_adjusted: Record<string, number>, skipped: { file: string, line: number, reason: string }[], more_skipped: number }} Answer
 */
import { newRegion, newTable } from "./charts.js";
import { $, field, h, svg } from "./dom.js";
import { signed, whole } from "./format.js";
import { startTheme } from "./theme.js";

const token = new URLSearchParams(location.hash.slice(1)).get("token");
const MOST = 20;
const [WIDTH, TOP, BELOW, LEFT] = [900, 300, 160, 56];
/** @type {["result" | "ev" | "flop" | "turn" | "river", string][]} */
const LINES = [["result", "Result"], ["ev", "All-in EV"], ["flop", "Luck of the flop"], ["turn", "turn"], ["river", "river"]];

/** The files of the last drop. @type {File[]} */
let files = [];
let asked = 0; // drops and choices so far: an older one's answers are not shown

/**
 * Returns the server's answer about a file.
 * @param {File} file
 * @param {string | null} player
 * @returns {Promise<Answer>}
 */
async function ask(file, player) {
  const query = new URLSearchParams({ name: file.name });
  if (player) query.set("player", player);
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/octet-stream" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(`v1/luck?${query}`, { method: "POST", headers, body: file });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${file.name}: ${answer.detail || answer.title}`);
  return answer;
}

/**
 * Asks about all files, and shows what they add up to.
 * @param {string | null} player
 */
async function review(player) {
  const mine = ++asked;
  const progress = /** @type {HTMLProgressElement} */ ($("progress"));
  const error = $("error");
  error.hidden = true;
  progress.hidden = false;
  progress.value = 0;
  $("status").textContent = "Reading…";
  /** @type {Answer[]} */
  const answers = [];
  try {
    for (const [at, file] of files.entries()) {
      answers[at] = await ask(file, player);
      if (mine !== asked) return;
      progress.value = (at + 1) / files.length;
    }
    player = player || handsOf(answers)[0]?.[0] || null;
    for (const [at, file] of files.entries()) {
      if (answers[at].player !== player) answers[at] = await ask(file, player); // each began with its own
      if (mine !== asked) return;
    }
  } catch (fault) {
    if (mine !== asked) return;
    error.textContent = fault instanceof Error ? fault.message : String(fault);
    error.hidden = false;
  }
  progress.hidden = true;
  $("status").textContent = "";
  if (answers.length) show(answers, player);
}

/**
 * @param {Answer[]} answers
 * @param {string | null} player
 */
function show(answers, player) {
  const hands = answers.reduce((sum, one) => sum + one.hands, 0);
  const again = answers.reduce((sum, one) => sum + one.again, 0);
  const left = Object.entries(added(answers.map((one) => one.not_adjusted))).map(([why, count]) => ` ${whole(count)} ${count === 1 ? "all-in is" : "all-ins are"} not adjusted: ${why}.`);
  $("status").textContent = `${whole(hands)} ${hands === 1 ? "hand" : "hands"}${again ? `, ${whole(again)} of them twice` : ""}.${left.join("")}`;
  showPlayers(answers, player);
  showTotals(answers.flatMap((one) => one.totals));
  showGraph(answers.map((one) => one.series));
  const lucky = answers.flatMap((one) => one.lucky).sort((a, b) => b.luck - a.luck);
  $("lucky").replaceChildren(
    ...allIns("Luckiest all-ins", lucky.filter((one) => one.luck > 0).slice(0, MOST), player),
    ...allIns("Unluckiest all-ins", lucky.filter((one) => one.luck < 0).reverse().slice(0, MOST), player),
  );
  showSkipped(answers);
  $("answer").hidden = !hands;
}

/** Returns the sums of objects of numbers. @param {Record<string, number>[]} those */
function added(those) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const one of those) for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] || 0) + count;
  return sums;
}

/** @param {Answer[]} answers @param {string | null} player */
function showPlayers(answers, player) {
  const options = handsOf(answers).map(([name, hands]) => h("option", { value: name, selected: name === player }, `${name} (${whole(hands)})`));
  $("player").replaceChildren(...options);
}

/** Returns the players with their numbers of hands, most first. @param {Answer[]} answers */
function handsOf(answers) {
  const hands = added(answers.map((one) => Object.fromEntries(one.players.map((found) => [found.player, found.hands]))));
  return Object.entries(hands).sort((a, b) => b[1] - a[1]);
}

/** @param {number} value @param {string} text */
const coloured = (value, text) => h("span", { class: value < 0 ? "bad" : "good" }, text);

/** Returns an amount that a text has, a decimal number or a fraction. @param {string} text */
function amount(text) {
  const [above, below] = text.split("/").map(Number);
  return below ? above / below : above;
}

/** @param {Total[]} totals */
function showTotals(totals) {
  /** @type {Map<string, { hands: number, allIns: number, result: number, ev: number, bb: number, evBb: number }>} */
  const sums = new Map();
  for (const one of totals) {
    const sum = sums.get(one.currency) || { hands: 0, allIns: 0, result: 0, ev: 0, bb: 0, evBb: 0 };
    sum.hands += one.hands;
    sum.allIns += one.all_ins;
    sum.result += amount(one.result);
    sum.ev += amount(one.ev);
    sum.bb += one.big_blinds.result;
    sum.evBb += one.big_blinds.ev;
    sums.set(one.currency, sum);
  }
  const rows = [...sums].map(([currency, sum]) => {
    const luck = sum.result - sum.ev;
    return [
      currency || "chips",
      whole(sum.hands),
      coloured(sum.result, signed(sum.result)),
      signed(sum.ev),
      coloured(luck, signed(luck)),
      signed((100 * sum.bb) / sum.hands, 1),
      signed((100 * sum.evBb) / sum.hands, 1),
      whole(sum.allIns),
    ];
  });
  $("totals").replaceChildren(newTable(["In", "Hands", "Result", "All-in EV", "Luck", "bb/100", "EV bb/100", "All-ins"], rows));
}

/** @param {Series[]} parts */
function showGraph(parts) {
  const rows = parts.flatMap((part) => part.time.map((time, at) => ({ time, part, at })));
  rows.sort((a, b) => a.time - b.time);
  const sums = LINES.map(([name]) => {
    let sum = 0;
    return [0, ...rows.map(({ part, at }) => (sum += part[name][at]))];
  });
  const high = panel(sums.slice(0, 2), LINES.slice(0, 2), TOP, 0);
  const low = panel(sums.slice(2), LINES.slice(2), BELOW, TOP + 20);
  const height = TOP + BELOW + 20;
  const title = `Result and all-in EV in big blinds over ${whole(rows.length)} hands, and below the luck of each street`;
  $("graph").replaceChildren(svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": title }, ...high, ...low));
  $("legend").replaceChildren(
    ...LINES.map(([name, label], at) => h("b", { class: name }, h("i", {}), h("span", {}, `${label} ${signed(sums[at][rows.length], 1)} bb`))),
  );
}

/**
 * Returns the lines of one part of the graph, with its axis.
 * @param {number[][]} sums
 * @param {[string, string][]} names
 * @param {number} height
 * @param {number} top
 */
function panel(sums, names, height, top) {
  const flat = sums.map((line) => thinned(line));
  const [low, high] = flat.flat().reduce(([least, most], [, value]) => [Math.min(least, value), Math.max(most, value)], [0, 0]);
  const reach = high - low || 1;
  const count = Math.max(sums[0].length - 1, 1);
  /** @param {number} value */
  const y = (value) => top + 10 + ((high - value) / reach) * (height - 20);
  /** @param {number} at */
  const x = (at) => LEFT + (at / count) * (WIDTH - LEFT - 8);
  const made = [svg("line", { class: "axis", x1: LEFT, x2: WIDTH, y1: y(0), y2: y(0) })];
  for (const value of new Set([low, 0, high])) {
    made.push(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, whole(Math.round(value))));
  }
  flat.forEach((line, at) => {
    const points = line.map(([hand, value]) => `${x(hand).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    made.push(svg("polyline", { class: `line ${names[at][0]}`, points }));
  });
  return made;
}

/**
 * Returns points of a line, two for each pixel: the lowest and the highest of those that fall on it.
 * @param {number[]} line
 * @returns {[number, number][]}
 */
function thinned(line) {
  const step = Math.ceil(line.length / WIDTH);
  if (step < 3) return line.map((value, at) => [at, value]);
  /** @type {[number, number][]} */
  const kept = [];
  for (let begin = 0; begin < line.length; begin += step) {
    let [low, high] = [begin, begin];
    for (let at = begin; at < Math.min(begin + step, line.length); at++) {
      if (line[at] < line[low]) low = at;
      if (line[at] > line[high]) high = at;
    }
    for (const at of [Math.min(low, high), Math.max(low, high)]) kept.push([at, line[at]]);
  }
  kept.push([line.length - 1, line[line.length - 1]]);
  return kept;
}

/** Returns a spot with a player first. @param {Spot} spot @param {string | null} player */
function from(spot, player) {
  const first = Math.max(spot.names.findIndex((name) => name === player), 0);
  /** @param {string[]} those */
  const turned = (those) => [those[first], ...those.filter((_, at) => at !== first)];
  return { ...spot, hands: turned(spot.hands), names: turned(spot.names) };
}

/** An amount with its sign before the currency. @param {number} value @param {string} currency */
const money = (value, currency) => signed(value).replace(/^./, (sign) => sign + currency);

/**
 * @param {string} title
 * @param {AllIn[]} those
 * @param {string | null} player
 */
function allIns(title, those, player) {
  if (!those.length) return [];
  const rows = those.map((one) => {
    const spot = one.spot && from(one.spot, player);
    return [
      spot ? h("a", { href: linkTo(spot) }, spot.hands.join(" v ")) : one.hand,
      spot ? spot.board || "before the flop" : "",
      coloured(one.luck, `${signed(one.luck, 1)} bb`),
      ...one.streets.map((luck) => signed(luck, 1)),
      money(one.result, one.currency),
      money(one.ev, one.currency),
      one.hand || `${one.file}, line ${one.line}`,
    ];
  });
  const heads = ["All-in", "Board then", "Luck", "Flop", "Turn", "River", "Result", "All-in EV", "Hand"];
  return [h("h2", {}, title), newRegion(title, newTable(heads, rows))];
}

/** Returns the link to a spot on the page of equities. @param {Spot} spot */
function linkTo(spot) {
  const query = new URLSearchParams();
  for (const hand of spot.hands) query.append("hand", hand);
  for (const name of spot.names) query.append("name", name.slice(0, 40));
  if (spot.board) query.set("board", spot.board);
  if (spot.dead) query.set("dead", spot.dead);
  if (spot.game !== "holdem") query.set("game", spot.game);
  return `./?${query}${token ? `#token=${encodeURIComponent(token)}` : ""}`;
}

/** @param {Answer[]} answers */
function showSkipped(answers) {
  const rows = answers.flatMap((one) => one.skipped);
  const total = rows.length + answers.reduce((sum, one) => sum + one.more_skipped, 0);
  const box = $("skipped");
  box.hidden = !total;
  box.children[0].textContent = `${whole(total)} skipped`;
  box.children[1].replaceChildren(...rows.map(({ file, line, reason }) => h("li", {}, `${file}${line ? `, line ${line}` : ""}: ${reason}`)));
}

/** @param {FileList | null | undefined} given */
function take(given) {
  if (!given?.length) return;
  files = [...given];
  void review(null);
}

function start() {
  startTheme();
  if (token) /** @type {HTMLAnchorElement} */ ($("home")).href = `./#token=${encodeURIComponent(token)}`;
  const [input, drop] = [field("files"), $("drop")];
  input.addEventListener("change", () => take(input.files));
  $("player").addEventListener("change", () => void review(field("player").value));
  for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
  document.addEventListener("dragover", () => (drop.dataset.over = ""));
  for (const name of ["dragleave", "drop"]) document.addEventListener(name, () => delete drop.dataset.over);
  document.addEventListener("drop", (event) => take(event.dataTransfer?.files));
}

start();
