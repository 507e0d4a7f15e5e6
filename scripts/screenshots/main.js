// @ts-check
/** `npm run screenshots`: makes the pictures and the film of README.md, in docs/images. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExampleWeb } from './example-web.js';
import { encodeFilm, recordFilm } from './film.js';
import { takePicture } from './picture.js';

const IMAGES = 'docs/images';
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

for (const [program, option] of /** @type {const} */ ([
  [chromium, '--version'],
  ['ffmpeg', '-version'],
])) {
  if (spawnSync(program, [option]).status === 0) continue;
  console.error(`${program} is missing. The pictures need Chromium, at CHROMIUM_PATH or
/usr/bin/chromium, and ffmpeg. On Debian, this installs both: .ci/install chromium ffmpeg`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'screenshots.'));
const web = new ExampleWeb();
try {
  console.log('Building the example front end ...');
  await web.start(join(folder, 'web'), chromium);
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    console.log(`Taking the picture in ${scheme} colours ...`);
    writeFileSync(`${IMAGES}/overview-${scheme}.png`, await takePicture(web, scheme));
  }
  console.log('Recording the film (some minutes) ...');
  const frames = join(folder, 'frames');
  mkdirSync(frames);
  await recordFilm(web, 'light', frames);
  console.log('Encoding the film ...');
  encodeFilm(frames, `${IMAGES}/film.webp`);
} finally {
  await web.stop();
  rmSync(folder, { recursive: true });
}
