/** What the driver turns parameters into; its own types leave it out. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): Buffer | string | null;
}
