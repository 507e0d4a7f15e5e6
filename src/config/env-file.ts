import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

/** Adds the variables of `.env` in the working folder, where there is one; the environment's own win. */
export function readEnvFile(): void {
  if (existsSync('.env')) loadEnvFile('.env');
}
