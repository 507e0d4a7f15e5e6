/*
 * Plugins of Swagger UI
 * (https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/). They run in the
 * browser, where they arrive as text: a function refers to nothing outside it.
 */

type Action<Payload> = (payload: Payload) => unknown;

type Component = (props: Record<string, unknown>) => unknown;

interface System {
  React: {
    createElement: (type: unknown, props: object | null, ...children: unknown[]) => object;
    Fragment: unknown;
    useState: <State>(initial: State) => [State, Action<State>];
  };
  authActions: { logout: Action<string[]> };
  authSelectors: { authorized: () => { has: (name: string) => boolean } };
}

interface SignIn {
  auth: object;
  token: unknown;
}

type Credentials = Partial<Record<string, { value?: string }>>;

interface ImmutableMap {
  get: (key: string) => string;
}

interface Parameter {
  get: (key: 'required') => boolean | undefined;
  deleteAll: (keys: string[]) => Parameter;
  updateIn: (path: string[], update: (schema?: Parameter) => Parameter | undefined) => Parameter;
}

interface ParameterRowProps extends Record<string, unknown> {
  rawParam: Parameter;
  specSelectors: { parameterWithMetaByIdentity: (...identity: unknown[]) => Parameter };
}

interface TaggedOperations {
  filter: (keep: (operations: unknown, tag: string) => boolean) => TaggedOperations;
}

interface ReceivedResponse {
  ok: boolean;
  url: string;
  statusText: string;
  data: string;
}

/**
 * Requests carry one credential: a sign-in replaces a personal access token, and the reverse. The
 * password stays out of the browser's storage.
 */
const oneCredential = (): object => {
  const logOut = ({ authActions, authSelectors }: System, name: string): void => {
    if (authSelectors.authorized().has(name)) authActions.logout([name]);
  };
  return {
    statePlugins: {
      auth: {
        wrapActions: {
          authorizeOauth2WithPersistOption:
            (authorize: Action<SignIn>, system: System): Action<SignIn> =>
            ({ auth, token }) => {
              logOut(system, 'personalAccessToken');
              authorize({ auth: { ...auth, password: '' }, token });
            },
          authorizeWithPersistOption:
            (authorize: Action<Credentials>, system: System): Action<Credentials> =>
            (credentials) => {
              if (!credentials.personalAccessToken?.value) return;
              logOut(system, 'bearer');
              authorize(credentials);
            },
          restoreAuthorization:
            (restore: Action<{ authorized: Credentials }>): Action<{ authorized: Credentials }> =>
            ({ authorized: { bearer, ...others } }) =>
              restore({ authorized: bearer ? { bearer } : others }),
        },
      },
    },
  };
};

/** The service's message in place of "Error: Unauthorized, error: [object Object]". */
export const showSignInError = (response: ReceivedResponse): ReceivedResponse => {
  if (!response.url.endsWith('/auth/login') || response.ok) return response;
  try {
    const { error } = JSON.parse(response.data) as { error: { message: string } };
    return Object.assign(response, { statusText: error.message, data: '' });
  } catch {
    return response;
  }
};

const signInForm = (): object => ({
  wrapComponents: {
    // The field of a token, the only one made of this component, would take the focus from the
    // field of the e-mail.
    Input:
      (Input: Component, { React }: System): Component =>
      (props) =>
        React.createElement(Input, { ...props, autoFocus: false }),
  },
  statePlugins: {
    err: {
      wrapActions: {
        newAuthErr:
          (show: Action<{ message: string }>): Action<{ message: string }> =>
          (error) =>
            show({ ...error, message: error.message.replace(/^Error: /, '') }),
      },
    },
  },
});

/**
 * An error response is a row of its code and description, which opens to headers, examples and
 * schema.
 */
const collapsedErrors = (): object => ({
  wrapComponents: {
    response:
      (Response: Component, { React }: System): Component =>
      (props) => {
        const [open, setOpen] = React.useState(false);
        const code = String(props.code);
        if (code < '400') return React.createElement(Response, props);
        const toggle = React.createElement(
          'button',
          { type: 'button', 'aria-expanded': open, onClick: () => setOpen(!open) },
          `${open ? '▾' : '▸'} ${(props.response as ImmutableMap).get('description')}`,
        );
        const row = React.createElement(
          'tr',
          { className: `response error-response ${String(props.className)}`, 'data-code': code },
          React.createElement('td', { className: 'response-col_status' }, code),
          React.createElement('td', { colSpan: 2 }, toggle),
        );
        const details = open ? React.createElement(Response, props) : null;
        return React.createElement(React.Fragment, null, row, details);
      },
  },
});

/**
 * Examples and defaults are shown, but only required parameters begin with them: the filters of an
 * example belong to records that the user does not have.
 */
const emptyOptionalParameters = (): object => ({
  wrapComponents: {
    parameterRow:
      (Row: Component, { React }: System) =>
      (props: ParameterRowProps): object => {
        const { rawParam, specSelectors } = props;
        if (rawParam.get('required')) return React.createElement(Row, props);
        const suggestions = ['example', 'examples', 'default'];
        const parameterWithMetaByIdentity = (...identity: unknown[]): Parameter =>
          specSelectors
            .parameterWithMetaByIdentity(...identity)
            .deleteAll(suggestions)
            .updateIn(['schema'], (schema) => schema?.deleteAll(suggestions));
        return React.createElement(Row, {
          ...props,
          specSelectors: { ...specSelectors, parameterWithMetaByIdentity },
        });
      },
  },
});

const filterIgnoresCase = (): object => ({
  fn: {
    opsFilter: (operations: TaggedOperations, phrase: string): TaggedOperations =>
      operations.filter((_, tag) => tag.toLowerCase().includes(phrase.toLowerCase())),
  },
});

export const SWAGGER_UI_PLUGINS = [
  oneCredential,
  signInForm,
  collapsedErrors,
  emptyOptionalParameters,
  filterIgnoresCase,
];
