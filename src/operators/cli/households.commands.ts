import type { INestApplicationContext } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Argument, Command } from 'commander';
import { toHouseholdResponse, UpdateHouseholdDto } from '../../households/dto/household.dto.js';
import type { HouseholdWithMembers } from '../../households/households.service.js';
import { validateBody } from '../../platform/dto/request-validation.pipe.js';
import { USER_ROLES, type UserRole } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { HouseholdAdminService } from '../households/household-admin.service.js';
import { CommandError } from './command-error.js';
import { printJson, printTable } from './output.js';
import { withServices } from './services.js';

const HOUSEHOLD = ['<household>', "its id, or a member's e-mail"] as const;

export function householdsCommand(): Command {
  const households = new Command('households').description('manage households and member roles');

  households
    .command('list')
    .description('list all households in order of creation')
    .option('--json', 'print JSON')
    .action(listHouseholds);
  households
    .command('show')
    .description('show a household and its members')
    .argument(...HOUSEHOLD)
    .option('--json', 'print JSON')
    .action(showHousehold);
  households
    .command('rename')
    .description('rename a household')
    .argument(...HOUSEHOLD)
    .argument('<name>')
    .action(renameHousehold);
  households
    .command('set-role')
    .description('change the role of a household member')
    .argument('<email>')
    .addArgument(new Argument('<role>').choices(USER_ROLES))
    .action(setRole);
  return households;
}

async function listHouseholds({ json }: { json?: true }): Promise<void> {
  const households = await withServices((services) => services.get(HouseholdAdminService).list());
  if (json) {
    printJson(households);
    return;
  }
  printTable(
    households.map((household) => ({
      Id: household.id,
      Name: household.name,
      Members: household.members,
      Active: household.active_members,
      Admins: household.admins,
      Created: household.created_at,
    })),
    'There are no households.',
  );
}

async function showHousehold(household: string, { json }: { json?: true }): Promise<void> {
  const found = await withServices(async (services) =>
    services.get(HouseholdAdminService).get(await idOf(services, household)),
  );
  if (json) printJson(toHouseholdResponse(found));
  else printHousehold(found);
}

async function renameHousehold(household: string, name: string): Promise<void> {
  const dto = await validateBody(UpdateHouseholdDto, { name });
  const renamed = await withServices(async (services) =>
    services.get(HouseholdAdminService).rename(await idOf(services, household), dto.name ?? name),
  );
  printHousehold(renamed);
}

async function setRole(email: string, role: UserRole): Promise<void> {
  await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(email);
    const households = services.get(HouseholdAdminService);
    await households.assignRole(user, role);
    printHousehold(await households.get(user.householdId));
  });
}

async function idOf(services: INestApplicationContext, household: string): Promise<string> {
  if (isUUID(household, 'loose')) return household;
  if (household.includes('@')) {
    return (await services.get(UsersService).getByEmail(household)).householdId;
  }
  throw new CommandError(`${household} is neither a household id nor an e-mail`);
}

function printHousehold({ household, members }: HouseholdWithMembers): void {
  console.log(`${household.name} (${household.id})\n`);
  printTable(
    members.map((member) => ({
      'E-mail': member.email,
      Role: member.role,
      Active: member.active,
      Joined: member.createdAt.toISOString(),
    })),
    'The household has no members.',
  );
}
