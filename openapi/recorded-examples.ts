/** What `npm run examples` recorded of each operation. */
import { readProjectJson } from '../src/platform/config/project-files.js';
import type { ErrorBody } from '../src/platform/errors/error-body.js';
import type { ErrorCode } from '../src/platform/errors/error-types.js';

/** A request and the response to it, which belong together, and errors of similar requests. */
interface RecordedExample {
  parameters?: Record<string, unknown>;
  request?: unknown;
  response?: unknown;
  errors?: Partial<Record<ErrorCode, ErrorBody>>;
}

/** The examples by operation id. */
export const RECORDED_EXAMPLES = readProjectJson('openapi/examples.json') as Record<
  string,
  RecordedExample | undefined
>;
