/**
 * The OpenAPI document: its introduction and its tags here, the rest from the decorators of the
 * modules.
 */
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { DETAILS_OF_CODE } from '../src/errors/error-catalog.js';
import { SERVICE_VERSION } from '../src/platform/config/project-files.js';
import { API_PREFIX, DOCS_PATH } from '../src/platform/openapi/openapi.js';
import { PERSONAL_ACCESS_TOKEN, SIGN_IN } from '../src/platform/openapi/security.js';
import { PROBES_TAG } from '../src/system/probes.controller.js';
import { completeDocument } from './document-passes.js';

/** The description in the OpenAPI document: what a client needs before its first request. */
const INTRODUCTION = `
Plan expenses in budgeting cycles of about six weeks, in USD and MXN. Cycles are generated from templates of
recurring expenses; every cycle shows what is still to be paid and its remaining balance. Clients can be
generated from [this document as JSON](/${DOCS_PATH}/openapi.json).

- **Authentication**: \`POST /auth/register\`, then \`POST /auth/login\` with the OAuth2 password form (or the
  Authorize button). Send the access token as \`Authorization: Bearer ...\`; it is valid for 30 minutes. Scripts send a personal access
  token in the same way (\`POST /auth/tokens\`). \`GET /account\` and a password reset need no token; their paths are not below
  \`/${API_PREFIX}\`.
- **Money** is a string with exactly 2 decimals in responses (\`"5000.00"\`, \`"-12.50"\`). In requests it is a string
  in plain notation with at most 2 decimals (\`.5\` is 0.50), up to 999999999.99, and greater than 0 unless stated otherwise; a
  number is accepted too.
- **Dates** are \`YYYY-MM-DD\` from 1900 to 2999, without a time zone. **Timestamps** are ISO 8601: with \`Z\` or
  an offset in requests, in UTC with milliseconds in responses.
- **Bodies** are JSON objects in UTF-8 up to 131,072 bytes unless documented otherwise; unknown fields are rejected,
  unknown query parameters ignored. Text is trimmed, except passwords and comments; lengths count characters.
- **PUT** is a partial update: omitted fields keep their values, and \`null\` clears a nullable field.
- **Errors** all have the same body, with a stable \`error.code\` and a human-readable \`error.message\`. A 422
  \`VALIDATION_ERROR\` lists every invalid field with its message in \`error.details.fields\` (those of a file in
  \`error.details.rows\`, by line), and the first of them in \`error.message\`. Another user's resource is a 404, like one that does not exist.
- **Rate limits**: 1000 requests per hour and user, of which 100 reports, exports and imports; 10 per minute for
  register, login, password change and requests for a password reset together. The \`RateLimit\` header has the remaining quota. Operators can
  configure other limits.
`.trim();

/** The tags with their descriptions, in the order in which a front end begins to use them. */
const TAGS: Record<string, string> = {
  'Authentication and users': 'User accounts and access tokens',
  Planning: 'See what would happen before it does: occurrences, previews, cash flow',
  Cycles: 'Budgeting periods with an income; `completed` is final',
  'Cycle expenses': 'The expenses of a cycle, generated from templates or added manually',
  'Cycle incomes': 'The incomes of a cycle, generated from templates or added manually',
  'Payment methods': 'Cards, accounts and cash; deletion is soft, `active: true` restores',
  'Card statements': 'What was bought with a card until its closing day, and whether it is paid',
  Balances: 'How much there was in payment methods; deletion is soft, and only an undo restores',
  Budgets: 'What expenses are for, with a limit for each cycle; deletion is soft as well',
  'Expense templates': 'Recurring expenses with a recurrence rule, from which cycles are generated',
  'Income templates':
    'Recurring incomes with a recurrence rule, from which cycles are generated too',
  Reports: 'Summary of a cycle and comparison of cycles, in USD',
  'Activity and comments': 'Activity log and comments of a household',
  Changes: 'What changed since a previous read, for clients that keep a copy',
  Households: 'Users who share activity and comments: members, roles, invitations',
  'Calendar feeds': 'Expenses and incomes in calendar applications',
  Data: "Export and import of all of one's own data",
  System: 'Enumerations, exchange rates and service version',
  [PROBES_TAG]: 'Health probes for orchestrators; no token required',
};

/** Generates the OpenAPI document from the routes. */
export function createOpenApiDocument(app: NestExpressApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Expense planning API')
    .setDescription(INTRODUCTION)
    .setVersion(SERVICE_VERSION)
    .addServer('/', 'The service that serves this document')
    // The OAuth2 password flow, so that the Authorize button of Swagger UI signs in.
    .addSecurity(SIGN_IN, {
      type: 'oauth2',
      description: 'Use the e-mail as username',
      flows: { password: { tokenUrl: `/${API_PREFIX}/auth/login`, scopes: {} } },
    })
    .addSecurity(PERSONAL_ACCESS_TOKEN, {
      type: 'http',
      scheme: 'bearer',
      description: 'A token of `POST /auth/tokens`, for scripts',
    });
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: Object.values(DETAILS_OF_CODE),
    // Generators of clients name a function after it, so that methods of controllers have unique
    // names.
    operationIdFactory: (_controller, method) => method,
    // A controller may have operations of several tags.
    autoTagControllers: false,
  });
  completeDocument(document);
  return document;
}
