// Boxes over the page: menus, the deck, the menu of a seat. One is open at a time, beside what opened it; Escape closes it.
import { $, all, button } from "./dom.js";

const GAP = 6; // pixels between a box and what opened it

/** @type {HTMLElement | null} */
let opener = null;

/** @param {HTMLElement} box */
const isOpen = (box) => box.matches(":popover-open");

/** Puts a box below an element, within the window. @param {HTMLElement} box @param {HTMLElement} at */
function place(box, at) {
  const [size, from] = [box.getBoundingClientRect(), at.getBoundingClientRect()];
  const left = Math.max(GAP, Math.min(from.left, innerWidth - size.width - GAP));
  const below = from.bottom + GAP;
  const top = below + size.height <= innerHeight ? below : Math.max(GAP, Math.min(below, innerHeight - size.height - GAP));
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}

/**
 * Opens a box beside an element, or closes it.
 * @param {string} id
 * @param {HTMLElement} at
 * @param {boolean} [isToOpen]
 */
export function toggleBox(id, at, isToOpen) {
  const box = $(id);
  if (isOpen(box)) {
    if (!isToOpen) box.hidePopover();
    return;
  }
  if (isToOpen === false) return;
  opener = at;
  box.showPopover();
  place(box, at);
}

/** @param {string} id */
export function closeBox(id) {
  if (isOpen($(id))) $(id).hidePopover();
}

export function startMenus() {
  for (const box of all("[popover]:not([popover='manual'])")) {
    box.addEventListener("toggle", () => {
      // The layout in CSS of a narrow page takes the place of these.
      if (isOpen(box)) place(box, opener || $("show-menu"));
    });
  }
  for (const one of all("[popovertarget]")) {
    one.addEventListener("click", () => (opener = one));
  }
  for (const id of ["share", "menu"]) {
    $(id).addEventListener("click", (event) => {
      if (event.target instanceof HTMLButtonElement && !event.target.hasAttribute("popovertarget") && event.target.id !== "theme") closeBox(id);
    });
  }
  button("close-deck").addEventListener("click", () => closeBox("deck"));
  // The bar at the bottom of a phone.
  $("parts").addEventListener("click", (event) => {
    if (!(event.target instanceof HTMLElement)) return;
    const { part, deck, menu } = event.target.dataset;
    if (deck !== undefined) toggleBox("deck", event.target);
    if (menu !== undefined) toggleBox("menu", event.target);
    if (part) showPart(part);
  });
  showPart("range");
}

/** Shows a part of the page on a phone: "range" or "views". @param {string} part */
export function showPart(part) {
  document.body.dataset.part = part;
  for (const one of all("button", $("parts"))) one.setAttribute("aria-pressed", String(one.dataset.part === part));
  if (matchMedia("(width <= 640px)").matches) scrollTo(0, 0);
}

