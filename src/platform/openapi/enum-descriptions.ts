import type { OpenAPIObject } from '@nestjs/swagger';

/** The descriptions of the shared enumerations, whose schemas many properties reference. */
const ENUM_DESCRIPTIONS: Record<string, string> = {
  ActivityAction: 'What was done, as the activity log records it',
  CommentableType: 'The kinds of entities that can have comments',
  CurrencyCode: 'A currency by its ISO 4217 code',
  CycleStatus: 'The stage of a cycle, from `draft` to `completed`, which is final',
  EntityType: 'The kinds of entities that the activity log records',
  EntryType: 'The kinds of entries of a cycle',
  ExpenseCategory: 'Whether an expense is the same in each cycle or varies',
  ExpenseStatus:
    'The state of an expense; reads show a `pending` one as `overdue` after its due date',
  MoveReason:
    'Why an occurrence is not on the date of the rule: `month_end`: the month has no such day, so its last day is ' +
    'used; `weekday`: moved to `day_of_week`; `weekend`: moved by the weekend rule',
  PaymentMethodType: 'The kinds of payment methods',
  ProtectionReason: 'Why a synchronization leaves an entry as it is',
  RecurrenceType: 'The type of a recurrence rule, which determines the schema of its config',
  RecurrenceUnit: 'The unit of the interval of a `custom` rule',
  ResourceName: 'The kinds of resources in errors',
  SkipReason: 'Why a month has no occurrence: `no_such_day`: it has no such day',
  UserRole:
    'The rights of a member of a household: an `admin` can change it, its members and roles',
  WarningCode: 'The kinds of warnings of a preview',
  WeekendRule:
    'How an occurrence on a Saturday or Sunday is moved: `keep` keeps the date, `before` moves it to the Friday ' +
    'before, `after` to the Monday after',
};

/** Sets the descriptions of enumerations: `@nestjs/swagger` gives them that of the first property it finds. */
export function describeEnums({ components }: OpenAPIObject): void {
  for (const [name, description] of Object.entries(ENUM_DESCRIPTIONS)) {
    const schema = components?.schemas?.[name];
    if (schema) Object.assign(schema, { description });
  }
}
