import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: {
    // The oldest browsers with light-dark(). For older ones the minifier would replace it by variables
    // that depend on a `color-scheme` in the same files, while Mantine sets that in the page.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  // The client is linked from its folder in this repository.
  server: { fs: { allow: ['../..'] } },
});
