import { describe, expect, it } from '@jest/globals';
import { parseEnvFile } from './env-file.js';

const parse = (text: string): NodeJS.Dict<string> => parseEnvFile(Buffer.from(text));

const URL = 'postgres://ana@db.example/service';

describe('parseEnvFile', () => {
  it.each([
    ['white space alone', ' \t\n'],
    ['a comment', '# note = x\n'],
    ['an indented comment', '  # note\n'],
    ['a byte order mark', '\uFEFF'],
    ['a comment behind a byte order mark', '\uFEFF# settings\n'],
    ['an empty setting', 'PORT=\n'],
    ['an empty setting with a space', 'PORT= \n'],
    ['line breaks of Windows', 'PORT=80\r\n\r\n'],
    ['a comment behind a value in quotes', 'HOST="::" # all\n'],
    ['a value that contains quotes', `NOTE=it's "x\n`],
    ['white space around the sign', 'PORT = 80\n'],
  ])('parseEnvFile reads the setting behind %s', (_what, before) => {
    expect(parse(`${before}DATABASE_URL=${URL}\n`).DATABASE_URL).toBe(URL);
  });

  it('parseEnvFile reads exported names, quotes and values of several lines', () => {
    const text = `export A=1\nB="two words"\nC='a\nb'\nD=x # note\nE="a\\nb"`;
    expect(parse(text)).toEqual({ A: '1', B: 'two words', C: 'a\nb', D: 'x', E: 'a\nb' });
  });

  it.each([
    ['a heading', '[settings]'],
    ['a comment of another language', '; note'],
    ['a colon', `DATABASE_URL: ${URL}`],
    ['a name alone', 'PORT'],
    ['a space in the name', 'MY PORT=80'],
    ['a quote without an end', 'HOST="::'],
    ['a quote that the next line ends', 'HOST="::\nNOTE="x"'],
    ['text behind the quotes', 'HOST="a"b'],
    ['UTF-16 without a mark', Buffer.from('PORT=80', 'utf16le').toString()],
  ])('parseEnvFile refuses %s and names the line', (_what, line) => {
    expect(() => parse(`\uFEFF# settings\n\n${line}\nPORT=80\n`)).toThrow(/\.env, line 3: /);
  });

  it.each([
    ['UTF-16', Buffer.from('\uFEFFPORT=80\n', 'utf16le')],
    ['Latin-1', Buffer.from('NOTE=contraseña\n', 'latin1')],
  ])('parseEnvFile refuses a file in %s', (_encoding, content) => {
    expect(() => parseEnvFile(content)).toThrow(/\.env is not UTF-8/);
  });
});
