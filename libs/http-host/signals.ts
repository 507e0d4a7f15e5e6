/**
 * This module imports Node.js alone, so that its handlers are installed before anything else is
 * loaded.
 */
import cluster from 'node:cluster';

/** Shuts the process down gracefully; nothing to do while it starts. */
let stop = (_signal: NodeJS.Signals): Promise<void> => Promise.resolve();
let isStopping = false;

/** Sets the work of a graceful shutdown. */
export function onShutdown(work: (signal: NodeJS.Signals) => Promise<void>): void {
  stop = work;
}

/** Shuts down gracefully on the first signal, and at once on the second. */
function handleSignal(signal: NodeJS.Signals): void {
  // A worker gets the signal twice when it is sent to the process group; it exits when its primary
  // is gone.
  if (isStopping && cluster.isWorker) return;
  if (isStopping) process.exit(1);
  isStopping = true;
  stop(signal).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}

process.on('SIGTERM', handleSignal);
// A terminal sends SIGINT to the primary and its workers; only the primary handles it.
process.on('SIGINT', cluster.isWorker ? () => undefined : handleSignal);
