// @ts-check
/** `JSON.parse` as a strict compiler likes it. @param {string} text */
export function parseJson(text) {
  /** @type {unknown} */
  const value = JSON.parse(text);
  return value;
}
