// @ts-check
import { parseArgs } from 'node:util';
import { WRITER_EVERY } from './identity.js';
import { STARTS } from './turns.js';

/**
 * @typedef {object} Options
 * @property {boolean} growth
 * @property {number} users
 * @property {number} cycles of each user
 * @property {number} expenses of each cycle
 * @property {number} rounds
 * @property {number} seconds of load, of each target and operation in a round
 * @property {number} connections
 * @property {string[]} only names of operations; all when empty
 * @property {string} output the file of the results
 * @property {string | undefined} profile a folder for CPU profiles of the processes
 */

/** The service refuses more in one cycle. */
const MAX_EXPENSES_OF_CYCLE = 2000;
/** `add expense` with a key and without, by two servers. */
const OPERATIONS_THAT_ADD = 4;
/** For each connection; more than the faster server reaches. */
const MAX_ADDED_PER_SECOND = 250;

const USAGE = `npm run bench -- [operations] [options]

  --growth           measure what grows with the data, not the comparison with the baseline
  --users 1000       users in the database (with --growth 60, and 100 times as many)
  --cycles 10        of each user
  --expenses 40      of each cycle
  --rounds 12        measured rounds, of which the medians are shown
  --seconds 2        of load for each operation and server in a round
  --connections 16   concurrent requests (with --growth 2)
  --only NAME,NAME   these operations, as the table names them
  --output FILE      of the results, as JSON (bench/results/latest.json)
  --profile FOLDER   write CPU profiles of the servers there`;

/** @param {string[]} args @returns {Options} */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      users: { type: 'string' },
      cycles: { type: 'string', default: '10' },
      expenses: { type: 'string', default: '40' },
      rounds: { type: 'string', default: '12' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string' },
      only: { type: 'string', default: '' },
      output: { type: 'string', default: 'bench/results/latest.json' },
      profile: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const { growth, only, output, profile } = values;
  const size = {
    cycles: numberFrom('cycles', values.cycles, 1),
    expenses: numberFrom('expenses', values.expenses, 2),
    rounds: numberFrom('rounds', values.rounds, 1),
    seconds: numberFrom('seconds', values.seconds, 1),
    connections: numberFrom('connections', values.connections ?? (growth ? '2' : '16'), 1),
  };
  return {
    ...size,
    growth,
    users: numberFrom('users', values.users ?? (growth ? '60' : '1000'), minimumUsers(size)),
    only: only.split(',').filter((name) => name !== ''),
    output,
    profile,
  };
}

/**
 * As many users as keep the cycles of the writers among them below the limit on expenses.
 *
 * @param {Pick<Options, 'cycles' | 'expenses' | 'rounds' | 'seconds' | 'connections'>} size
 */
function minimumUsers({ cycles, expenses, rounds, seconds, connections }) {
  const loads = OPERATIONS_THAT_ADD * (rounds + STARTS);
  const added = loads * seconds * connections * MAX_ADDED_PER_SECOND;
  const writers = Math.ceil(added / (MAX_EXPENSES_OF_CYCLE - expenses) / cycles);
  return writers * WRITER_EVERY;
}

/** @param {string} name @param {string} text @param {number} minimum */
function numberFrom(name, text, minimum) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= minimum) return value;
  console.error(`--${name} must be an integer of at least ${minimum}\n\n${USAGE}`);
  return process.exit(1);
}
