import type { Client } from '../support/client.js';
import { sendRaw } from '../support/raw-http.js';
import { createSampleEntities, type SampleEntities } from '../support/sample-entities.js';
import { expectValidResponses } from './invariants.js';
import { bytesOf, isCutShort, type HostileRequest } from './requests.js';
import { ID_PLACEHOLDER } from './schemas.js';

/**
 * After so many requests another user is created, because the entities of the last may be deleted.
 */
const REQUESTS_PER_USER = 12;

interface Target {
  port: () => number;
  signUp: () => Promise<Client>;
}

/** Sends hostile requests as a user with one entity of each type. */
export class Attacker {
  /** The number of responses by status. */
  readonly responses = new Map<number, number>();
  private entities?: SampleEntities;
  private sent = 0;

  constructor(private readonly target: Target) {}

  async send(request: HostileRequest): Promise<void> {
    const entities = await this.currentEntities();
    const { fill, user } = entities;
    const ids = Object.values(entities.ids);
    let next = 0;
    const fillAll = (text: string): string =>
      fill(text).replaceAll(ID_PLACEHOLDER, () => ids[next++ % ids.length] ?? '');
    const bytes = bytesOf(request, fillAll, user.token);
    const received = await sendRaw(this.target.port(), bytes, isCutShort(request));
    for (const status of expectValidResponses(request, received)) {
      this.responses.set(status, (this.responses.get(status) ?? 0) + 1);
    }
  }

  private async currentEntities(): Promise<SampleEntities> {
    if (!this.entities || this.sent % REQUESTS_PER_USER === 0) {
      this.entities = await createSampleEntities(this.target);
    }
    this.sent += 1;
    return this.entities;
  }
}
