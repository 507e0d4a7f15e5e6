/** The connection of a client. */
interface SessionClient {
  destroy(error?: Error): unknown;
}

/**
 * The engine is a single PostgreSQL session that several clients share. A client holds it from its
 * first message until PostgreSQL is idle outside a transaction; the other clients wait in a queue.
 */
export class SessionQueue {
  private readonly clients = new Set<SessionClient>();
  private owner: SessionClient | undefined;
  private waiting: { client: SessionClient; proceed: () => void }[] = [];

  join(client: SessionClient): void {
    this.clients.add(client);
  }

  leave(client: SessionClient): void {
    this.clients.delete(client);
    this.waiting = this.waiting.filter((waiter) => waiter.client !== client);
    this.release(client);
  }

  async acquire(client: SessionClient): Promise<void> {
    if (this.owner === client) return;
    if (this.owner === undefined) {
      this.owner = client;
      return;
    }
    await new Promise<void>((proceed) => this.waiting.push({ client, proceed }));
  }

  release(client: SessionClient): void {
    if (this.owner !== client) return;
    const next = this.waiting.shift();
    this.owner = next?.client;
    next?.proceed();
  }

  /**
   * Closes every client after the loss of the engine, with their transactions and prepared
   * statements.
   */
  disconnectAll(error: Error): void {
    for (const client of [...this.clients]) client.destroy(error);
  }
}
