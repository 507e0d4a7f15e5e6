import { oneOfEverything, type Everything } from '../support/one-of-everything.js';
import { sendRaw } from '../support/raw-http.js';
import type { Client } from '../support/client.js';
import { expectHarmless } from './invariants.js';
import { bytesOf, isCutShort, type HostileRequest } from './requests.js';
import { ID_PLACE } from './schemas.js';

/** Requests after which much of what a user had may be gone: another user takes its place. */
const REQUESTS_A_USER = 12;

interface Target {
  port: () => number;
  signUp: () => Promise<Client>;
}

/** Sends hostile requests as a user who has one of everything. */
export class Attacker {
  /** How many answers there were of each status. */
  readonly answers = new Map<number, number>();
  private everything?: Everything;
  private sent = 0;

  constructor(private readonly target: Target) {}

  async send(request: HostileRequest): Promise<void> {
    const everything = await this.someone();
    const { fill, user } = everything;
    const ids = Object.values(everything.ids);
    let next = 0;
    const fillAll = (text: string): string =>
      fill(text).replaceAll(ID_PLACE, () => ids[next++ % ids.length] ?? '');
    const bytes = bytesOf(request, fillAll, user.token);
    const received = await sendRaw(this.target.port(), bytes, isCutShort(request));
    for (const status of expectHarmless(request, received)) {
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    }
  }

  private async someone(): Promise<Everything> {
    if (!this.everything || this.sent % REQUESTS_A_USER === 0) {
      this.everything = await oneOfEverything(this.target);
    }
    this.sent += 1;
    return this.everything;
  }
}
