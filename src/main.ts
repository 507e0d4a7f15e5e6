/**
 * Entry point of the service. `start` reads the settings and runs the application in this process,
 * or in several workers. Signal handlers are installed before the application loads, which takes a
 * second: the first process of a container ignores signals that have no handler.
 */
import '#http-host/signals';

const [{ configureApplication, createApplication }, { start }] = await Promise.all([
  import('./application.js'),
  import('./platform/process/start.js'),
]);

await start(async (settings) => {
  const app = await createApplication(settings);
  await configureApplication(app, settings);
  await app.listen(settings.port, settings.host);
  return app;
});
