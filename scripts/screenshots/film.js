// @ts-check
/** The film of README.md: an expense is paid, that is undone, and another expense is tried. */
import { spawnSync } from 'node:child_process';
import { chartOf, endOfRows, scrollToCard } from './layout.js';
import { FRAMES_PER_SECOND, Recorder } from './recorder.js';

/** The page is wide enough for a drawer beside its chart. The film has twice the pixels of 828 px. */
const VIEWPORT = { width: 1035, height: 900 };
const SCALE = 1.6;

/**
 * @param {import('./example-web.js').ExampleWeb} web
 * @param {'light' | 'dark'} colorScheme
 * @param {string} folder for the frames
 */
export async function recordFilm(web, colorScheme, folder) {
  const options = { colorScheme, deviceScaleFactor: SCALE, viewport: VIEWPORT };
  const page = await web.open(options, (opened) => opened.clock.install());
  await scrollToCard(page, chartOf(page));
  await page.setViewportSize({ ...VIEWPORT, height: await endOfRows(page, VIEWPORT.height) });
  const whatIf = page.getByRole('button', { name: 'What if…' });
  const film = new Recorder(page, folder);
  await film.start(860, 620);

  await film.wait(800);
  await film.click(page.getByRole('button', { name: 'Pay Water' }));
  await film.wait(1100);
  await film.click(page.getByRole('button', { name: 'Undo' }));
  await film.wait(800);
  await film.moveTo(whatIf);
  // The message would cover the drawer.
  await film.skip(8000);

  await film.click(whatIf);
  const drawer = page.getByRole('dialog', { name: 'What if' });
  await film.wait(400);
  await film.click(drawer.getByLabel('Description'));
  await film.type('Washing machine');
  await film.click(drawer.getByRole('textbox', { name: 'Amount' }));
  await film.type('450');
  await page.keyboard.press('Tab');
  await film.wait(1200);
  await film.click(drawer.getByRole('button', { name: /^Use / }));
  await film.wait(1800);
  await page.context().close();
  return film.seconds;
}

/**
 * @param {string} folder with the frames
 * @param {string} file the film, an animated WebP
 */
export function encodeFilm(folder, file) {
  const input = ['-framerate', String(FRAMES_PER_SECOND), '-i', `${folder}/%04d.png`];
  const output = ['-c:v', 'libwebp_anim', '-quality', '80', '-loop', '0', file];
  const { status } = spawnSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, ...output], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('ffmpeg has failed');
}
