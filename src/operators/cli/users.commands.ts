import { PickType } from '@nestjs/swagger';
import { Command, Option } from 'commander';
import { PasswordResetsService } from '../../accounts/password-resets.service.js';
import { AuthService } from '../../auth/auth.service.js';
import { RegisterDto } from '../../auth/dto/auth.dto.js';
import { PersonalAccessTokensService } from '../../auth/personal-access-tokens.service.js';
import { validateBody } from '../../platform/dto/request-validation.pipe.js';
import { CURRENCY_CODES } from '../../platform/values/currency.js';
import { inCommand } from '../../platform/values/requester.js';
import { toUserResponse, type UserResponse } from '../../users/dto/user.dto.js';
import { NEXT_INCOME_AMOUNTS, type User } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { printJson, printTable } from './output.js';
import { choosePassword, type ChosenPassword } from './password.js';
import { withServices } from './services.js';

class NewPassword extends PickType(RegisterDto, ['password'] as const) {}
class NewEmail extends PickType(RegisterDto, ['email'] as const) {}

interface CreateOptions {
  firstName?: string;
  lastName?: string;
  currency?: string;
  locale?: string;
  timeZone?: string;
  minimumBalance?: string;
  nextIncomeAmount?: string;
  generatePassword?: true;
  json?: true;
}

const GENERATE = [
  '--generate-password',
  'generate and print a password (default: prompt, or read from a pipe)',
] as const;

export function usersCommand(): Command {
  const users = new Command('users').description('manage users');

  users
    .command('list')
    .description('list all users in order of registration')
    .option('--json', 'print JSON')
    .action(listUsers);
  users
    .command('create')
    .description('create a user with a new household')
    .argument('<email>')
    .option('--first-name <text>')
    .option('--last-name <text>')
    .addOption(new Option('--currency <code>', 'preferred currency').choices(CURRENCY_CODES))
    .option('--locale <locale>', 'such as es-MX')
    .option('--time-zone <name>', 'such as America/Mexico_City')
    .option('--minimum-balance <amount>', 'what should always remain, in USD, such as 100.00')
    .addOption(
      new Option(
        '--next-income-amount <amount>',
        'of the next cycle: as in the one before, or 0.00',
      ).choices(NEXT_INCOME_AMOUNTS),
    )
    .option(...GENERATE)
    .option('--json', 'print JSON')
    .action(createUser);
  users
    .command('deactivate')
    .description('deactivate a user; the data remains')
    .argument('<email>')
    .action((email: string) => setActive(email, false));
  users
    .command('reactivate')
    .description('reactivate a deactivated user')
    .argument('<email>')
    .action((email: string) => setActive(email, true));
  users
    .command('set-password')
    .description('set the password of a user')
    .argument('<email>')
    .option(...GENERATE)
    .action(setPassword);
  users
    .command('reset-link')
    .description('print a link with which a user sets a new password, valid for 24 hours')
    .argument('<email>')
    .action(printResetLink);
  users
    .command('set-email')
    .description('change the e-mail of a user')
    .argument('<old>', 'in any form, or exactly as stored')
    .argument('<new>')
    .action(setEmail);
  users
    .command('tokens')
    .description('list the personal access tokens of a user')
    .argument('<email>')
    .option('--json', 'print JSON')
    .action(listTokens);
  users
    .command('revoke-tokens')
    .description('end all personal access tokens of a user')
    .argument('<email>')
    .action(revokeTokens);
  return users;
}

async function listUsers({ json }: { json?: true }): Promise<void> {
  const users = await withServices((services) => services.get(UsersService).list());
  if (json) {
    printJson(users.map(toUserOutput));
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
  const dto = await validateBody(RegisterDto, {
    email,
    password: chosen.password,
    first_name: options.firstName,
    last_name: options.lastName,
    preferred_currency: options.currency,
    locale: options.locale,
    time_zone: options.timeZone,
    minimum_balance: options.minimumBalance,
    next_income_amount: options.nextIncomeAmount,
  });
  const user = await withServices((services) => services.get(AuthService).createUser(dto), {
    mayCreate: true,
  });
  if (options.json) {
    printJson({
      ...toUserOutput(user),
      ...(chosen.isGenerated && { password: chosen.password }),
    });
    return;
  }
  console.log(`Created ${user.email} as admin of a new household.`);
  printGenerated(chosen);
}

async function setActive(email: string, active: boolean): Promise<void> {
  await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(email);
    const isChanged = await services.get(AuthService).setActive(user, active);
    const state = active ? 'active' : 'inactive';
    console.log(`${user.email} is ${state}${isChanged ? ' now' : ' already'}.`);
  });
}

async function setPassword(
  email: string,
  { generatePassword = false }: { generatePassword?: boolean },
): Promise<void> {
  const chosen = await choosePassword(generatePassword);
  const { password } = await validateBody(NewPassword, { password: chosen.password });
  await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(email);
    await services.get(AuthService).setPassword(user.id, password);
    console.log(`${user.email} has a new password.`);
  });
  printGenerated(chosen);
}

/** The link alone goes to the standard output, for scripts. */
async function printResetLink(email: string): Promise<void> {
  await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(email);
    const { link, expiresAt } = await services.get(PasswordResetsService).createLink(user);
    console.log(link);
    console.error(`Valid once, until ${expiresAt.toISOString()}, for ${user.email}.`);
  });
}

async function setEmail(old: string, given: string): Promise<void> {
  const { email } = await validateBody(NewEmail, { email: given });
  await withServices(async (services) => {
    const users = services.get(UsersService);
    const user = (await users.findByStoredEmail(old)) ?? (await users.getByEmail(old));
    await services.get(AuthService).changeEmail(user, email);
    console.log(`${user.email} is ${email} now.`);
  });
}

async function listTokens(email: string, { json }: { json?: true }): Promise<void> {
  const tokens = await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(email);
    return services.get(PersonalAccessTokensService).list(inCommand(user));
  });
  if (json) {
    printJson(tokens);
    return;
  }
  printTable(
    tokens.map((token) => ({
      Id: token.id,
      Name: token.name,
      Access: token.access,
      Created: token.created_at,
      Expires: token.expires_at,
      'Last used': token.last_used_at,
    })),
    'The user has no personal access tokens.',
  );
}

async function revokeTokens(email: string): Promise<void> {
  await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(email);
    const count = await services.get(PersonalAccessTokensService).revokeAll(inCommand(user));
    console.log(
      `Ended ${count} personal access ${count === 1 ? 'token' : 'tokens'} of ${user.email}.`,
    );
  });
}

function printGenerated({ password, isGenerated }: ChosenPassword): void {
  if (isGenerated) console.log(`Password: ${password}`);
}

type UserOutput = UserResponse & { household_id: string; role: string };

function toUserOutput(user: User): UserOutput {
  return { ...toUserResponse(user), household_id: user.householdId, role: user.role };
}
