// @ts-check
/**
 * Loaded before everything else (NODE_OPTIONS=--import), this sets the clock of a process and of its threads:
 * by as many milliseconds as the file says that CLOCK_OFFSET names, at any time.
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
