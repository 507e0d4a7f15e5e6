import { defineConfig } from '@playwright/test';

export default defineConfig({
  // One sandbox, which each test resets.
  workers: 1,
  use: {
    baseURL: process.env.WEB_URL ?? 'http://localhost:5173',
    // A browser of the system, otherwise that of `npx playwright install chromium`.
    launchOptions: { executablePath: process.env.CHROMIUM_PATH },
  },
});
