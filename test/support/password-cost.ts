import argon2 from 'argon2';

const { hash } = argon2;

const LOW_COST = { memoryCost: 64, timeCost: 1 };

/**
 * Makes the hashes of this process cheap: most tests sign users up, and hashing would take a sixth
 * of their time.
 */
export function lowerPasswordCost(): void {
  Object.assign(argon2, {
    hash: (password: string, options: argon2.Options) =>
      hash(password, { ...options, ...LOW_COST }),
  });
}

/** For tests of the cost itself. Call it before the service starts. */
export function restorePasswordCost(): void {
  Object.assign(argon2, { hash });
}
