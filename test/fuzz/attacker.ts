import { createSampleEntities, type SampleEntities } from '../support/sample-entities.js';
import { sendRaw } from '../support/raw-http.js';
import type { Client } from '../support/client.js';
import { expectHarmless } from './invariants.js';
import { bytesOf, isCutShort, type HostileRequest } from './requests.js';
import { ID_PLACE } from './schemas.js';

/** The number of requests after which another user is created, because the first one's entities may be deleted. */
const REQUESTS_A_USER = 12;

interface Target {
  port: () => number;
  signUp: () => Promise<Client>;
}

/** Sends hostile requests as a user with one entity of each type. */
export class Attacker {
  /** The number of responses by status. */
  readonly responses = new Map<number, number>();
  private everything?: SampleEntities;
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
      this.responses.set(status, (this.responses.get(status) ?? 0) + 1);
    }
  }

  private async someone(): Promise<SampleEntities> {
    if (!this.everything || this.sent % REQUESTS_A_USER === 0) {
      this.everything = await createSampleEntities(this.target);
    }
    this.sent += 1;
    return this.everything;
  }
}
