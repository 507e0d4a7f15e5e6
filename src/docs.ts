import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ErrorBody } from './common/errors/error-body.js';
import type { ErrorCode } from './common/errors/error-code.js';
import { SERVICE_VERSION } from './common/version.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

export const DOCS_PATH = 'docs';

/** The name that `@ApiBearerAuth()` gives to what an operation demands. */
const SECURITY_SCHEME = 'bearer';

/** The OpenAPI document of the service, from its routes. */
export function createOpenApiDocument(app: NestExpressApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Expense planning API')
    .setDescription('Cycles, templates and expenses in two currencies, exact to the cent.')
    .setVersion(SERVICE_VERSION)
    // The password form, so that Authorize in Swagger UI signs in.
    .addSecurity(SECURITY_SCHEME, {
      type: 'oauth2',
      flows: { password: { tokenUrl: '/api/v1/auth/login', scopes: {} } },
    })
    .build();
  const document = SwaggerModule.createDocument(app, config, { extraModels: [ErrorBody] });
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.get, path.post, path.put, path.patch, path.delete]) {
      if (operation) addErrorResponses(operation);
    }
  }
  return document;
}

/** Swagger UI and the document it shows. */
export function setUpDocs(app: NestExpressApplication): void {
  SwaggerModule.setup(DOCS_PATH, app, () => createOpenApiDocument(app), {
    jsonDocumentUrl: `${DOCS_PATH}/openapi.json`,
  });
}

/** The failures that follow from an operation's shape, beside those it documents itself. */
function addErrorResponses(operation: Operation): void {
  const isClosed = (operation.security ?? []).length > 0;
  const hasBody = operation.requestBody !== undefined;
  const parameters = operation.parameters ?? [];
  const hasPath = parameters.some((parameter) => 'in' in parameter && parameter.in === 'path');

  const failures: Record<string, ErrorCode[]> = { 500: ['INTERNAL_SERVER_ERROR'] };
  if (isClosed) {
    failures[401] = ['INVALID_TOKEN'];
    failures[403] = ['INACTIVE_USER'];
  }
  if (isClosed || hasBody) failures[429] = ['RATE_LIMIT_EXCEEDED'];
  if (hasPath) failures[404] = ['RESOURCE_NOT_FOUND', 'CYCLE_NOT_FOUND'];
  if (hasPath || hasBody) failures[400] = ['VALIDATION_ERROR'];
  if (hasPath || parameters.length > 0 || hasBody) failures[422] = ['VALIDATION_ERROR'];
  if (hasBody) {
    for (const status of [413, 415]) failures[status] = ['VALIDATION_ERROR'];
  }
  for (const [status, codes] of Object.entries(failures)) {
    const own = operation.responses[status];
    const ownCodes = own && 'description' in own ? own.description.split(', ') : [];
    operation.responses[status] = {
      description: [...new Set([...codes, ...ownCodes])].join(', '),
      content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorBody) } } },
    };
  }
}
