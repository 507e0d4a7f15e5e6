/** Someone who talks to the engine: a client's connection. */
export interface Talker {
  destroy(error?: Error): unknown;
}

/**
 * The engine is one PostgreSQL session. Several clients take turns on it: one keeps it from its first
 * message until PostgreSQL says it is idle, outside any transaction, and the others wait in line.
 */
export class SharedSession {
  private readonly clients = new Set<Talker>();
  private owner: Talker | undefined;
  private waiting: { client: Talker; proceed: () => void }[] = [];

  join(client: Talker): void {
    this.clients.add(client);
  }

  leave(client: Talker): void {
    this.clients.delete(client);
    this.waiting = this.waiting.filter((waiter) => waiter.client !== client);
    this.release(client);
  }

  async acquire(client: Talker): Promise<void> {
    if (this.owner === client) return;
    if (this.owner === undefined) {
      this.owner = client;
      return;
    }
    await new Promise<void>((proceed) => this.waiting.push({ client, proceed }));
  }

  release(client: Talker): void {
    if (this.owner !== client) return;
    const next = this.waiting.shift();
    this.owner = next?.client;
    next?.proceed();
  }

  /** The engine is gone: with it every client's transaction and prepared statements. */
  disconnectAll(error: Error): void {
    for (const client of [...this.clients]) client.destroy(error);
  }
}
