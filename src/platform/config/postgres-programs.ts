/** What PostgreSQL's own programs need of the environment of a command. */
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** The environment without a connection: a service in it would have precedence over PGHOST. */
export const environmentWithoutConnection = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('PG') || name === 'PGPASSFILE'),
  );

/** The certificate authorities that Node.js trusts, in PEM. */
export function defaultAuthorities(): string {
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  return [...rootCertificates, ...(file ? [readFileSync(file, 'utf8')] : [])].join('\n');
}
