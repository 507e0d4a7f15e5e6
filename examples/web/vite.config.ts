import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Writes `sw.js` with the names of the built files; fonts of other scripts are left out. */
const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    const files = Object.keys(bundle).filter((file) => /\.(js|css)$|-latin-/.test(file));
    const list = JSON.stringify(files);
    const version = createHash('sha256').update(list).digest('hex').slice(0, 16);
    const source = readFileSync(new URL('sw.js', import.meta.url), 'utf8')
      .replace('__FILES__', list)
      .replace('__VERSION__', JSON.stringify(version));
    this.emitFile({ type: 'asset', fileName: 'sw.js', source });
  },
});

export default defineConfig({
  plugins: [react(), serviceWorker()],
  build: {
    // The oldest browsers with light-dark(). For older ones the minifier would replace it by variables
    // that depend on a `color-scheme` in the same files, while Mantine sets that in the page.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  test: { environment: 'happy-dom', setupFiles: 'test/setup.ts', testTimeout: 20_000 },
  // The client is linked from its folder in this repository.
  server: { fs: { allow: ['../..'] } },
});
