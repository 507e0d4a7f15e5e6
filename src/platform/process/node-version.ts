/**
 * The lines of Node.js that get security fixes, with the first version that has all known ones
 * (CVE-2026-111497 and earlier ones).
 */
const MAINTAINED = ['22.23.4', '24.22.1', '26.12.1'];

const lineOf = (version: string): number => Number.parseInt(version);

/** What to tell an operator about the running version; undefined if it is maintained. */
export function nodeVersionWarning(version = process.versions.node): string | undefined {
  const line = lineOf(version);
  const first = MAINTAINED.find((maintained) => lineOf(maintained) === line);
  const isMaintained = first
    ? version.localeCompare(first, 'en', { numeric: true }) >= 0
    : MAINTAINED.every((maintained) => lineOf(maintained) < line);
  return isMaintained
    ? undefined
    : `Node.js ${version} lacks security fixes: use ${MAINTAINED.join(', ')} or a later version of them`;
}
