/**
 * Comes before every command in package.json: checks the version of Node.js, installs the packages
 * that are missing, and compiles the sources that have changed.
 *
 *   node scripts/prepare.cjs           what the service and its tests need
 *   node scripts/prepare.cjs --port    the same, unless the port of the service is in use
 *   node scripts/prepare.cjs tools     the packages of that folder and nothing else
 *
 * In the syntax of ES2015 (eslint.config.js), so that the versions of Node.js that it refuses can
 * parse it. It prints to stderr, because stdout belongs to the command that follows.
 */
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const util = require('util');

/** A file with the id of the process that is installing or building. */
const LOCK = '.prepare-lock';

/** How often a long step says that it goes on. */
const PROGRESS_MS = 10000;

/** @param {number} start */
const secondsSince = (start) => Math.round((Date.now() - start) / 1000);

/** @param {string} problem */
function refuse(problem) {
  console.error(problem);
  process.exit(1);
}

function checkNode() {
  const version = process.versions.node;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  refuse(`Node.js ${version} is not supported: install version 20.19, 22.12 or a newer one`);
}

/**
 * @param {() => void} next called unless the port is in use; the service reports any other problem
 */
function checkPort(next) {
  const file = fs.existsSync('.env') ? fs.readFileSync('.env', 'utf8').replace(/^\uFEFF/, '') : '';
  const env = Object.assign(util.parseEnv(file), process.env);
  const port = Number(env.PORT || 3000);
  if (!(port > 0 && port < 65536)) return next();
  const server = net.createServer().listen(port, env.HOST || '0.0.0.0');
  server.on('listening', () => server.close(next));
  server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code === 'EADDRINUSE') refuse(`Port ${port} is in use; set PORT to another one`);
    next();
  });
}

/**
 * @param {() => void} work called when no other process installs or builds, so that its files are
 *   complete
 * @param {number} [messageAt] when to say that this process waits, in milliseconds since 1970
 */
function whenLocked(work, messageAt = Date.now() + PROGRESS_MS) {
  try {
    fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    process.on('exit', () => fs.unlinkSync(LOCK));
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') {
      if (isAbandoned()) fs.rmSync(LOCK, { force: true });
      const isDue = Date.now() >= messageAt;
      if (isDue) console.error('Waiting for another command that installs or builds ...');
      setTimeout(whenLocked, 100, work, isDue ? Infinity : messageAt);
      return;
    }
    // Without the id of this process, others would wait for it forever.
    if (code === 'ENOSPC') fs.rmSync(LOCK, { force: true });
    // On a read-only file system there is nothing to install or to build.
  }
  work();
}

