import cluster from 'node:cluster';

/** How the process ends in order; while it starts there is nothing to put in order. */
let stop = (): Promise<void> => Promise.resolve();
let isStopping = false;

/** From now on, the process ends by this. */
export function stopWith(work: () => Promise<void>): void {
  stop = work;
}

/** Ends in order at the first signal, and at once at the second. */
function end(): void {
  // A worker is told twice where the whole group is; it ends at once when its primary is gone.
  if (isStopping && cluster.isWorker) return;
  if (isStopping) process.exit(1);
  isStopping = true;
  stop().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}

process.on('SIGTERM', end);
// The terminal interrupts all of its processes; of several the primary decides.
process.on('SIGINT', cluster.isWorker ? () => undefined : end);
