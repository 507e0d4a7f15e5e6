/**
 * Entry point of the service. Signal handlers are installed before anything else loads, which takes
 * a second: the first process of a container ignores signals that have no handler.
 */
import '#http-host/signals';
import cluster from 'node:cluster';

const { assertCanStart, exitWithError, isFirstStart, logNextStep, readSettings } =
  await import('./platform/process/start.js');

try {
  const settings = readSettings();
  if (cluster.isPrimary) await assertCanStart(settings);
  if (cluster.isPrimary && settings.workers > 1) {
    const { startWorkers } = await import('./platform/process/workers.js');
    await startWorkers(settings);
  } else {
    const showsNextStep = isFirstStart(settings);
    const { configureApplication, createApplication } = await import('./application.js');
    const { serve } = await import('./platform/process/serve.js');
    const app = await createApplication(settings);
    await configureApplication(app, settings);
    await app.listen(settings.port, settings.host);
    await serve(app, settings);
    if (showsNextStep) logNextStep();
  }
} catch (error) {
  exitWithError(error);
}
