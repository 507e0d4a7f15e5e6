/**
 * Deeper than any valid body; deeper values are not distinguished, so that the recursion is
 * bounded.
 */
const MAX_DEPTH = 20;

/**
 * The JSON text of a value with sorted keys: the same for equal values, whatever the order of their
 * keys.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (value === undefined) return 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth === MAX_DEPTH) return '"..."';
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item, depth + 1)).join()}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join()}}`;
}
