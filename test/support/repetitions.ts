/**
 * The number of repetitions of a randomized test: `few` in the regular tests, multiplied by the environment
 * variable `ATTACK_EFFORT` for longer runs.
 */
export const repetitions = (few: number): number =>
  Math.ceil(few * Number(process.env.ATTACK_EFFORT ?? 1));
