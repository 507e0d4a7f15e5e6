import { ActivityRecord } from './activity/activity-record.entity.js';
import { PasswordResetToken } from './auth/password-reset-token.entity.js';
import { PersonalAccessToken } from './auth/personal-access-token.entity.js';
import { Session } from './auth/session.entity.js';
import { Balance } from './balances/balance.entity.js';
import { Budget } from './budgets/budget.entity.js';
import { CalendarFeed } from './calendar/calendar-feed.entity.js';
import { CardStatement } from './cards/card-statement.entity.js';
import { Comment } from './comments/comment.entity.js';
import { UNIQUE_CONSTRAINTS } from './errors/unique-constraints.js';
import { ExchangeRate } from './exchange-rates/exchange-rate.entity.js';
import { Invitation } from './households/invitation.entity.js';
import { IdempotencyRecord } from './idempotency/idempotency-record.entity.js';
import { CycleExpense } from './ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from './ledger/entities/cycle-income.entity.js';
import { Cycle } from './ledger/entities/cycle.entity.js';
import { MIGRATIONS } from './migrations/index.js';
import { PaymentMethod } from './payment-methods/payment-method.entity.js';
import type { Schema } from './platform/database/data-source.js';
import { ExpenseTemplate } from './templates/expense-template.entity.js';
import { IncomeTemplate } from './templates/income-template.entity.js';
import { Household } from './users/household.entity.js';
import { User } from './users/user.entity.js';

/** What the database of the service contains, and the migrations that make it. */
export const SCHEMA: Schema = {
  entities: [
    Household,
    Invitation,
    User,
    Session,
    PersonalAccessToken,
    PasswordResetToken,
    IdempotencyRecord,
    PaymentMethod,
    Budget,
    Balance,
    CardStatement,
    CalendarFeed,
    ExpenseTemplate,
    IncomeTemplate,
    Cycle,
    CycleExpense,
    CycleIncome,
    ExchangeRate,
    ActivityRecord,
    Comment,
  ],
  migrations: MIGRATIONS,
  uniqueConstraints: UNIQUE_CONSTRAINTS,
  tablesThatExpire: [
    'sessions',
    'personal_access_tokens',
    'password_reset_tokens',
    'idempotency_keys',
  ],
};
