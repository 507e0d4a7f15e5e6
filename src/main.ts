/**
 * Entry point of the service. Signal handlers are installed before the application loads, which takes a second:
 * the first process of a container ignores signals that have no handler.
 */
import './platform/process/signals.js';

const [{ createApplication }, { start }] = await Promise.all([
  import('./application.js'),
  import('./platform/process/start.js'),
]);
await start(createApplication);
