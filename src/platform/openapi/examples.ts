import { readProjectJson } from '../config/project-files.js';
import type { Operation } from './responses.js';

/** A request and the response to it, as `npm run examples` recorded them. */
interface Example {
  parameters?: Record<string, unknown>;
  request?: unknown;
  response?: unknown;
}

/** By operation id. */
const EXAMPLES = readProjectJson('fixtures/examples.json') as Record<string, Example | undefined>;

/** Adds the recorded request and response of the operation, which belong together. */
export function addExamples(operation: Operation): void {
  const example = EXAMPLES[operation.operationId ?? ''];
  if (!example) return;
  for (const parameter of operation.parameters ?? []) {
    if (!('name' in parameter) || parameter.in === 'header') continue;
    const value = example.parameters?.[parameter.name];
    if (value !== undefined) parameter.example = value;
  }
  const { requestBody, responses } = operation;
  if (requestBody && 'content' in requestBody) addTo(requestBody.content, example.request);
  for (const response of Object.values(responses)) {
    if (response && 'content' in response) addTo(response.content, example.response);
  }
}

/** @param content of a request, or of the successful response; errors are references to shared components */
function addTo(content: Record<string, { example?: unknown }> = {}, value: unknown): void {
  if (value === undefined) return;
  for (const media of Object.values(content)) media.example = value;
}
