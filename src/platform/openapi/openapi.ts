import { NotFoundException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { readProjectJson } from '../config/project-files.js';
import type { Settings } from '../config/settings.js';
import { SWAGGER_UI_OPTIONS } from './swagger-ui.js';

/**
 * Prefix of every path of the API; health probes, calendars, what needs no
 * sign-in of an account, and the documentation are outside it.
 */
export const API_PREFIX = 'api/v1';

export const DOCS_PATH = 'docs';

/** The document of this version, which `npm run openapi` writes. */
const DOCUMENT = 'docs/openapi.json';

type Addresses = Pick<Settings, 'publicUrl'>;

/** Serves Swagger UI and the OpenAPI document, which is read for the first request. */
export function setUpDocs(app: NestExpressApplication, addresses: Addresses): void {
  app.use(`/${DOCS_PATH}`, restrictFiles);
  SwaggerModule.setup(DOCS_PATH, app, () => servedDocument(addresses), {
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

/**
 * The document with the addresses of the service at a public URL; without one they belong to the
 * host of the request.
 */
function servedDocument({ publicUrl }: Addresses): OpenAPIObject {
  const served = readProjectJson(DOCUMENT) as OpenAPIObject;
  if (publicUrl === undefined) return served;
  served.info.description = served.info.description?.replace('](/', `](${publicUrl}/`);
  for (const server of served.servers ?? []) server.url = publicUrl;
  for (const scheme of Object.values(served.components?.securitySchemes ?? {})) {
    const flow = 'flows' in scheme ? scheme.flows?.password : undefined;
    if (flow) flow.tokenUrl = publicUrl + (flow.tokenUrl ?? '');
  }
  return served;
}
