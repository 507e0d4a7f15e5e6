import { Command, InvalidArgumentError } from 'commander';
import { readHouseholdData } from '../sample-household/household-data.js';
import { SampleHousehold } from '../sample-household/sample-household.js';
import { printJson, printTable } from './output.js';
import { choosePassword } from './password.js';
import { withServices } from './services.js';

const MAX_USERS = 1000;

const DAYS_PER_YEAR = 365;

interface DemoOptions {
  email: string;
  users: number;
  json?: true;
}

export function demoDataCommand(): Command {
  return new Command('demo-data')
    .description('create demo users, each with a sample household and a year of cycles')
    .option(
      '--email <email>',
      'e-mail of the first user; the second gets -2, and so on',
      'demo@example.com',
    )
    .option('--users <count>', 'number of users', toCount, 1)
    .option('--json', 'print JSON')
    .action(createDemoData);
}

async function createDemoData({ email, users: count, json }: DemoOptions): Promise<void> {
  const { password } = await choosePassword(true);
  const users = await withServices(
    async (services) => {
      const household = services.get(SampleHousehold, { strict: false });
      // The stored rates are real ones, which made-up rates must not replace.
      const data = { ...readHouseholdData('en'), rates: [] };
      const created: { email: string; cycles: number }[] = [];
      for (let number = 1; number <= count; number += 1) {
        const account = { email: numbered(email, number), password };
        const { cycleCount: cycles } = await household.create(account, data, DAYS_PER_YEAR);
        created.push({ email: account.email, cycles });
      }
      return created;
    },
    { mayCreate: true },
  );
  if (json) {
    printJson({ users, password });
    return;
  }
  printTable(
    users.map((user) => ({ 'E-mail': user.email, Cycles: user.cycles })),
    '',
  );
  console.log(`\nPassword: ${password}`);
}

function numbered(email: string, number: number): string {
  const at = email.lastIndexOf('@');
  return number === 1 ? email : `${email.slice(0, at)}-${number}${email.slice(at)}`;
}

function toCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_USERS) {
    throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_USERS}.`);
  }
  return count;
}
