import { InitialSchema1795200000000 } from './1795200000000-initial-schema.js';
import { HouseholdInvitations1795210000000 } from './1795210000000-household-invitations.js';
import { Comments1795220000000 } from './1795220000000-comments.js';
import { RulesThatEnd1795230000000 } from './1795230000000-rules-that-end.js';
import { Incomes1795240000000 } from './1795240000000-incomes.js';
import { Sessions1795250000000 } from './1795250000000-sessions.js';
import { IdempotencyKeys1795260000000 } from './1795260000000-idempotency-keys.js';
import { Provenance1795270000000 } from './1795270000000-provenance.js';
import { Changes1795280000000 } from './1795280000000-changes.js';
import { CalendarFeeds1795290000000 } from './1795290000000-calendar-feeds.js';
import {
  HouseholdColumns1795300000000,
  HouseholdKeys1795300000002,
  HouseholdReferences1795300000003,
  HouseholdValues1795300000001,
} from './1795300000000-household-keys.js';
import { PersonalAccessTokens1795310000000 } from './1795310000000-personal-access-tokens.js';
import { Undo1795320000000 } from './1795320000000-undo.js';
import { CalendarAlarms1795320300000 } from './1795320300000-calendar-alarms.js';
import { EmailsInNfc1795330000000 } from './1795330000000-emails-in-nfc.js';
import { TimeZones1795340000000 } from './1795340000000-time-zones.js';
import { Operations1795350000000 } from './1795350000000-operations.js';
import { Budgets1795360000000 } from './1795360000000-budgets.js';
import { PasswordResetTokens1795370000000 } from './1795370000000-password-reset-tokens.js';
import { FoldedDescriptions1795380000000 } from './1795380000000-folded-descriptions.js';
import { Balances1795390000000 } from './1795390000000-balances.js';
import { PlanningDefaults1795400000000 } from './1795400000000-planning-defaults.js';
import { SideCycles1795410000000 } from './1795410000000-side-cycles.js';
import { Cards1795420000000 } from './1795420000000-cards.js';
import { TemplateAmounts1795430000000 } from './1795430000000-template-amounts.js';
import { BudgetsInPesos1795440000000 } from './1795440000000-budgets-in-pesos.js';
import { Reminders1795450000000 } from './1795450000000-reminders.js';
import { FoldedIncomeDescriptions1795460000000 } from './1795460000000-folded-income-descriptions.js';

/** Every migration, in execution order. */
export const MIGRATIONS = [
  InitialSchema1795200000000,
  HouseholdInvitations1795210000000,
  Comments1795220000000,
  RulesThatEnd1795230000000,
  Incomes1795240000000,
  Sessions1795250000000,
  IdempotencyKeys1795260000000,
  Provenance1795270000000,
  Changes1795280000000,
  CalendarFeeds1795290000000,
  HouseholdColumns1795300000000,
  HouseholdValues1795300000001,
  HouseholdKeys1795300000002,
  HouseholdReferences1795300000003,
  PersonalAccessTokens1795310000000,
  Undo1795320000000,
  CalendarAlarms1795320300000,
  EmailsInNfc1795330000000,
  TimeZones1795340000000,
  Operations1795350000000,
  Budgets1795360000000,
  PasswordResetTokens1795370000000,
  FoldedDescriptions1795380000000,
  Balances1795390000000,
  PlanningDefaults1795400000000,
  SideCycles1795410000000,
  Cards1795420000000,
  TemplateAmounts1795430000000,
  BudgetsInPesos1795440000000,
  Reminders1795450000000,
  FoldedIncomeDescriptions1795460000000,
];
