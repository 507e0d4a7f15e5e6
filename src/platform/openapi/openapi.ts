import { NotFoundException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { SWAGGER_UI_OPTIONS } from './swagger-ui.js';

/** Prefix of every path of the API; health probes, calendars and the documentation are outside it. */
export const API_PREFIX = 'api/v1';

export const DOCS_PATH = 'docs';

/** Serves Swagger UI and the OpenAPI document, which is created for the first request. */
export function setUpDocs(app: NestExpressApplication, createDocument: () => OpenAPIObject): void {
  app.use(`/${DOCS_PATH}`, restrictFiles);
  SwaggerModule.setup(DOCS_PATH, app, createDocument, {
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
