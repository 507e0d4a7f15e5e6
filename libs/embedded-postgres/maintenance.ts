import { Logger } from '@nestjs/common';

const CHECKPOINT_INTERVAL_MS = 60_000;
const CHECKPOINTS_PER_VACUUM = 60;

/**
 * Runs the tasks of a server's background processes, which the embedded engine lacks: without
 * checkpoints the write-ahead log grows until the next clean shutdown, without vacuum the tables
 * grow.
 *
 * @returns a function that stops the maintenance
 */
export function startMaintenance(
  query: (sql: string) => Promise<unknown>,
  intervalMs = CHECKPOINT_INTERVAL_MS,
): () => void {
  const logger = new Logger('EmbeddedDatabase');
  let checkpoints = 0;
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    checkpoints += 1;
    const sql = checkpoints % CHECKPOINTS_PER_VACUUM === 0 ? 'VACUUM ANALYZE' : 'CHECKPOINT';
    query(sql)
      .catch((error: unknown) => logger.warn(`${sql} failed: ${String(error)}`))
      .finally(() => (isRunning = false));
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
