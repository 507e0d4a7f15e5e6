// @ts-check
/** Stands for @nestjs/throttler in tests: the real one, as environment.js got it from Node. */

/** @type {unknown} */
const throttler = Reflect.get(globalThis, 'throttler');

export const { ThrottlerStorage } = /** @type {typeof import('@nestjs/throttler')} */ (throttler);
