// @ts-check
/** `JSON.parse` with a result of type `unknown`. @param {string} text */
export function parseJson(text) {
  /** @type {unknown} */
  const value = JSON.parse(text);
  return value;
}
