// The spot as a picture: board, names, equities, the bar between them, and the grids of two players as they are shown.
import { SYMBOLS, cardsIn } from "./cards.js";
import { $, all, h, note } from "./dom.js";
import { percent } from "./format.js";
import { nameOfSeat, state } from "./state.js";
import { answer } from "./stream.js";

const [WIDTH, HEIGHT, EDGE, SIDE] = [1200, 760, 40, 480];

/** @param {Element} element @param {string} property */
const style = (element, property) => getComputedStyle(element).getPropertyValue(property);

/** Draws a grid as the page shows it. @param {CanvasRenderingContext2D} to @param {HTMLElement} box @param {number} x @param {number} y @param {string} font */
function drawGrid(to, box, x, y, font) {
  const cells = all("[role='gridcell']:not([hidden])", box);
  const columns = Math.round(Math.sqrt(cells.length));
  const size = SIDE / columns;
  to.textAlign = "center";
  cells.forEach((cell, at) => {
    const [left, top] = [x + (at % columns) * size, y + Math.floor(at / columns) * size];
    to.fillStyle = style(cell, "background-color");
    to.fillRect(left, top, size - 2, size - 2);
    const part = parseFloat(cell.style.getPropertyValue("--part")) / 100 || 0;
    if (part > 0) {
      const soft = h("i", { style: { color: cell.dataset.heat ? "var(--heat-color)" : "var(--hue-soft)" } });
      cell.append(soft);
      to.fillStyle = style(soft, "color");
      soft.remove();
      to.fillRect(left, top + (size - 2) * (1 - part), size - 2, (size - 2) * part);
    }
    to.fillStyle = style(cell, "color");
    const small = cell.lastElementChild?.textContent || "";
    to.font = `${part > 0 ? 600 : 400} 13px ${font}`;
    to.fillText(cell.dataset.name || "", left + size / 2, top + size / 2 + (small ? -1 : 4));
    to.font = `400 11px ${font}`;
    if (small) to.fillText(small, left + size / 2, top + size / 2 + 12);
  });
}

/** Returns the picture of the answer. */
function drawPicture() {
  const canvas = h("canvas", { width: WIDTH, height: HEIGHT });
  const to = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const { body } = document;
  const font = style(body, "font-family");
  const [back, front] = [style(body, "background-color"), style(body, "color")];
  to.fillStyle = back;
  to.fillRect(0, 0, WIDTH, HEIGHT);
  const { found, ids } = answer;
  cardsIn(found.board).forEach((card, at) => {
    to.fillStyle = style($("slots").children[at], "background-color");
    to.beginPath();
    to.roundRect(EDGE + 62 * at, 30, 54, 74, 8);
    to.fill();
    to.fillStyle = "#ffffff";
    to.textAlign = "center";
    to.font = `600 27px ${font}`;
    to.fillText(card[0], EDGE + 62 * at + 27, 63);
    to.fillText(SYMBOLS[card[1]], EDGE + 62 * at + 27, 92);
  });
  const left = EDGE + (found.board ? 62 * 5 + 20 : 0);
  const wide = WIDTH - EDGE - left;
  const shown = found.players.slice(0, 6);
  shown.forEach((/** @type {any} */ player, /** @type {number} */ at) => {
    const x = left + (wide / shown.length) * at;
    to.textAlign = "left";
    const row = $("result").children[state.spot.seats.findIndex(({ id }) => id === ids[at])];
    to.fillStyle = row ? style(row.querySelector(".name") || row, "color") : front;
    to.font = `600 20px ${font}`;
    to.fillText(nameOfSeat(ids[at]), x, 46, wide / shown.length - 10);
    to.font = `600 30px ${font}`;
    to.fillText(percent(player.equity), x, 104);
  });
  let from = left;
  for (const part of /** @type {HTMLElement[]} */ ([...$("split").children])) {
    const width = (wide * parseFloat(part.style.width)) / 100;
    to.fillStyle = style(part, "background-color");
    to.fillRect(from, 56, width, 14);
    from += width;
  }
  all(".grid:not([hidden])", $("seats")).slice(0, 2).forEach((box, at) => drawGrid(to, box, EDGE + at * (SIDE + 60) + 20, 140, font));
  to.textAlign = "left";
  to.fillStyle = front;
  to.font = `400 16px ${font}`;
  to.fillText(`gpuodds: ${$("badge").textContent}, ${$("status").textContent}`, EDGE + 20, HEIGHT - 40);
  return canvas;
}

/** Saves the picture as a file. */
export function savePicture() {
  drawPicture().toBlob((blob) => {
    if (!blob) return note("The browser gave no picture.");
    const url = URL.createObjectURL(blob);
    h("a", { href: url, download: "gpuodds.png" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    return note("Picture saved.");
  });
}
