/**
 * How often an attack is repeated: `few` times where every change is tested, and so many times more in a
 * campaign (`ATTACK_EFFORT=50`).
 */
export const repetitions = (few: number): number =>
  Math.ceil(few * Number(process.env.ATTACK_EFFORT ?? 1));
