export { UnsuitableServerError } from './errors.js';
export { PipelinedClient } from './pipelined-client.js';
export { ReplaceablePool } from './replaceable-pool.js';
export { sendTogether } from './send-together.js';
export { checkServer } from './server-check.js';
export { prepareSession } from './session-settings.js';
