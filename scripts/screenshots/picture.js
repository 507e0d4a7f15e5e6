// @ts-check
/** The picture at the top of README.md: the first page on a desktop beside what is due on a phone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { boxOf, chartOf, dueOf, endOfRows, MARGIN, scrollToCard } from './layout.js';

/** @typedef {import('./example-web.js').ExampleWeb} ExampleWeb */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {'light' | 'dark'} Scheme */

/** In pixels of the README, whose column on GitHub has 830. */
const SHOWN_WIDTH = 828;

/** Widths in pixels of the pages. All widths and SCALE give whole pixels. */
const DESKTOP = 995;
const PHONE = 360;
const GAP = 25;

/** So that each pixel of a page becomes two pixels of the picture as it is shown. */
const PIXEL_RATIO = 2;
const SCALE = (PIXEL_RATIO * SHOWN_WIDTH) / (DESKTOP + GAP + PHONE);

const BORDER = { light: '#d1d9e0', dark: '#3d444d' };

/**
 * @param {ExampleWeb} web
 * @param {Scheme} colorScheme
 * @returns {Promise<Buffer>} a PNG
 */
export async function takePicture(web, colorScheme) {
  const options = { colorScheme, deviceScaleFactor: SCALE };
  const desktop = await web.open({ ...options, viewport: { width: DESKTOP, height: 1200 } });
  const height = await cutBelowChart(desktop);
  const phone = await web.open({ ...options, viewport: { width: PHONE, height } });
  await cutBelowRows(phone);
  const images = [await whenStill(desktop), await whenStill(phone)].map(
    (image) => `<img src="data:image/png;base64,${image.toString('base64')}">`,
  );
  const page = await web.newPage({
    deviceScaleFactor: PIXEL_RATIO,
    viewport: { width: SHOWN_WIDTH, height: 100 },
  });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; display: flex; justify-content: space-between; align-items: center; }
    img { zoom: ${1 / PIXEL_RATIO}; border-radius: 16px; outline: 2px solid ${BORDER[colorScheme]}; outline-offset: -2px; }
  </style>${images.join('')}`);
  const picture = await page.screenshot({ fullPage: true, omitBackground: true });
  for (const each of [desktop, phone, page]) await each.context().close();
  return picture;
}

/** @param {Page} page */
async function cutBelowChart(page) {
  const { y, height } = await boxOf(chartOf(page));
  const cut = Math.floor((y + height + MARGIN) / 5) * 5;
  await page.setViewportSize({ width: DESKTOP, height: cut });
  return cut;
}

/**
 * Makes the page as high as the rows of what is due that it can show completely.
 *
 * @param {Page} page
 */
async function cutBelowRows(page) {
  await scrollToCard(page, dueOf(page));
  const navigation = await boxOf(page.getByRole('contentinfo'));
  const cut = await endOfRows(page, navigation.y);
  await page.setViewportSize({ width: PHONE, height: cut + navigation.height });
}

/**
 * A picture of a page on which nothing moves.
 *
 * @param {Page} page
 */
async function whenStill(page) {
  /** @type {Buffer} */
  let before = Buffer.alloc(0);
  for (;;) {
    const picture = await page.screenshot({ animations: 'disabled' });
    if (picture.equals(before)) return picture;
    before = picture;
    await sleep(700);
  }
}
