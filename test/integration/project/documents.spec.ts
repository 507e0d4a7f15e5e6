import { describe, expect, it } from '@jest/globals';
import { execSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getMetadataArgsStorage } from 'typeorm';
import { SETTING_NAMES } from '../../../src/platform/config/settings.js';
import { SCHEMA } from '../../../src/schema.js';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = [
  ...['src', 'libs', 'openapi', 'test', 'clients', 'scripts', 'tools', 'bench', 'docs', 'fixtures'],
  '.ci',
];

const { dependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};
const PACKAGES = Object.keys(dependencies);

const files = [
  ...readdirSync(PROJECT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  ),
].filter((file) => !file.includes('node_modules'));
const documents = files.filter((file) => file.endsWith('.md'));
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

/** The anchors of a document's headings, as GitHub generates them. */
const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

function isBroken(link: string, document: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(PROJECT, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

/**
 * Source files that a document names: by the end of their path, `*` for any text. Built files and
 * packages are left out.
 */
const namedFiles = (text: string): string[] =>
  [...text.matchAll(/`([\w./*-]+\.(?:ts|js|cjs))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('dist/') && !PACKAGES.includes(name));

const exists = (name: string): boolean => {
  const pattern = name.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*');
  const path = new RegExp(`(^|/)${pattern}$`);
  return files.some((file) => path.test(file));
};

describe('the documents', () => {
  it.each(documents)('%s: its links have existing targets', (document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => !/^https?:/.test(link) && isBroken(link, document));
    expect(broken).toEqual([]);
  });

  it.each(documents)('%s: the source files that it names exist', (document) => {
    expect(namedFiles(read(document)).filter((name) => !exists(name))).toEqual([]);
  });

  it.each(documents)('%s: no line of a table is longer than 160 characters', (document) => {
    const rows = read(document)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.filter((row) => row.length > 160)).toEqual([]);
  });

  it('name every setting', () => {
    const settings = read('docs/operations.md');
    expect(SETTING_NAMES.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
  });

  it('name every dependency', () => {
    const development = read('docs/development.md');
    expect(PACKAGES.filter((name) => !development.includes(`\`${name}\``))).toEqual([]);
  });

  it('the documents create users with their language and their time zone', () => {
    const examples = documents.flatMap((document) => [
      ...read(document).matchAll(/users create \S+@.*/g),
    ]);
    expect(examples.length).toBeGreaterThan(1);
    for (const [example] of examples) {
      expect(example).toContain(' --locale ');
      expect(example).toContain(' --time-zone ');
    }
  });

  const git = (...args: string[]): string =>
    spawnSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).stdout.trim();
  const hasHistory = git('rev-parse', '--is-shallow-repository') === 'false';
  const missing = hasHistory ? '' : '; missing: the history of git';

  (hasHistory ? it : it.skip)(`the documents say which commit a version is${missing}`, () => {
    const [, command = ''] = /git checkout -q "\$\((.*)\)"/.exec(read('docs/operations.md')) ?? [];
    const ofVersion = command.replace(/"version": "[\d.]+"/, '"version": "1.5.0"');
    const commit = execSync(ofVersion, { cwd: PROJECT, encoding: 'utf8' }).trim();
    const { version } = JSON.parse(git('show', `${commit}:package.json`)) as { version: string };
    expect(version).toBe('1.5.0');
    expect(git('show', `${commit}~:package.json`)).not.toContain('"version": "1.5.0"');
  });

  it('the documents draw every table', () => {
    const [, diagram = ''] = /^erDiagram\n(.*?)^```$/ms.exec(read('docs/architecture.md')) ?? [];
    // `users ||--o{ cycles : "owns"`, or a table alone.
    const drawn = diagram
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [from = '', , to = from] = line.trim().split(' ');
        return [from, to];
      });
    const tables = getMetadataArgsStorage()
      .tables.filter(({ target }) => SCHEMA.entities.some((entity) => entity === target))
      .map(({ name }) => name);
    expect([...new Set(drawn)].sort()).toEqual(tables.sort());
  });
});
