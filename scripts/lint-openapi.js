// @ts-check
/** Checks docs/openapi.json by the rules of redocly.yaml, without a request to the network. */
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';
process.env.REDOCLY_TELEMETRY = 'off';
process.argv.splice(2, Infinity, 'lint', 'docs/openapi.json');
// The package exports no module.
await import(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url).href);
