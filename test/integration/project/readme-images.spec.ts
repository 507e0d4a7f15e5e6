import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
const [, shownWidth] = /<img\s+src="docs\/images\/[^>]*?width="(\d+)"/.exec(readme) ?? [];

/** The pictures and the film of the README, in docs/images. */
const FILES = [...readme.matchAll(/docs\/images\/[\w-]+\.\w+/g)].map(([file]) => file);

const PNG_WIDTH_AT = 16;

/** The chunks of a WebP file of a type (https://developers.google.com/speed/webp/docs/riff_container). */
function chunksOf(file: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 12; at < file.length;) {
    const size = file.readUInt32LE(at + 4);
    const content = file.subarray(at + 8, at + 8 + size);
    if (file.toString('latin1', at, at + 4) === type) found.push(content);
    at += 8 + size + (size % 2);
  }
  return found;
}

function widthOf(path: string): number {
  const file = readFileSync(join(PROJECT, path));
  if (path.endsWith('.png')) return file.readUInt32BE(PNG_WIDTH_AT);
  return (chunksOf(file, 'VP8X')[0]?.readUIntLE(4, 3) ?? NaN) + 1;
}

describe('the pictures of the README', () => {
  it.each(FILES)('%s has twice the pixels of its width in the README', (path) => {
    expect(widthOf(path)).toBe(2 * Number(shownWidth));
  });

  it.each(FILES.filter((path) => path.endsWith('.png')))('%s has at most 600 kB', (path) => {
    expect(readFileSync(join(PROJECT, path)).length).toBeLessThan(600_000);
  });

  it('the film has at most 2 MB and 15 seconds', () => {
    const film = readFileSync(join(PROJECT, 'docs/images/film.webp'));
    const milliseconds = chunksOf(film, 'ANMF').map((frame) => frame.readUIntLE(12, 3));
    const length = milliseconds.reduce((sum, each) => sum + each, 0);
    expect(film.length).toBeLessThan(2_000_000);
    expect(length).toBeGreaterThan(5_000);
    expect(length).toBeLessThanOrEqual(15_000);
  });
});
