// @ts-check
/** Writes the OpenAPI document of the build to docs/openapi.json. */
import { writeFileSync } from 'node:fs';

/** @param {string} path */
const load = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);

/** @type {unknown[]} */
const modules = await Promise.all([
  load('src/application.js'),
  load('openapi/document.js'),
  load('src/platform/config/settings.js'),
]);
const [application, docs, config] =
  /** @type {[typeof import('../src/application.js'), typeof import('./document.js'), typeof import('../src/platform/config/settings.js')]} */ (
    modules
  );

const settings = config.loadSettings({ DATA_DIR: config.IN_MEMORY_DATA_DIR, LOG_LEVEL: 'warn' });
const app = await application.createApplication(settings);
await application.configureApplication(app, settings);
const document = docs.createOpenApiDocument(app);
writeFileSync('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
await app.close();
