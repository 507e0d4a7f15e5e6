/**
 * The number of repetitions of a randomized test: `count` in the regular tests, multiplied by the
 * environment variable `ATTACK_EFFORT` for longer runs.
 */
export const repetitions = (count: number): number =>
  Math.ceil(count * Number(process.env.ATTACK_EFFORT ?? 1));

/**
 * The options of a property whose repetitions send many requests: it fails with the first
 * counterexample, its seed and its path. The search for a smaller one would last longer than the
 * test may, which would then only report that.
 */
export const longRuns = (count: number): { numRuns: number; endOnFailure: true } => ({
  numRuns: repetitions(count),
  endOnFailure: true,
});
