import type { Response } from 'supertest';
import type { ErrorBody } from '../../src/platform/errors/error-body.js';

/** The status and error code of a response: `201`, or `409 CYCLE_NAME_EXISTS`. */
export function outcomeOf({ status, body }: Response): string {
  const { error } = body as Partial<ErrorBody>;
  return error === undefined ? String(status) : `${status} ${error.code}`;
}

export const isSuccess = ({ status }: Response): boolean => status < 300;

/** The number of responses by outcome. */
export function countOutcomes(responses: readonly Response[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of responses.map(outcomeOf)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The outcomes of the unsuccessful responses. */
export const refusalsOf = (responses: readonly Response[]): string[] =>
  responses.filter((response) => !isSuccess(response)).map(outcomeOf);
