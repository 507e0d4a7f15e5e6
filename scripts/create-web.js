/** `npm run example:web:create -- ../my-page`: a project of its own, with the files of examples/web and the typed client. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const WEB = 'examples/web';
const CLIENT = 'expense-service-client';
/** What belongs to the clone, or is written anew below. */
const LEFT_OUT = /^(node_modules|dist|Dockerfile.*|README\.md)$/;

/** @param {string} name */
const readmeOf = (name) => `# ${name}

A front end of the expense planning API, made from its example, with the typed client in
\`${packed}\`. With the sandbox of the service on port 3000 (\`npm run sandbox\` in its clone):

\`\`\`sh
npm install
npm run dev
\`\`\`

Sign in as \`ana@example.com\` with \`sandbox-password\`. \`npm run dev -- --port 5200\` is another port.
\`VITE_API_URL=https://api.example.com\` is another service, whose \`CORS_ORIGINS\` must allow the page; empty, it is the
origin of the page.

| command          | does                                                 |
| ---------------- | ---------------------------------------------------- |
| \`npm run check\`  | checks the types                                     |
| \`npm test\`       | tests functions and pages, from recorded answers     |
| \`npm run format\` | formats all files                                    |
| \`npm run build\`  | builds \`dist\`, which [nginx.conf](nginx.conf) serves |

A newer client, in a newer clone of the service:

\`\`\`sh
npm run client:build
npm pack ./clients/typescript --pack-destination path/to/${name}
\`\`\`

Then, here, \`npm install\` with the path of the package.

`;

const [argument] = process.argv.slice(2);
if (!argument) fail('Usage: npm run example:web:create -- ../my-page');
const target = resolve(process.env.INIT_CWD ?? '.', argument);
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty`);
mkdirSync(target, { recursive: true });

for (const entry of readdirSync(WEB).filter((name) => !LEFT_OUT.test(name))) {
  cpSync(join(WEB, entry), join(target, entry), { recursive: true });
}
const pack = ['pack', '--silent', '--pack-destination', target];
const packed = execFileSync('npm', pack, { cwd: 'clients/typescript', encoding: 'utf8' }).trim();

const name = basename(target)
  .toLowerCase()
  .replaceAll(/[^\w.-]+/g, '-');
const { prettier, devDependencies: tools } = read('package.json', '.');
const project = { ...read('package.json'), description: undefined };
const dependencies = { ...project.dependencies, [CLIENT]: `file:${packed}` };
write('package.json', {
  ...project,
  name,
  scripts: { ...project.scripts, format: 'prettier --write .' },
  dependencies,
  devDependencies: { ...project.devDependencies, prettier: tools?.prettier },
  prettier,
});

// npm adds the packed client and Prettier.
const { packages = {}, ...lock } = read('package-lock.json');
const fromClone = ['', '../../clients/typescript', `node_modules/${CLIENT}`];
const others = Object.entries(packages).filter(([path]) => !fromClone.includes(path));
const root = { ...packages[''], name, dependencies };
write('package-lock.json', {
  ...lock,
  name,
  packages: { '': root, ...Object.fromEntries(others) },
});

write('.gitignore', 'node_modules/\ndist/\n.env*.local\n');
const config = readFile('vite.config.ts');
write('vite.config.ts', config.replace(/ *\/\/ The client is linked.*\n.*\n/, ''));
const [, code = ''] =
  /^(## Make it your own\n[^]*?)\n`npm run test:browser/m.exec(readFile('README.md')) ?? [];
write('README.md', readmeOf(name) + code);
console.log(`Created ${target}. Next: cd ${argument} && npm install && npm run dev`);

/** @param {string} file */
function readFile(file) {
  return readFileSync(join(WEB, file), 'utf8');
}

/**
 * @typedef {object} PackageFile
 * @property {string} [description]
 * @property {object} [scripts]
 * @property {object} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {object} [prettier]
 * @property {Record<string, object>} [packages]
 */

/**
 * @param {string} file
 * @returns {PackageFile}
 */
function read(file, folder = WEB) {
  /** @type {unknown} */
  const content = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return /** @type {PackageFile} */ (content);
}

/**
 * @param {string} file
 * @param {string | object} content
 */
function write(file, content) {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  writeFileSync(join(target, file), text);
}

/**
 * @param {string} problem
 * @returns {never}
 */
function fail(problem) {
  console.error(problem);
  process.exit(1);
}
