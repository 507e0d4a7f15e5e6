/** The client of the service, what it has read, and what React needs of both. */
import { useCallback, useRef, useSyncExternalStore } from 'react';
import {
  ExpenseClient,
  Queries,
  type AccessToken,
  type GetPath,
  type Query,
  type QueryState,
  type Schemas,
} from 'expense-service-client';
import { fetchOrLast, forgetAnswers } from './offline';

const TOKEN = 'token';

type SessionState = 'none' | 'open' | 'ended';
const listeners = new Set<() => void>();
let session: SessionState = 'none';

function setSession(state: SessionState): void {
  session = state;
  for (const listener of listeners) listener();
}

function storedToken(): AccessToken | undefined {
  try {
    return JSON.parse(localStorage.getItem(TOKEN) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Empty: the origin of the page, whose server passes the requests on. */
const apiUrl: string = import.meta.env.VITE_API_URL ?? 'http://localhost:3000';
const baseUrl = apiUrl || location.origin;

/** Where assistants reach the service. */
export const MCP_URL = `${baseUrl}/mcp`;

export const client = new ExpenseClient({
  baseUrl,
  token: storedToken(),
  keepAlive: true,
  fetch: fetchOrLast(
    ({ headers }) => headers.get('Authorization') === `Bearer ${storedToken()?.value}`,
  ),
  onToken: (token) => {
    if (token) localStorage.setItem(TOKEN, JSON.stringify(token));
    else localStorage.removeItem(TOKEN);
  },
  // The page stays as it is behind the sign-in, so that nothing that was typed is lost.
  onSessionEnd: () => {
    void forgetAnswers();
    setSession('ended');
  },
});
if (client.token) session = 'open';

export const queries = new Queries(client);

/** Begins a session. After the end of one the pages go on as they are, for the same user. */
export async function signIn(credentials: { email: string; password: string }): Promise<void> {
  const former = queries.query('/auth/me').getSnapshot().data;
  await forgetAnswers();
  await client.signIn(credentials);
  const { data: user } = await client.GET('/auth/me');
  // Another user must see nothing of what was read, typed or can be undone.
  if (former && former.id !== user.id) return location.assign('/');
  setSession('open');
  void queries.refresh();
}

export async function signOut(): Promise<void> {
  await client.signOut().catch(() => undefined);
  queries.clear();
  await forgetAnswers();
  setSession('none');
}

export const useSession = (): SessionState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );

/** What the payment of an entry or a statement does not change, for `refreshLater`. */
export const UNCHANGED_BY_PAYMENTS: GetPath[] = [
  '/auth/me',
  '/cycles',
  '/payment-methods',
  '/expense-templates',
  '/income-templates',
  '/exchange-rates',
];

/** What a query has read so far; it is read again after each write. */
export const useQuery = <Data>(query: Query<Data>): QueryState<Data> =>
  useSyncExternalStore(query.subscribe, query.getSnapshot);

/** The same of several queries, whose number may change. */
export function useQueryList<Data>(queryList: readonly Query<Data>[]): readonly QueryState<Data>[] {
  const list = useStable(queryList);
  const last = useRef<readonly QueryState<Data>[]>([]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = list.map((query) => query.subscribe(listener));
      return () => ends.forEach((end) => end());
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => {
    const next = list.map((query) => query.getSnapshot());
    if (!isSame(next, last.current)) last.current = next;
    return last.current;
  });
}

export type State<Data> = Pick<QueryState<Data>, 'data' | 'error'>;

/** All pages of a list; undefined until all of them have been read. */
export function usePages<Page extends { pagination: { pages: number } }>(
  query: (page: number) => Query<Page>,
): State<Page[]> {
  const count = useQuery(query(1)).data?.pagination.pages ?? 1;
  const states = useQueryList(Array.from({ length: count }, (_, i) => query(i + 1)));
  const data = states.flatMap((state) => state.data ?? []);
  return {
    data: data.length === count ? data : undefined,
    error: states.find(({ error }) => error !== undefined)?.error,
  };
}

/** All cycles of the user. */
export function useCycles(): State<Cycle[]> {
  const { data, error } = usePages((page) =>
    queries.query('/cycles', { params: { query: { page, per_page: 100 } } }),
  );
  return { data: data?.flatMap(({ cycles }) => cycles), error };
}

/** The array of the render before, if it has the same elements. */
function useStable<Element>(list: readonly Element[]): readonly Element[] {
  const last = useRef(list);
  if (!isSame(list, last.current)) last.current = list;
  return last.current;
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((element, i) => element === b[i]);

export const useMe = (): QueryState<Schemas['UserResponse']> => useQuery(queries.query('/auth/me'));

/** Dollars for one peso on a day, which may not have been chosen; undefined until it has been read. */
export function useRate(date: string | null | undefined): string | undefined {
  const queryOf = (day: string) => ({ from: 'MXN', to: 'USD', date: day }) as const;
  const [state] = useQueryList(
    date ? [queries.query('/exchange-rates', { params: { query: queryOf(date) } })] : [],
  );
  return state?.data?.rates[0]?.rate;
}

/** The version of a record as it was read, for `ifMatch`. */
export const tagOf = ({ updated_at }: { updated_at: string }): string => `"${updated_at}"`;

export type Expense = Schemas['ExpenseResponse'];
export type Income = Schemas['IncomeResponse'];
export type Cycle = Schemas['CycleResponse'];
export type Forecast = Schemas['ForecastResponse'];
export type ExpenseTemplate = Schemas['ExpenseTemplateResponse'];
export type IncomeTemplate = Schemas['IncomeTemplateResponse'];
export type Budget = Schemas['BudgetResponse'];
export type Currency = Schemas['CurrencyCode'];
