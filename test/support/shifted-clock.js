// @ts-check
/**
 * Loaded with NODE_OPTIONS=--import, this shifts `Date` in a process and its threads by the number
 * of milliseconds in the file that CLOCK_OFFSET names, which may change at any time.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env.CLOCK_OFFSET ?? '';

function now() {
  return RealDate.now() + Number(readFileSync(file, 'utf8'));
}

/** @type {ProxyHandler<DateConstructor>} */
const shifted = {
  /** @param {DateConstructor} target @param {number[]} values */
  construct: (target, values) => {
    const [value = now(), month, day = 1, hours = 0, minutes = 0, seconds = 0, ms = 0] = values;
    if (month === undefined) return new target(value);
    return new target(value, month, day, hours, minutes, seconds, ms);
  },
  apply: () => new RealDate(now()).toString(),
  get: (target, name) =>
    name === 'now' ? now : /** @type {unknown} */ (Reflect.get(target, name)),
};

globalThis.Date = new Proxy(RealDate, shifted);
