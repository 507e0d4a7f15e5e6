import { Injectable } from '@nestjs/common';
import argon2 from 'argon2';

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

@Injectable()
export class PasswordHasher {
  private readonly decoy = this.hash('a password that nobody has');

  hash(password: string): Promise<string> {
    return argon2.hash(password, PARAMETERS);
  }

  /** Takes as long for an unknown user (no hash) as for a wrong password. */
  async verify(hash: string | undefined, password: string): Promise<boolean> {
    const matches = await argon2.verify(hash ?? (await this.decoy), password);
    return matches && hash !== undefined;
  }
}
