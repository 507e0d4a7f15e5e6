// @ts-check
/**
 * Loaded with NODE_OPTIONS=--import, this lets a process look at who is to be reminded every 3 s
 * instead of every 15 s; no other timer of the service waits that long.
 */
const [INTERVAL_MS, SHORT_MS] = [15_000, 3_000];

const { setTimeout: wait } = globalThis;
const globals = /** @type {{ setTimeout: unknown }} */ (globalThis);

/** @param {(...values: unknown[]) => void} callback @param {number} ms @param {unknown[]} values */
function waitShorter(callback, ms, ...values) {
  return wait(callback, ms === INTERVAL_MS ? SHORT_MS : ms, ...values);
}

globals.setTimeout = Object.assign(waitShorter, wait);
