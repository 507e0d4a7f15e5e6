import { ExpenseClient, isApiError, type Schemas } from 'expense-service-client';
import { useEffect, useState } from 'react';

export type Cycle = Schemas['CycleResponse'];
export type Expense = Schemas['ExpenseResponse'];
export type CashFlow = Schemas['CashFlowResponse'];

export const client = new ExpenseClient({
  baseUrl: import.meta.env.VITE_API_URL ?? 'http://localhost:3000',
  // Survives a reload of the page, and ends with its tab.
  token: JSON.parse(sessionStorage.getItem('token') ?? 'null') ?? undefined,
  onToken: (token) => sessionStorage.setItem('token', JSON.stringify(token ?? null)),
  onSessionEnd: () => location.reload(),
});

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Formats the decimal string without a conversion to a binary number. */
export const usd = (amount: string): string => dollars.format(amount as Intl.StringNumericLiteral);

/** The messages at the fields of a request that was refused. */
export function fieldErrors(error: unknown): Record<string, string[] | undefined> {
  if (!isApiError(error, 'VALIDATION_ERROR', 'INVALID_CYCLE_DATES')) return {};
  return error.details.fields ?? {};
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong';

/** Data that is loaded again when `key` changes or `reload` is called, or what to show in its place. */
export function useLoaded<Data>(key: string, load: () => Promise<Data>) {
  const [version, setVersion] = useState(0);
  const [loaded, setLoaded] = useState<{ key?: string; data?: Data; error?: unknown }>({});
  useEffect(() => {
    let isCurrent = true;
    const show = (result: { data?: Data; error?: unknown }) =>
      isCurrent && setLoaded({ key, ...result });
    load().then(
      (data) => show({ data }),
      (error: unknown) => show({ error }),
    );
    return () => void (isCurrent = false);
  }, [key, version]);
  const { data, error } = loaded.key === key ? loaded : {};
  const notice = error ? <ErrorNote error={error} /> : <p aria-busy="true">Loading</p>;
  return { data, notice, reload: () => setVersion(version + 1) };
}

export const ErrorNote = ({ error }: { error: unknown }) =>
  error === undefined ? null : <p role="alert">{messageOf(error)}</p>;
