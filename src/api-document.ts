/** The description in the OpenAPI document; docs/api.md has the details. */
export const INTRODUCTION = `
Plan expenses in budgeting cycles of about six weeks, in USD and MXN. Cycles are generated from templates of
recurring expenses; every cycle shows what is still to be paid and its remaining balance. Clients can be
generated from [this document as JSON](/docs/openapi.json).

- **Authentication**: \`POST /auth/register\`, then \`POST /auth/login\` with the OAuth2 password form (or the
  Authorize button). Send the access token as \`Authorization: Bearer ...\`; it is valid for 30 minutes.
- **Money** is a string with exactly 2 decimals in responses (\`"5000.00"\`, \`"-12.50"\`). In requests it is a string
  or number in plain notation with at most 2 decimals (\`.5\` is 0.50), up to 999999999.99, and greater than 0 unless stated otherwise.
- **Dates** are \`YYYY-MM-DD\` from 1900 to 2999, without a time zone. **Timestamps** are ISO 8601: with \`Z\` or
  an offset in requests, in UTC with milliseconds in responses.
- **Bodies** are JSON objects in UTF-8 up to 131,072 bytes unless documented otherwise; unknown fields are rejected,
  unknown query parameters ignored. Text is trimmed, except passwords and comments; lengths count characters.
- **PUT** is a partial update: omitted fields keep their values, and \`null\` clears a nullable field.
- **Errors** all have the same body, with a stable \`error.code\` and a human-readable \`error.message\`. A 422
  \`VALIDATION_ERROR\` lists every invalid field with its message in \`error.details.fields\` (those of a file in
  \`error.details.rows\`, by line), and the first of them in \`error.message\`. Another user's resource is a 404, like one that does not exist.
- **Rate limits**: 1000 requests per hour and user, of which 100 reports, exports and imports; 10 per minute for
  register, login and password change together. The \`RateLimit\` header has the remaining quota. Operators can
  configure other limits.
`.trim();

export const TAGS: Record<string, string> = {
  'Authentication and users': 'User accounts and access tokens',
  Households: 'Users who share activity and comments: members, roles, invitations',
  'Payment methods': 'Cards, accounts and cash; deletion is soft, `active: true` restores',
  'Expense templates': 'Recurring expenses with a recurrence rule, from which cycles are generated',
  'Income templates':
    'Recurring incomes with a recurrence rule, from which cycles are generated too',
  Cycles: 'Budgeting periods with an income; `completed` is final',
  'Cycle expenses': 'The expenses of a cycle, generated from templates or added manually',
  'Cycle incomes': 'The incomes of a cycle, generated from templates or added manually',
  Planning: 'See what would happen before it does: occurrences, previews, cash flow',
  'Calendar feeds': 'Expenses and incomes in calendar applications',
  Data: "Export and import of all of one's own data",
  Reports: 'Summary of a cycle and comparison of cycles, in USD',
  'Activity and comments': 'Activity log and comments of a household',
  System: 'Enumerations, exchange rates and service version',
  Probes: 'Health probes for orchestrators; no token required',
};
