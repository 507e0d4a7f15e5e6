/**
 * The number of repetitions of a randomized test: `count` in the regular tests, multiplied by the environment
 * variable `ATTACK_EFFORT` for longer runs.
 */
export const repetitions = (count: number): number =>
  Math.ceil(count * Number(process.env.ATTACK_EFFORT ?? 1));
