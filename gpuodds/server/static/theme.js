// Light or dark: as the system has it, or as the user chose.
import { button } from "./dom.js";

const KEY = "gpuodds.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {string} */
function saved() {
  try {
    return localStorage.getItem(KEY) || "";
  } catch {
    return "";
  }
}

function draw() {
  const theme = saved() || (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  button("theme").setAttribute("aria-pressed", String(theme === "dark"));
}

export function startTheme() {
  button("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      // What the system has is followed again once it is chosen.
      if ((next === "dark") === dark.matches) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
      draw();
    } catch {
      document.documentElement.dataset.theme = next;
    }
  });
  dark.addEventListener("change", draw);
  draw();
}