/** Whether the process that created the lock was killed. */
function isAbandoned() {
  try {
    process.kill(Number(fs.readFileSync(LOCK, 'utf8')), 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * @typedef {object} Step
 * @property {string} [title] what is printed, unless there is probably nothing to do
 * @property {string} command
 * @property {string} [result] a file that stands for the whole result
 */

/**
 * What to do about a failure, by the output of the step.
 *
 * @type {[RegExp, string][]}
 */
const ADVICE = [
  [/ENOSPC|no space left/i, 'The disk is full: free 600 MB, and run the command again.'],
  [
    /EACCES|EPERM/,
    'Files cannot be written: they may belong to another user, such as root after an earlier\n' +
      'start. Make them your own, and run the command again:\n' +
      '  sudo chown -R "$(id -u)" . "$(npm config get cache)"',
  ],
  [
    /\w_CERT|CERT_\w/,
    'A proxy replaces the certificates: set NODE_EXTRA_CA_CERTS to the file with its own.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|SOCKET_TIMEOUT/,
    'The package registry cannot be reached. Check the connection, and run the command again.\n' +
      'Behind a proxy set HTTPS_PROXY; for another registry: npm config set registry https://...',
  ],
];

/**
 * The installation of a folder's packages, unless all are installed.
 *
 * @param {string} folder
 * @param {string} [size]
 * @returns {Step[]}
 */
function installation(folder, size) {
  const read = (/** @type {string} */ file) => JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  const wanted = read(`${folder}/package-lock.json`);
  // npm writes it at the end of an installation.
  const result = `${folder}/node_modules/.package-lock.json`;
  const installed = fs.existsSync(result) ? read(result) : {};
  // Optional packages are for other platforms.
  const required = Object.keys(wanted).filter((path) => path !== '' && !wanted[path].optional);
  // Compares contents, because times differ in a copied folder.
  const isMissing = (/** @type {string} */ path) =>
    (installed[path] || {}).integrity !== wanted[path].integrity;
  if (!required.some(isMissing)) return [];
  const where = folder === '.' ? '' : ` of ${folder}`;
  const options = '--include=dev --ignore-scripts --no-audit --no-fund --loglevel=warn';
  return [
    {
      title: `Installing ${required.length} packages${where}${size ? ` (${size})` : ''}`,
      command: `cd ${folder} && npm ci ${options}`,
      result,
    },
  ];
}

/**
 * The compiler itself finds out what has changed since the last build.
 *
 * @returns {Step}
 */
function build() {
  return {
    title: fs.existsSync('dist') ? undefined : 'Building (10 to 30 seconds)',
    command: 'node node_modules/typescript/bin/tsc --build tsconfig.build.json',
  };
}

/** @returns {Step[]} */
function emptyDatabase() {
  const version = JSON.parse(fs.readFileSync('package.json', 'utf8')).dependencies[
    '@electric-sql/pglite'
  ];
  if (fs.existsSync(`empty-cluster/pglite-${version}.tar.gz`)) return [];
  return [
    {
      title: 'Creating an empty database (about 10 seconds)',
      command: 'node scripts/create-empty-cluster.js',
    },
  ];
}

/** @param {Step[]} steps */
function run(steps) {
  const titles = steps.map((step) => step.title).filter(Boolean);
  /** @param {number} index */
  function runFrom(index) {
    const step = steps[index];
    if (!step) return;
    const number = titles.length > 1 ? `${titles.indexOf(step.title) + 1}/${titles.length} ` : '';
    const prefix = step.title ? number : '';
    if (step.title) console.error(`${prefix}${step.title} ...`);
    const start = Date.now();
    const progress = setInterval(() => {
      console.error(`${prefix}Still at work after ${secondsSince(start)} s`);
    }, PROGRESS_MS);
    let output = '';
    const child = spawn(step.command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.on('close', (status, signal) => {
      clearInterval(progress);
      assertComplete(step, { status, signal, output });
      if (step.title) console.error(`${prefix}Done in ${secondsSince(start)} s`);
      runFrom(index + 1);
    });
  }
  runFrom(0);
}

/**
 * Ends the process if the step has failed.
 *
 * @param {Step} step
 * @param {{ status: number | null, signal: string | null, output: string }} result
 */
function assertComplete(step, { status, signal, output }) {
  // npm only warns of files that it could not write, as on a full disk.
  const isIncomplete = output.includes('TAR_ENTRY_ERROR');
  if (status === 0 && !isIncomplete) return;
  if (isIncomplete && step.result) fs.rmSync(step.result, { force: true });
  const lines = output.trim().split('\n');
  // The warnings are one for each file.
  console.error(lines.slice(isIncomplete ? -3 : 0).join('\n'));
  const advice = ADVICE.find((each) => each[0].test(output));
  if (advice) console.error(`\n${advice[1]}`);
  // The number of a shell for SIGKILL.
  if (signal === 'SIGKILL' || status === 137) {
    console.error('The system ended the step. It takes up to 1 GB of memory; is there less?');
  }
  process.exit(status || 1);
}

function prepare() {
  const size = 'a download of 160 MB, 330 MB on disk; one to two minutes';
  run(installation('.', size).concat(build(), emptyDatabase()));
}

const [argument] = process.argv.slice(2);
checkNode();
if (argument === '--port') checkPort(() => whenLocked(prepare));
else whenLocked(() => (argument ? run(installation(argument)) : prepare()));
