// @ts-check
/** Where things are on the first page. The classes are those of its cards and its rows. */

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** Around a card, less than between two of them. */
export const MARGIN = 12;

/** @param {Locator} element */
export async function boxOf(element) {
  const box = await element.first().boundingBox();
  if (!box) throw new Error(`Not visible: ${element.toString()}`);
  return box;
}

/** @param {Page} page */
export const chartOf = (page) =>
  page.locator('.card').filter({ has: page.locator('.recharts-surface') });

/** @param {Page} page */
const payButtonsOf = (page) => page.getByRole('button', { name: /^Pay / });

/** @param {Page} page */
export const dueOf = (page) => page.locator('.card').filter({ has: payButtonsOf(page) });

/**
 * Scrolls until a card begins below the header, which does not move.
 *
 * @param {Page} page
 * @param {Locator} card
 */
export async function scrollToCard(page, card) {
  const header = await boxOf(page.getByRole('banner'));
  await page.evaluate(`scrollBy(0, ${(await boxOf(card)).y - header.height - MARGIN})`);
}

/**
 * Where the page can be cut so that its last row is complete.
 *
 * @param {Page} page
 * @param {number} height how much there is room for
 */
export async function endOfRows(page, height) {
  const rows = await Promise.all((await payButtonsOf(page).all()).map(boxOf));
  const ends = rows.map((row) => row.y + row.height + MARGIN);
  const end = Math.max(...ends.filter((y) => y < height - MARGIN));
  const right = Math.max(...rows.map(({ x, width }) => x + width));
  // What is written beside the button may be higher.
  return Number(
    await page.evaluate(`(() => {
      const texts = [...document.querySelectorAll('main *')]
        .filter((element) => element.children.length === 0)
        .map((element) => element.getBoundingClientRect())
        .filter(({ left }) => left < ${right});
      let cut = ${end};
      while (texts.some(({ top, bottom }) => top - 6 < cut && cut < bottom + 6)) cut++;
      return cut;
    })()`),
  );
}
