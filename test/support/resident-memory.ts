import { readFileSync } from 'node:fs';
import type { ServiceProcess } from './service-process.js';

/** The resident memory of the process, heap and buffers. */
export function residentMegabytes({ pid }: ServiceProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
