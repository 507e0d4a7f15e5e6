import type { SwaggerCustomOptions } from '@nestjs/swagger';
import { showSignInError, SWAGGER_UI_PLUGINS } from './swagger-ui-plugins.js';

/**
 * Swagger UI asks for the credentials of a client application and for scopes too, which the service
 * does not have.
 */
const SIGN_IN_FORM = `
.swagger-ui .auth-container div:has(> label:is([for='password_type'], [for^='client_id'], [for^='client_secret'])) {
  display: none;
}
.swagger-ui .scope-def { display: none; }
.swagger-ui label[for='oauth_username'] { font-size: 0; }
.swagger-ui label[for='oauth_username']::after { content: 'e-mail:'; font-size: 12px; }
`;

/** Rows of errors are as low as their text, and a long example scrolls. */
const COMPACT_RESPONSES = `
.swagger-ui .error-response td { padding: 2px 0 !important; vertical-align: middle; font-size: 14px; }
.swagger-ui .error-response button {
  border: 0; background: none; padding: 2px 0; text-align: left; font: inherit; color: inherit; cursor: pointer;
}
.swagger-ui .responses-inner .highlight-code > .microlight { max-height: 320px; }
`;

export const SWAGGER_UI_OPTIONS: SwaggerCustomOptions = {
  customSiteTitle: 'Expense planning API',
  customCss: SIGN_IN_FORM + COMPACT_RESPONSES,
  swaggerOptions: {
    // The standalone layout would add a bar with nothing but the logo of Swagger UI.
    layout: 'BaseLayout',
    plugins: SWAGGER_UI_PLUGINS,
    responseInterceptor: showSignInError,
    persistAuthorization: true,
    docExpansion: 'none',
    filter: true,
  },
};
