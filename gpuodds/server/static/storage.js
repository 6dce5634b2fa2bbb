// What the browser keeps for the page from visit to visit; nothing, if its storage is full, or closed to the page.

/** Names this version of the page: the joined script is called by what is in it. */
export const PAGE = import.meta.url;

/**
 * Returns a text that was kept, or nothing.
 * @param {string} name
 */
export function stored(name) {
  try {
    return localStorage.getItem(`gpuodds.${name}`) || "";
  } catch {
    return "";
  }
}

/**
 * Keeps a text; returns whether the browser did.
 * @param {string} name
 * @param {string} text
 */
export function store(name, text) {
  try {
    localStorage.setItem(`gpuodds.${name}`, text);
    return true;
  } catch {
    return false;
  }
}
