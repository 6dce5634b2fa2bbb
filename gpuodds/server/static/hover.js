// The starting hands that are pointed at: grid, graph and tables show them together.
import { emit } from "./state.js";

/** By the id of the seat; without an id of every seat. @type {{ all: Set<string> | null, of: Map<number, Set<string>> }} */
const now = { all: null, of: new Map() };

/** @param {number} id */
export const hovered = (id) => now.of.get(id) || now.all;

/** Points at hands of every seat, or at none. @param {Iterable<string>} [names] */
export function pointAt(names) {
  const next = names ? new Set(names) : null;
  if (!next && !now.all && !now.of.size) return;
  [now.all, now.of] = [next, new Map()];
  emit("hover");
}

/** Points at hands of each seat. @param {Map<number, Set<string>>} of */
export function pointAtEach(of) {
  [now.all, now.of] = [null, of];
  emit("hover");
}
