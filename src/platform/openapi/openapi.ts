import { NotFoundException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { INTRODUCTION, TAGS } from '../../api-document.js';
import { SERVICE_VERSION } from '../config/project-files.js';
import { DETAILS_OF_CODE } from '../errors/error-details.js';
import { describeEnums } from './enum-descriptions.js';
import { errorSchemas } from './error-schemas.js';
import { addExamples } from './examples.js';
import { addFieldUnions } from './field-union.js';
import { addIdempotencyKey } from './idempotency-key.js';
import { addErrorResponses, addHeaders, sharedComponents, type Operation } from './responses.js';
import { SWAGGER_UI_OPTIONS } from './swagger-ui.js';

export const DOCS_PATH = 'docs';

/** The default name of the security scheme of `@ApiBearerAuth()`. */
const SECURITY_SCHEME = 'bearer';

/** Generates the OpenAPI document from the routes. */
export function createOpenApiDocument(app: NestExpressApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Expense planning API')
    .setDescription(INTRODUCTION)
    .setVersion(SERVICE_VERSION)
    .addServer('/', 'The service that serves this document')
    // The OAuth2 password flow, so that the Authorize button of Swagger UI signs in.
    .addSecurity(SECURITY_SCHEME, {
      type: 'oauth2',
      description: 'Use the e-mail as username',
      flows: { password: { tokenUrl: '/api/v1/auth/login', scopes: {} } },
    });
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: Object.values(DETAILS_OF_CODE),
    // Generators of clients name a function after it, so that methods of controllers have unique names.
    operationIdFactory: (_controller, method) => method,
  });
  const components = { ...document.components, ...sharedComponents() };
  components.schemas = { ...components.schemas, ...errorSchemas() };
  document.components = components;
  addFieldUnions(document);
  describeEnums(document);
  for (const path of Object.values(document.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = path[method];
      if (!operation) continue;
      addIdempotencyKey(operation);
      addHeaders(operation);
      addExamples(operation);
      addErrorResponses(operation, components, method !== 'get' && method !== 'delete');
      forbidAdditionalProperties(operation, document);
      // Without it, tools cannot tell an open operation from one whose security was forgotten.
      operation.security ??= [];
    }
  }
  return document;
}

/** Serves Swagger UI and the OpenAPI document. */
export function setUpDocs(app: NestExpressApplication): void {
  app.use(`/${DOCS_PATH}`, restrictFiles);
  SwaggerModule.setup(DOCS_PATH, app, () => createOpenApiDocument(app), {
    ...SWAGGER_UI_OPTIONS,
    jsonDocumentUrl: `${DOCS_PATH}/openapi.json`,
    raw: ['json'],
  });
}

/** The files of Swagger UI that pages request; its source maps and other files are not served. */
const SERVED_FILES = new Set(
  [
    ...['', 'openapi.json', 'swagger-ui-init.js', 'swagger-ui.css', 'swagger-ui-bundle.js'],
    ...['swagger-ui-standalone-preset.js', 'favicon-16x16.png', 'favicon-32x32.png'],
  ].map((name) => `/${name}`),
);

function restrictFiles({ path }: Request, _response: Response, next: NextFunction): void {
  const isServed = SERVED_FILES.has(path.toLowerCase().replace(/(?<=.)\/$/, ''));
  next(isServed ? undefined : new NotFoundException());
}

function forbidAdditionalProperties({ requestBody }: Operation, document: OpenAPIObject): void {
  if (!requestBody || !('content' in requestBody)) return;
  for (const { schema } of Object.values(requestBody.content)) {
    if (!schema || !('$ref' in schema)) continue;
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const body = document.components?.schemas?.[name];
    if (body && !('$ref' in body)) body.additionalProperties = false;
  }
}
