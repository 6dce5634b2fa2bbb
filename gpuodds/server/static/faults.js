// Errors at the inputs that are wrong.
import { $ } from "./dom.js";
import { letterOf } from "./state.js";
import { answer } from "./stream.js";

/** Returns the id of the input that the answer's error is shown at, or "". */
export function faultId() {
  const { text, where } = answer.error;
  if (!text || where === "" || (typeof where === "number" && !letterOf(where))) return "";
  return typeof where === "string" ? where : `seat-${where}`;
}

/**
 * Shows the answer's error at an input, `#ID` with `#ID-error`, or takes it away.
 * @param {string} id
 * @param {string} [other] an error of the input itself, shown where the answer has none
 */
export function showFault(id, other = "") {
  const shown = faultId() === id ? answer.error.text : other;
  $(id).setAttribute("aria-invalid", String(shown !== ""));
  const line = $(`${id}-error`);
  line.hidden = shown === "";
  if (line.textContent !== shown) line.textContent = shown;
}
