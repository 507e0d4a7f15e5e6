/**
 * Runs the service and restarts it when a source changes. Arguments are options of Node.js, such as
 * --inspect.
 */
import { spawn } from 'node:child_process';

const compiler = ['node_modules/typescript/bin/tsc', '--build', '--watch', '--preserveWatchOutput'];
const children = [
  [...compiler, 'tsconfig.build.json'],
  ['--watch', ...process.argv.slice(2), 'dist/src/main.js'],
].map((args) => spawn(process.execPath, args, { stdio: 'inherit' }));

const stop = () => children.forEach((child) => child.kill());
for (const child of children) child.on('exit', stop);
process.on('SIGTERM', stop);
