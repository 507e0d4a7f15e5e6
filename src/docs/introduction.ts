/** What the document says of the whole API; docs/api.md has the same at length. */
export const INTRODUCTION = `
Plan expenses in cycles of about six weeks, in USD and MXN, from templates of recurring expenses, and know to
the cent what is still to be paid and what remains.

- **Signing in**: \`POST /auth/register\`, then \`POST /auth/login\` with the OAuth2 password form (the Authorize
  button does it). Send the token as \`Authorization: Bearer ...\`; it is valid for 30 minutes.
- **Money** is a string with exactly 2 decimals in answers (\`"5000.00"\`, \`"-12.50"\`). In requests it is a string
  or number in plain notation with at most 2 decimals, up to 999999999.99, and more than 0 unless said.
- **Dates** are \`YYYY-MM-DD\`, real days from 1900 to 2999, and no time zone moves them. **Timestamps** come as
  ISO 8601 with \`Z\` or an offset, and leave in UTC with milliseconds.
- **Bodies** are JSON objects in UTF-8 up to 100 kB; fields that an operation does not know are refused, unknown
  query parameters ignored. Text is trimmed, except passwords and comments; lengths count characters.
- **PUT** is a partial update: what is left out stays, and \`null\` clears what is nullable. \`{}\` changes nothing.
- **Failures** all have the same body, with a stable \`error.code\`; \`VALIDATION_ERROR\` has every refused field
  in \`error.details.fields\`. Someone else's resource is a 404, as one that does not exist.
- **Limits**: 1000 requests an hour of a user, 100 of them reports; 10 a minute for register, sign in and change
  of password together. \`RateLimit\` says what is left. The operator may have set other numbers.
`.trim();

export const TAGS: Record<string, string> = {
  'Authentication and users': 'Accounts, and the token that every other request needs',
  Households: 'Who sees whose activity and comments: members, their roles, invitations',
  'Payment methods': 'Cards, accounts and cash; deleting is soft, restoring is `active: true`',
  'Expense templates':
    'Recurring expenses with their recurrence rule, from which cycles are generated',
  Cycles: 'Budgeting periods with an income; completed is final',
  'Cycle expenses': 'What a cycle has to pay, generated or added by hand',
  Reports: 'Sums of one cycle and comparisons of many, in USD',
  'Activity and comments': 'What happened, by whom; and what people say about it',
  System: 'Enumerations, exchange rates and the version',
  Probes: 'For orchestrators; no token needed',
};
