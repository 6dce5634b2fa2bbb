// Light or dark: as the system has it, or as the user chose.
import { button } from "./dom.js";
import { store, stored } from "./storage.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} theme */
function draw(theme) {
  document.documentElement.dataset.theme = theme;
    button("theme").textContent = theme === "dark" ? "Light theme" : "Dark theme";
}

const follow = () => draw(stored("theme") || (dark.matches ? "dark" : "light"));

export function startTheme() {
  button("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    // What the system has is followed again once it is chosen.
    store("theme", (next === "dark") === dark.matches ? "" : next);
    draw(next);
  });
  dark.addEventListener("change", follow);
  follow();
}
