import { Logger } from '@nestjs/common';

const CHECKPOINT_EVERY_MS = 60_000;
const CHECKPOINTS_PER_VACUUM = 60;

/**
 * Does what a server's background processes do and the embedded engine has none for: without
 * checkpoints the write-ahead log grows until the next clean stop, without vacuum the tables do.
 *
 * @returns the stop
 */
export function startMaintenance(
  query: (sql: string) => Promise<unknown>,
  everyMs = CHECKPOINT_EVERY_MS,
): () => void {
  const logger = new Logger('EmbeddedDatabase');
  let checkpoints = 0;
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    checkpoints += 1;
    const sql = checkpoints % CHECKPOINTS_PER_VACUUM === 0 ? 'VACUUM ANALYZE' : 'CHECKPOINT';
    query(sql)
      .catch((error: unknown) => logger.warn(`${sql} failed: ${String(error)}`))
      .finally(() => (isBusy = false));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
