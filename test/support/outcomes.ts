import type { Response } from 'supertest';
import type { ErrorBody } from '../../src/common/errors/error-body.js';

/** What an answer comes to: `201`, or `409 CYCLE_NAME_EXISTS`. */
export function outcomeOf({ status, body }: Response): string {
  const { error } = body as Partial<ErrorBody>;
  return error === undefined ? String(status) : `${status} ${error.code}`;
}

export const isSuccess = ({ status }: Response): boolean => status < 300;

/** How often each outcome is there. */
export function tally(answers: readonly Response[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of answers.map(outcomeOf)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The outcomes of those that are no successes. */
export const refusalsOf = (answers: readonly Response[]): string[] =>
  answers.filter((answer) => !isSuccess(answer)).map(outcomeOf);
