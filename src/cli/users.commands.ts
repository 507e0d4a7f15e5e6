import { Command, Option } from 'commander';
import { AuthService } from '../auth/auth.service.js';
import { RegisterDto } from '../auth/dto/auth.dto.js';
import { CURRENCY_CODES } from '../common/enums.js';
import { validatedBody } from '../common/http/validated-body.js';
import { HouseholdOperations } from '../households/household-operations.js';
import type { User } from '../users/user.entity.js';
import { toUserResponse, type UserResponse } from '../users/user.response.js';
import { UsersService } from '../users/users.service.js';
import { printJson, printTable } from './output.js';
import { choosePassword, type ChosenPassword } from './password.js';
import { withServices } from './services.js';

interface CreateOptions {
  firstName?: string;
  lastName?: string;
  currency?: string;
  locale?: string;
  generatePassword?: true;
  json?: true;
}

const GENERATE = [
  '--generate-password',
  'make the password and print it (default: ask for it, or read it from a pipe)',
] as const;

export function usersCommand(): Command {
  const users = new Command('users').description('accounts: list, make, close, open, new password');

  users
    .command('list')
    .description('list all users, in the order they registered')
    .option('--json', 'print JSON')
    .action(listUsers);
  users
    .command('create')
    .description('make a user with a household of their own, as registering does')
    .argument('<email>')
    .option('--first-name <text>')
    .option('--last-name <text>')
    .addOption(new Option('--currency <code>', 'preferred currency').choices(CURRENCY_CODES))
    .option('--locale <locale>', 'such as es-MX')
    .option(...GENERATE)
    .option('--json', 'print JSON')
    .action(createUser);
  users
    .command('deactivate')
    .description('keep a user out; their data stays')
    .argument('<email>')
    .action((email: string) => setActive(email, false));
  users
    .command('reactivate')
    .description('let a deactivated user in again')
    .argument('<email>')
    .action((email: string) => setActive(email, true));
  users
    .command('set-password')
    .description('give a user a new password')
    .argument('<email>')
    .option(...GENERATE)
    .action(setPassword);
  return users;
}

async function listUsers({ json }: { json?: true }): Promise<void> {
  const users = await withServices((services) => services.get(UsersService).list());
  if (json) {
    printJson(users.map(toOperatorsView));
    return;
  }
  printTable(
    users.map((user) => ({
      'E-mail': user.email,
      Name: [user.firstName, user.lastName].filter((name) => name !== null).join(' '),
      Active: user.active,
      Role: user.role,
      Household: user.householdId,
      Registered: user.createdAt.toISOString(),
    })),
    'There are no users.',
  );
}

async function createUser(email: string, options: CreateOptions): Promise<void> {
  const chosen = await choosePassword(options.generatePassword ?? false);
  const dto = await validatedBody(RegisterDto, {
    email,
    password: chosen.password,
    first_name: options.firstName,
    last_name: options.lastName,
    preferred_currency: options.currency,
    locale: options.locale,
  });
  const user = await withServices((services) => services.get(AuthService).register(dto), {
    mayCreate: true,
  });
  if (options.json) {
    printJson({
      ...toOperatorsView(user),
      ...(chosen.isGenerated && { password: chosen.password }),
    });
    return;
  }
  console.log(`Created ${user.email}, the admin of a new household.`);
  showGenerated(chosen);
}

async function setActive(email: string, active: boolean): Promise<void> {
  await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(normalized(email));
    const isChanged = await services.get(HouseholdOperations).setActive(user, active);
    const state = active ? 'active' : 'inactive';
    console.log(`${user.email} is ${state}${isChanged ? ' now' : ' already'}.`);
  });
}

async function setPassword(
  email: string,
  { generatePassword = false }: { generatePassword?: boolean },
): Promise<void> {
  const chosen = await choosePassword(generatePassword);
  const { email: address, password } = await validatedBody(RegisterDto, {
    email,
    password: chosen.password,
  });
  await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(address);
    await services.get(AuthService).resetPassword(user.id, password);
  });
  console.log(`${address} has a new password.`);
  showGenerated(chosen);
}

function showGenerated({ password, isGenerated }: ChosenPassword): void {
  if (isGenerated) console.log(`Password: ${password}`);
}

/** As it is stored. */
export function normalized(email: string): string {
  return email.trim().toLowerCase();
}

type OperatorsView = UserResponse & { household_id: string; role: string };

function toOperatorsView(user: User): OperatorsView {
  return { ...toUserResponse(user), household_id: user.householdId, role: user.role };
}
