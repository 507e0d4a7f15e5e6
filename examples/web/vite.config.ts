import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // The client is linked from its folder in this repository.
  server: { fs: { allow: ['../..'] } },
});
