import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError } from '../errors/domain-error.js';

const ENV_FILE = '.env';

/**
 * A line that is empty, a comment, or a setting; a value in quotes may continue on the next lines.
 * `parseEnv` takes any other line for the beginning of the next name, so that the next setting has
 * no effect.
 */
const ENTRY =
  /[^\S\n]*(?:#[^\n]*|(?:export[^\S\n]+)?[\w.-]+[^\S\n]*=[^\S\n]*(?:(?:"[^"]*"|'[^']*'|`[^`]*`)[^\S\n]*(?:#[^\n]*)?|(?!["'`])[^\n]*))?(?:\n|$)/y;

/** Either of them is used instead of DATA_DIR. */
const SERVER_VARIABLES = ['DATABASE_URL', 'DATABASE_URL_FILE'];

/**
 * Sets the environment variables of `.env` in the working folder, if it exists; those that are
 * already set keep their values.
 *
 * @throws OperatorError naming the line that is not a setting, that the file is not UTF-8, or a
 *   DATABASE_URL in it that would be used instead of the DATA_DIR of the environment
 */
export function readEnvFile(): void {
  if (!existsSync(ENV_FILE)) return;
  const variables = parseEnvFile(readFileSync(ENV_FILE));
  const server = SERVER_VARIABLES.find(
    (name) => variables[name] && process.env[name] === undefined,
  );
  const isServerGiven = SERVER_VARIABLES.some((name) => process.env[name]);
  if (process.env.DATA_DIR && server !== undefined && !isServerGiven) {
    throw new OperatorError(
      `DATA_DIR is in the environment, but ${server} of ${resolve(ENV_FILE)} would be used: remove DATA_DIR, or set ${server} empty in the environment (${server}=)`,
    );
  }
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
}

/** @param content in UTF-8, with or without a byte order mark */
export function parseEnvFile(content: Uint8Array): NodeJS.Dict<string> {
  const file = resolve(ENV_FILE);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content).replaceAll('\r\n', '\n');
  } catch {
    throw new OperatorError(`${file} is not UTF-8: save it in that encoding`);
  }
  const variables: NodeJS.Dict<string> = {};
  for (let at = 0; at < text.length; at = ENTRY.lastIndex) {
    ENTRY.lastIndex = at;
    const [entry] = ENTRY.exec(text) ?? [];
    if (entry === undefined) {
      const line = text.slice(0, at).split('\n').length;
      throw new OperatorError(
        `${file}, line ${line}: not a comment and not NAME=value; quotes end at the end of a value`,
      );
    }
    Object.assign(variables, parseEnv(entry));
  }
  return variables;
}
