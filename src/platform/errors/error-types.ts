/**
 * The types of errors. The application's catalog of errors adds `code`, `resource` and `details`
 * (by code) to this interface.
 */
export interface ErrorTypes {
  /** The HTTP status of a code. */
  status: number;
}

export type ErrorCode = ErrorTypes['code'];

/** The kinds of resources in errors. */
export type ResourceName = ErrorTypes['resource'];

export type StatusOfCode = Readonly<Record<ErrorCode, ErrorTypes['status']>>;

/** The type of the details of a code. */
export type DetailsOf<Code extends ErrorCode> = Code extends keyof ErrorTypes['details']
  ? ErrorTypes['details'][Code]
  : Record<string, never>;

/** The last argument of functions that take a code: its details, or nothing if it has none. */
export type DetailsArgument<Code extends ErrorCode> = Code extends keyof ErrorTypes['details']
  ? Partial<DetailsOf<Code>> extends DetailsOf<Code>
    ? [details?: DetailsOf<Code>]
    : [details: DetailsOf<Code>]
  : [];
