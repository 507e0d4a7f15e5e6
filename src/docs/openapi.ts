import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ErrorBody } from '../common/errors/error-body.js';
import { readsBody } from '../common/http/body-parsers.js';
import { SERVICE_VERSION } from '../common/version.js';
import { INTRODUCTION, TAGS } from './introduction.js';
import { addFailures, addHeaders, sharedComponents, type Operation } from './responses.js';

export const DOCS_PATH = 'docs';

/** The name that `@ApiBearerAuth()` gives to what an operation demands. */
const SECURITY_SCHEME = 'bearer';

/** The OpenAPI document of the service, from its routes. */
export function createOpenApiDocument(app: NestExpressApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Expense planning API')
    .setDescription(INTRODUCTION)
    .setVersion(SERVICE_VERSION)
    // The password form, so that Authorize in Swagger UI signs in.
    .addSecurity(SECURITY_SCHEME, {
      type: 'oauth2',
      description: 'Sign in with the e-mail as username and the password',
      flows: { password: { tokenUrl: '/api/v1/auth/login', scopes: {} } },
    });
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ErrorBody],
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  const components = { ...document.components, ...sharedComponents() };
  document.components = components;
  for (const path of Object.values(document.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = path[method];
      if (!operation) continue;
      addHeaders(operation);
      addFailures(operation, components, readsBody(method.toUpperCase()));
      refuseUnknownFields(operation, document);
    }
  }
  return document;
}

/** Swagger UI and the document it shows. */
export function setUpDocs(app: NestExpressApplication): void {
  SwaggerModule.setup(DOCS_PATH, app, () => createOpenApiDocument(app), {
    jsonDocumentUrl: `${DOCS_PATH}/openapi.json`,
    raw: ['json'],
  });
}

function refuseUnknownFields({ requestBody }: Operation, document: OpenAPIObject): void {
  if (!requestBody || !('content' in requestBody)) return;
  for (const { schema } of Object.values(requestBody.content)) {
    if (!schema || !('$ref' in schema)) continue;
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const body = document.components?.schemas?.[name];
    if (body && !('$ref' in body)) body.additionalProperties = false;
  }
}
