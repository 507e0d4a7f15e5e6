// @ts-check
/** The measured operations: each has a request for every turn, of a different user each time. */
import { emailOf, idOf, PASSWORD, PAYMENT_METHODS, periodOf, WRITER_EVERY } from './identity.js';
import { issueToken } from './tokens.js';

const API = '/api/v1';
const TOKEN_SECONDS = 86_400;
const MAX_COMPARED = 10;

/**
 * @typedef {{ method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string,
 *   headers: Record<string, string>, body?: string }} Request
 */
/** @typedef {{ user: number, cycle: number }} CycleKey */
/**
 * @typedef Operation
 * @property {string} name
 * @property {(turn: number, target: number) => Request} request targets may share a database; each
 *   changes only the entities of its number
 * @property {(done: Request) => Request} [undo] reverts the request
 */
/**
 * @typedef {{ users: number, cycles: number, expenses: number, targets: number, secret: string }}
 *   Data
 */

/**
 * `serviceOnly` has operations that the baseline does not implement.
 *
 * @typedef {{ reads: Operation[], writes: Operation[], serviceOnly: Operation[] }} Operations
 */

/** @param {Data} data @returns {Operations} */
export function operationsOn({ users, cycles, expenses, targets, secret }) {
  const { get, send } = requestsOf(secret);
  const numbers = Array.from({ length: users }, (_, index) => index + 1);
  const readers = numbers.filter((user) => user % WRITER_EVERY !== 0);
  const writers = numbers.filter((user) => user % WRITER_EVERY === 0);

  /**
   * The users in turn, then the users again with their next cycles. @param {number[]} of @param
   * {number} turn
   */
  const cycleFor = (of, turn) => ({
    user: of[turn % of.length] ?? 1,
    cycle: 1 + (Math.floor(turn / of.length) % cycles),
  });

  /** @param {string} name @param {(key: CycleKey) => string} path @returns {Operation} */
  const read = (name, path) => ({
    name,
    request: (turn) => {
      const key = cycleFor(readers, turn);
      return get(key.user, path(key));
    },
  });

  /**
   * @param {string} name @param {(turn: number, target: number) => Record<string, string>} headers
   *   @returns {Operation}
   */
  const addExpense = (name, headers) => ({
    name,
    request: (turn, target) => {
      const key = cycleFor(writers, turn);
      const request = send('POST', key.user, `${pathOf(key)}/expenses`, {
        description: `Expense ${turn}`,
        currency: turn % 2 === 0 ? 'MXN' : 'USD',
        payment_method_id: idOf('payment method', key.user, 1 + (turn % PAYMENT_METHODS.length)),
        amount: `${10 + (turn % 100)}.35`,
        due_date: periodOf(key.cycle).start,
        category: 'variable',
        comments: 'By hand',
      });
      return { ...request, headers: { ...request.headers, ...headers(turn, target) } };
    },
  });

  const compared = Math.min(MAX_COMPARED, cycles);
  const cycleCount = writers.length * cycles;
  const payable = Math.floor(expenses / targets);

  return {
    reads: [
      read('me', () => '/auth/me'),
      read('payment methods', () => '/payment-methods'),
      read('cycle', (key) => pathOf(key)),
      read('cycles', () => '/cycles?per_page=20'),
      read('expenses', (key) => `${pathOf(key)}/expenses`),
      read('cash flow', (key) => `${pathOf(key)}/cash-flow`),
      // The last cycle of a reader is not completed.
      read('sync diff', ({ user }) => `${pathOf({ user, cycle: cycles })}/sync`),
      read('summary', (key) => `${pathOf(key)}/summary`),
      read('comparison', ({ user }) => {
        const ids = Array.from({ length: compared }, (_, index) => idOf('cycle', user, index + 1));
        return `/reports/cycles-comparison?cycle_ids=${ids.join(',')}`;
      }),
      read(
        'activity',
        (key) => `/activity?cycle_id=${idOf('cycle', key.user, key.cycle)}&limit=50`,
      ),
    ],
    writes: [
      addExpense('add expense', () => ({})),
      {
        name: 'pay expense',
        // A target pays all its expenses, then reverts all payments, and so on.
        request: (turn, target) => {
          const round = Math.floor(turn / cycleCount);
          const key = cycleFor(writers, turn);
          const expense = 1 + (round % payable) * targets + target;
          const path = `${pathOf(key)}/expenses/${idOf('expense', key.user, key.cycle, expense)}`;
          return send('PUT', key.user, path, { paid: Math.floor(round / payable) % 2 === 0 });
        },
        undo: (done) => ({ ...done, body: JSON.stringify({ paid: false }) }),
      },
      addCycle('add cycle', secret, (turn) => cycleFor(writers, turn)),
      {
        name: 'login',
        request: (turn) => ({
          method: 'POST',
          path: `${API}/auth/login`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            username: emailOf(cycleFor(readers, turn).user),
            password: PASSWORD,
          }).toString(),
        }),
      },
    ],
    serviceOnly: [
      addExpense('add expense with key', (turn, target) => ({
        'idempotency-key': `target-${target}-turn-${turn}`,
      })),
      {
        name: 'preview cycle',
        request: (turn) => {
          const { user, cycle } = cycleFor(writers, turn);
          const { start, end } = periodOf(cycle);
          return send('POST', user, '/cycles/preview', {
            start_date: start,
            end_date: end,
            income_amount: '5200.00',
          });
        },
      },
      read('search', (key) => {
        const { start, end } = periodOf(key.cycle);
        return `/expenses?from=${start}&to=${end}&q=template`;
      }),
      read('changes', () => '/changes?limit=200'),
    ],
  };
}

