/**
 * Entry point of the service, apart from application.ts, which tests load: from there on a reader finds the modules, and in
 * platform/process how processes start and stop. Signal handlers are installed before the application loads, which takes a
 * second: the first process of a container ignores signals that have no handler.
 */
import './platform/process/signals.js';

const [{ createApplication }, { start }] = await Promise.all([
  import('./application.js'),
  import('./platform/process/start.js'),
]);
await start(createApplication);
