export { ExpenseClient, type ExpenseClientOptions } from './client.js';
export { addDays, dayOf, daysBetween, formatDate } from './dates.js';
export {
  ApiError,
  isApiError,
  NetworkError,
  UnexpectedResponseError,
  type ErrorCode,
  type ErrorDetails,
} from './errors.js';
export { fieldErrors, messageOf, reasonMessage, type MessageLanguage } from './messages.js';
export {
  addAmounts,
  compareAmounts,
  formatMoney,
  formatNumber,
  fromCents,
  isNegative,
  parseAmount,
  subtractAmounts,
  toCents,
} from './money.js';
export {
  convertToUsd,
  explainFree,
  firstFit,
  planAgainstReality,
  shortDays,
  type FreeExplanation,
  type PlanAgainstReality,
  type ShortDays,
} from './plan.js';
export { Queries, type Query, type QueryState, type SendOptions, type Sent } from './queries.js';
export { recurrenceText, type RecurrenceRule } from './recurrence.js';
export type { RetrySettings } from './retry.js';
export type { AccessToken } from './session.js';
export type {
  ApiCall,
  ApiPaths,
  ApiResponse,
  Cancellation,
  Change,
  DataAt,
  GetPath,
  Operation,
  PagedPath,
  RequestOptions,
  Schemas,
} from './types.js';
export { warningMessage } from './warnings.js';