/**
 * @param {string} name @param {string} secret @param {(turn: number) => CycleKey} where
 * @returns {Operation}
 */
export function addCycle(name, secret, where) {
  const { send } = requestsOf(secret);
  return {
    name,
    request: (turn, target) => {
      const { user, cycle } = where(turn);
      const { start, end } = periodOf(cycle);
      return send('POST', user, '/cycles', {
        name: `${name}, target ${target}, turn ${turn}`,
        start_date: start,
        end_date: end,
        income_amount: '5200.00',
      });
    },
  };
}

/** @param {CycleKey} key */
const pathOf = ({ user, cycle }) => `/cycles/${idOf('cycle', user, cycle)}`;

/** Requests with a token of their user. @param {string} secret */
export function requestsOf(secret) {
  /** @type {Map<number, string>} */
  const tokens = new Map();

  /** @param {number} user */
  const authorization = (user) => {
    const cached = tokens.get(user);
    if (cached !== undefined) return cached;
    const token = issueToken({ userId: idOf('user', user), secret, seconds: TOKEN_SECONDS });
    tokens.set(user, `Bearer ${token}`);
    return `Bearer ${token}`;
  };

  return {
    /** @param {number} user @param {string} path @returns {Request} */
    get: (user, path) => ({
      method: 'GET',
      path: `${API}${path}`,
      headers: { authorization: authorization(user) },
    }),
    /**
     * @param {'POST' | 'PUT' | 'PATCH'} method @param {number} user @param {string} path @param
     *   {object} body @returns {Request}
     */
    send: (method, user, path, body) => ({
      method,
      path: `${API}${path}`,
      headers: { authorization: authorization(user), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  };
}

/**
 * The named operations in two lists: those that the baseline implements, and the others.
 *
 * @param {Operations} operations @param {string[]} names all when empty
 */
export function pick({ reads, writes, serviceOnly }, names) {
  const all = [...reads, ...writes, ...serviceOnly];
  const unknown = names.filter((name) => !all.some((operation) => operation.name === name));
  if (unknown.length > 0) {
    const available = all.map(({ name }) => name).join(', ');
    throw new Error(`Unknown operation: ${unknown.join(', ')}; the operations are ${available}`);
  }
  const isPicked = (/** @type {Operation} */ { name }) =>
    names.length === 0 || names.includes(name);
  return {
    compared: [...reads, ...writes].filter(isPicked),
    serviceOnly: serviceOnly.filter(isPicked),
  };
}
