import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import ts from 'typescript';
import { STATUS_OF_CODE } from '../../src/common/errors/error-code.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

interface Row {
  section: string;
  text: string;
  /** What stands in code spans in the first cell. */
  names: string[];
  references: string[];
}

const codeSpans = (text = ''): string[] =>
  [...text.matchAll(/(`+) ?(.+?) ?\1(?!`)/g)].map(([, , code = '']) => code);

const rows: Row[] = read('docs/traceability.md')
  .split(/^## /m)
  .flatMap((text) => {
    const [section = '', ...lines] = text.split('\n');
    const tables = lines.filter((line) => line.startsWith('| '));
    const isRuler = (line = ''): boolean => line.startsWith('| -');
    return tables
      .filter((line, index) => !isRuler(line) && !isRuler(tables[index + 1]))
      .map((line) => {
        const cells = line.split(' | ');
        const names = codeSpans(cells[0]);
        return { section, text: line, names, references: codeSpans(cells.at(-1)) };
      });
  });

const namesIn = (wanted: string): string[] =>
  rows.filter(({ section }) => section === wanted).flatMap(({ names }) => names);

/** The tests of a file, each as the titles on the way to it, as the source has them. */
function testsOf(path: string): string[] {
  if (!existsSync(new URL(path, ROOT))) return [];
  const tests: string[] = [];
  const visit = (node: ts.Node, titles: string[]): void => {
    const title = titleOf(node);
    const inner = title === undefined ? titles : [...titles, title.text];
    if (title?.isTest) tests.push(inner.join(' › '));
    node.forEachChild((child) => visit(child, inner));
  };
  visit(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest), []);
  return tests;
}

/** Of `describe(title, ...)` or `it(title, ...)`, also with `.each(table)` in between. */
function titleOf(node: ts.Node): { text: string; isTest: boolean } | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const [title] = node.arguments;
  if (!title || !ts.isStringLiteralLike(title)) return undefined;
  let called: ts.Expression = node.expression;
  while (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) {
    called = called.expression;
  }
  if (!ts.isIdentifier(called) || !['describe', 'it'].includes(called.text)) return undefined;
  return { text: title.text, isTest: called.text === 'it' };
}

describe('docs/traceability.md', () => {
  it('names a test in every row, and each of them exists once', () => {
    const files = new Map<string, string[]>();
    const wrong = rows.flatMap(({ text, references }) => {
      const missing = references.filter((reference) => {
        const [path = '', ...titles] = reference.split(' › ');
        const tests = files.get(path) ?? testsOf(path);
        files.set(path, tests);
        const asked = ` › ${titles.join(' › ')}`;
        return tests.filter((test) => ` › ${test}`.endsWith(asked)).length !== 1;
      });
      return references.length === 0 ? [text] : missing;
    });
    expect(rows.length).toBeGreaterThan(200);
    expect([...new Set(wrong)]).toEqual([]);
  });

  it('has every error code, and no other', () => {
    const codes = new Set(namesIn('Error codes'));
    expect([...codes].sort()).toEqual(Object.keys(STATUS_OF_CODE).sort());
  });

  it('has every route of the OpenAPI document, and no other', () => {
    const { paths } = JSON.parse(read('docs/openapi.json')) as { paths: Record<string, object> };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      ),
    );
    const routes = new Set(namesIn('Endpoints').filter((name) => name.includes(' /')));
    expect([...routes].sort()).toEqual(documented.sort());
  });

  it('has every setting, and no other', () => {
    const settings = new Set(namesIn('Settings'));
    expect([...settings].sort()).toEqual(Object.keys(parseEnv(read('.env.example'))).sort());
  });
});
