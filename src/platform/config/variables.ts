import { readFileSync } from 'node:fs';
import { OperatorError } from '../errors/domain-error.js';

type Variables = Record<string, string>;

/** Settings whose value may be in a mounted file, named by a variable with this suffix. */
const IN_FILES = ['AUTH_SECRET', 'DATABASE_URL', 'SMTP_URL'];
const FILE_SUFFIX = '_FILE';
const PASSWORD_FILE = 'DATABASE_PASSWORD_FILE';

/**
 * The environment variables that can be settings: without empty ones, and without the addresses
 * that Kubernetes injects for other Services, such as METRICS_PORT=tcp://10.0.0.1:9464 for one that
 * is called metrics.
 */
export function settingVariables(env: NodeJS.ProcessEnv): Variables {
  const isSetting = ([name, value]: [string, string | undefined]): boolean =>
    value !== undefined && value !== '' && !(name.endsWith('_PORT') && /^\w+:\/\//.test(value));
  return Object.fromEntries(Object.entries(env).filter(isSetting)) as Variables;
}

/**
 * Replaces the variables that name files with the contents of those files.
 *
 * @throws OperatorError when a file cannot be read or is empty, or a value is given twice
 */
export function readMountedFiles(variables: Variables): Variables {
  const result = { ...variables };
  for (const name of IN_FILES) {
    const file = variables[name + FILE_SUFFIX];
    if (file === undefined) continue;
    if (variables[name] !== undefined) {
      throw new OperatorError(`${name} and ${name}${FILE_SUFFIX} exclude each other: remove one`);
    }
    result[name] = readMountedFile(name + FILE_SUFFIX, file);
  }
  const passwordFile = variables[PASSWORD_FILE];
  if (passwordFile !== undefined) {
    result.DATABASE_URL = withPassword(
      result.DATABASE_URL ?? '',
      readMountedFile(PASSWORD_FILE, passwordFile),
    );
  }
  return result;
}

/** A byte order mark at the beginning and a line break at the end are not part of the value. */
function readMountedFile(variable: string, file: string): string {
  let value: string;
  try {
    value = readFileSync(file, 'utf8').replace(/^\uFEFF|\r?\n$/g, '');
  } catch (error) {
    throw new OperatorError(`${variable}: ${(error as Error).message}`);
  }
  if (value === '') throw new OperatorError(`${variable}: ${file} is empty`);
  return value;
}

function withPassword(url: string, password: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed?.hostname) throw new OperatorError(`${PASSWORD_FILE} requires a DATABASE_URL`);
  if (parsed.password !== '') {
    throw new OperatorError(`${PASSWORD_FILE} requires a DATABASE_URL without a password`);
  }
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}
