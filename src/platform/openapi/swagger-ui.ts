import type { SwaggerCustomOptions } from '@nestjs/swagger';

interface SignIn {
  auth: object;
  token: unknown;
}

/** Runs in the browser, as text: it refers to nothing outside. Keeps the password out of the browser's storage. */
const forgetPassword = (): object => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorizeOauth2WithPersistOption:
          (authorize: (signIn: SignIn) => unknown) =>
          ({ auth, token }: SignIn): unknown =>
            authorize({ auth: { ...auth, password: '' }, token }),
      },
    },
  },
});

/** Swagger UI asks for the credentials of a client application too, which the service does not have. */
const SIGN_IN_FORM = `
.swagger-ui .auth-container div:has(> label:is([for='password_type'], [for^='client_id'], [for^='client_secret'])) {
  display: none;
}
.swagger-ui label[for='oauth_username'] { font-size: 0; }
.swagger-ui label[for='oauth_username']::after { content: 'e-mail:'; font-size: 12px; }
`;

export const SWAGGER_UI_OPTIONS: SwaggerCustomOptions = {
  customSiteTitle: 'Expense planning API',
  customCss: SIGN_IN_FORM,
  swaggerOptions: {
    // Without the bar of the standalone layout, which has only the logo of Swagger UI.
    layout: 'BaseLayout',
    plugins: [forgetPassword],
    persistAuthorization: true,
    filter: true,
  },
};
