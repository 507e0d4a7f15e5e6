/**
 * The enumerations of the OpenAPI document: their names, with what their schemas say of them. The
 * platform knows the names as a type alone, so that one without a description does not compile.
 */
export const ENUMERATIONS = {
  ActivityAction: 'What was done, as the activity log records it',
  CardStatementStatus:
    'Where a statement stands: `open` until its closing date has passed, then `closed`, and `overdue` after its ' +
    'due date, unless it is `paid`',
  CommentableType: 'The kinds of entities that can have comments',
  ComparisonMetric: 'What is compared',
  ComponentState: 'Whether a component is available',
  CurrencyCode: 'A currency by its ISO 4217 code',
  CycleStatus: 'The stage of a cycle, from `draft` to `completed`, which is final',
  EntityType: 'The kinds of entities that the activity log records',
  EntryType: 'The kinds of entries of a cycle',
  ExpenseCategory: 'Whether an expense is the same in each cycle or varies',
  ExpenseStatus:
    'The state of an expense; reads show a `pending` one as `overdue` after its due date',
  ForecastCycleSource: 'Whether a cycle of a forecast is stored',
  ForecastEntryType: 'The kinds of what counts in a forecast',
  ForecastPart: 'What a forecast has on request',
  ForecastWarningCode: 'The kinds of warnings of a forecast',
  MoveReason:
    'Why an occurrence is not on the date of the rule: `month_end`: the month has no such day, so its last ' +
    'day is used; `weekday`: moved to `day_of_week`; `weekend`: moved by the weekend rule',
  NextIncomeAmount:
    'The `income_amount` of a next cycle: that of the one before it (`same`) or 0.00 (`zero`)',
  OpeningSource: 'Where the opening balance of a forecast comes from',
  PaymentMethodType: 'The kinds of payment methods',
  ProtectionReason: 'Why a synchronization leaves an entry as it is',
  RecurrenceType: 'The type of a recurrence rule, which determines the schema of its config',
  RecurrenceUnit: 'The unit of the interval of a `custom` rule',
  RegistrationMode:
    'Who may register: everybody (`open`), whoever has an invitation code (`invitation`), or nobody ' +
    '(`closed`)',
  ResourceName: 'The kinds of resources in errors',
  SetAside: 'What a forecast counts as spent beside the plan',
  SkipReason:
    'Why there is no occurrence: `no_such_day`: the month has no such day; `skipped_date`: the template skips it',
  TemplateType: 'The kinds of templates',
  TokenAccess: '`read` allows what writes nothing. Defaults to `read`',
  Trend: 'How a total develops: within 5 % it is `stable`',
  UserRole:
    'The rights of a member of a household: an `admin` can change it, its members and roles',
  WarningCode: 'The kinds of warnings of a preview',
  WeekendRule:
    'How a date on a Saturday or Sunday is moved: `keep` keeps the date, `before` moves it to the ' +
    'Friday before, `after` to the Monday after',
} as const;

declare module '../src/platform/openapi/enum-name.js' {
  interface EnumNames {
    application: keyof typeof ENUMERATIONS;
  }
}
