import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { SERVICE_VERSION } from './common/version.js';

export const DOCS_PATH = 'docs';

/** Swagger UI and the OpenAPI document it shows. */
export function setUpDocs(app: NestExpressApplication): void {
  const config = new DocumentBuilder()
    .setTitle('Expense planning API')
    .setDescription('Cycles, templates and expenses in two currencies, exact to the cent.')
    .setVersion(SERVICE_VERSION)
    .addBearerAuth()
    .build();
  SwaggerModule.setup(DOCS_PATH, app, () => SwaggerModule.createDocument(app, config), {
    jsonDocumentUrl: `${DOCS_PATH}/openapi.json`,
  });
}
