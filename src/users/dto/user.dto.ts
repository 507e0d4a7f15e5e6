import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  CreatedAtProperty,
  DateProperty,
  EnumProperty,
  IntegerProperty,
  MoneyProperty,
  TextProperty,
  UpdatedAtProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { todayIn, type TodayIn } from '../../platform/values/time-zone.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import {
  NEXT_INCOME_AMOUNTS,
  type NextIncomeAmount,
  type Person,
  type User,
} from '../user.entity.js';

@ApiSchema({ description: 'A user, as other members of the household see one' })
export class PersonResponse {
  @UuidProperty(EXAMPLE_ID.user, { description: 'The id of the user' })
  id!: string;

  @ApiProperty({
    type: 'string',
    format: 'email',
    example: 'ana@example.com',
    description: 'In lower case',
  })
  email!: string;

  @TextProperty({ nullable: true, example: 'Ana', description: 'null: not given' })
  first_name!: string | null;

  @TextProperty({ nullable: true, example: 'Ruiz', description: 'null: not given' })
  last_name!: string | null;
}

@ApiSchema({ name: 'Reminders', description: 'Mails on days on which there is something to say' })
export class RemindersResponse {
  @BooleanProperty({ example: false, description: 'Whether the user wants them' })
  enabled!: boolean;

  @IntegerProperty({
    example: 8,
    description: "The hour of the user's day from which they are sent",
  })
  hour!: number;

  @IntegerProperty({ example: 3, description: 'How many days before it is due something is named' })
  days_before!: number;

  @BooleanProperty({
    example: false,
    description:
      'Whether the user has confirmed the e-mail, until that changes; false: none is sent',
  })
  confirmed!: boolean;
}

@ApiSchema({ description: 'The account of the user' })
export class UserResponse extends PersonResponse {
  @EnumProperty(CURRENCY_CODES, 'CurrencyCode', {
    example: 'USD',
    description: 'The currency that clients show by default',
  })
  preferred_currency!: CurrencyCode;

  @TextProperty({
    example: 'es-MX',
    description: 'The language and region for clients, such as `es-MX`',
  })
  locale!: string;

  @TextProperty({
    example: 'America/Mexico_City',
    description:
      '`UTC` or the name of a time zone, as given. It decides what day it is for the user, and so what is `overdue`',
  })
  time_zone!: string;

  @MoneyProperty({
    example: '100.00',
    description: 'What should always remain, in USD: the default of the parameter of forecasts',
  })
  minimum_balance!: string;

  @EnumProperty(NEXT_INCOME_AMOUNTS, 'NextIncomeAmount', {
    example: 'same',
    description:
      'The `income_amount` of the next cycle and of cycles that would follow: `same` as in the one before, or `zero`',
  })
  next_income_amount!: NextIncomeAmount;

  @ApiProperty({ description: 'Mails that remind of what is due' })
  reminders!: RemindersResponse;

  @BooleanProperty({ example: true, description: 'false: the user cannot log in' })
  active!: boolean;

  @CreatedAtProperty()
  created_at!: string;

  @UpdatedAtProperty()
  updated_at!: string;

  @DateProperty({ example: '2026-01-18', description: 'The current day in `time_zone`' })
  today!: CalendarDate;
}

export function toPersonResponse(person: Person): PersonResponse {
  return {
    id: person.id,
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
  };
}

/** The columns of the response. */
export type StoredUserResponse = Omit<UserResponse, 'today'>;

/** @param today of the settings; by default that of the clock */
export const withToday = (stored: StoredUserResponse, today: TodayIn = todayIn): UserResponse => ({
  ...stored,
  today: today(stored.time_zone),
});

/** @param today of the settings; by default that of the clock */
export function toUserResponse(user: User, today?: TodayIn): UserResponse {
  const stored = {
    ...toPersonResponse(user),
    preferred_currency: user.preferredCurrency,
    locale: user.locale,
    time_zone: user.timeZone,
    minimum_balance: user.minimumBalance,
    next_income_amount: user.nextIncomeAmount,
    reminders: {
      enabled: user.remindersEnabled,
      hour: user.remindersHour,
      days_before: user.remindersDaysBefore,
      confirmed: user.remindersConfirmed,
    },
    active: user.active,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
  };
  return withToday(stored, today);
}
