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

const { spawnSync } = require('child_process');
const fs = require('fs');
const net = require('net');
const util = require('util');

/** A file with the id of the process that is installing or building. */
const LOCK = '.prepare-lock';

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
 */
function whenLocked(work) {
  try {
    fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    process.on('exit', () => fs.unlinkSync(LOCK));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') {
      if (isAbandoned()) fs.rmSync(LOCK, { force: true });
      setTimeout(whenLocked, 100, work);
      return;
    }
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

/** @param {string} folder */
function install(folder) {
  const read = (/** @type {string} */ file) => JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  const wanted = read(`${folder}/package-lock.json`);
  // npm writes it at the end of an installation.
  const result = `${folder}/node_modules/.package-lock.json`;
  const installed = fs.existsSync(result) ? read(result) : {};
  // Compares contents, because times differ in a copied folder. Optional packages are for other
  // platforms.
  const isMissing = (/** @type {string} */ path) =>
    path !== '' &&
    !wanted[path].optional &&
    (installed[path] || {}).integrity !== wanted[path].integrity;
  if (!Object.keys(wanted).some(isMissing)) return;
  console.error(`Installing packages ${folder === '.' ? '' : `of ${folder} `}...`);
  const options = '--include=dev --ignore-scripts --no-audit --no-fund --loglevel=error';
  run(`cd ${folder} && npm ci ${options}`);
}

/** The compiler itself finds out what has changed since the last build. */
function build() {
  if (!fs.existsSync('dist')) console.error('Building ...');
  run('node node_modules/typescript/bin/tsc --build tsconfig.build.json');
  run('node scripts/create-empty-cluster.js');
}

/** @param {string} command */
function run(command) {
  const { status } = spawnSync(command, { shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status || 1);
}

function prepare() {
  install('.');
  build();
}

const [argument] = process.argv.slice(2);
checkNode();
if (argument === '--port') checkPort(() => whenLocked(prepare));
else whenLocked(() => (argument ? install(argument) : prepare()));
