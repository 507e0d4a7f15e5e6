import { readProjectJson } from './project-files.js';

export const SERVICE_NAME = 'expense-service';
export const SERVICE_VERSION = (readProjectJson('package.json') as { version: string }).version;
