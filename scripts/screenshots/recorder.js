// @ts-check
/**
 * Records a page as a film, one picture for each frame. The page's clock stands still between two
 * frames, so that a slow machine makes the same film as a fast one.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { boxOf } from './layout.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

export const FRAMES_PER_SECOND = 20;
const FRAME_MS = 1000 / FRAMES_PER_SECOND;

/** How long a movement of the pointer, a step of scrolling and a key take. */
const MOVE_MS = 600;
const SCROLL_MS = 400;
const KEY_MS = 60;
const SCROLL_STEP = 140;
const MAX_SCROLL_STEPS = 5;

/** An arrow whose tip is at the top left, and a circle around the tip while a button is pressed. */
const POINTER = `<svg width="28" height="28" viewBox="-14 -14 42 42" style="position: fixed;
  z-index: 10000; pointer-events: none; overflow: visible" xmlns="http://www.w3.org/2000/svg">
  <circle r="14" fill="#0b6b58" fill-opacity="0.35" visibility="hidden" />
  <path d="M0 0v20l4.6-4.3 3 7 3.8-1.6-3-6.9h6.4z" fill="#111" stroke="#fff" stroke-width="1.6" />
</svg>`;

/** Moves all transitions and animations of style sheets, which know no clock but that of the browser. */
const advanceAnimations = `for (const animation of document.getAnimations()) {
  const end = animation.effect.getComputedTiming().endTime;
  const time = Number(animation.currentTime) + ${FRAME_MS};
  if (animation.playState !== 'paused') animation.pause();
  if (time < end) animation.currentTime = time;
  else animation.finish();
}`;

/**
 * @typedef {object} PageElement
 * @property {(other: unknown) => boolean} contains
 * @property {{ elementFromPoint: (x: number, y: number) => unknown }} ownerDocument
 */

export class Recorder {
  #page;
  #folder;
  #frames = 0;
  #x = 0;
  #y = 0;
  /** @type {Set<import('playwright-core').Request>} */
  #requests = new Set();

  /**
   * @param {Page} page with a clock that Playwright has installed
   * @param {string} folder for the frames
   */
  constructor(page, folder) {
    this.#page = page;
    this.#folder = folder;
    page.on('request', (request) => this.#requests.add(request));
    page.on('requestfinished', (request) => this.#requests.delete(request));
    page.on('requestfailed', (request) => this.#requests.delete(request));
  }

  get seconds() {
    return this.#frames / FRAMES_PER_SECOND;
  }

  /** Where the pointer is at first. @param {number} x @param {number} y */
  async start(x, y) {
    const now = Number(await this.#page.evaluate('Date.now()'));
    await this.#page.clock.pauseAt(now + 1000);
    await this.#page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(POINTER)});
      window.pointerOfFilm = document.body.lastElementChild`,
    );
    await this.#movePointer(x, y);
  }

  /** @param {number} ms */
  async wait(ms) {
    for (let passed = 0; passed < ms; passed += FRAME_MS) await this.#takeFrame();
  }

  /** @param {Locator} element */
  async moveTo(element) {
    const { x, y } = await this.#scrollTo(element);
    const [fromX, fromY] = [this.#x, this.#y];
    if (x === fromX && y === fromY) return;
    await this.#during(MOVE_MS, (part) =>
      this.#movePointer(fromX + (x - fromX) * part, fromY + (y - fromY) * part),
    );
  }

  /**
   * Moves the pointer to an element and presses it.
   *
   * @param {Locator} element
   */
  async click(element) {
    await this.moveTo(element);
    await this.wait(200);
    await this.#page.mouse.down();
    await this.#showPress('visible');
    await this.wait(160);
    await this.#page.mouse.up();
    await this.#showPress('hidden');
  }

  /** @param {string} text */
  async type(text) {
    for (const key of text) {
      await this.#page.keyboard.type(key);
      await this.wait(KEY_MS);
    }
  }

  /**
   * Lets time pass that the film does not show.
   *
   * @param {number} ms
   */
  async skip(ms) {
    await this.#page.clock.runFor(ms);
  }

  /**
   * Scrolls what is under the pointer down until nothing covers the lower edge of an element.
   *
   * @param {Locator} element
   */
  async #scrollTo(element) {
    for (let step = 0; step < MAX_SCROLL_STEPS; step++) {
      const box = await boxOf(element);
      // Not the middle: on the right, a field may have a button.
      const point = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 };
      const isCovered = await element
        .first()
        .evaluate(
          (/** @type {PageElement} */ it, [x = 0, y = 0]) =>
            !it.contains(it.ownerDocument.elementFromPoint(x, y)),
          [point.x, box.y + box.height - 2],
        );
      if (!isCovered) return point;
      let done = 0;
      await this.#during(SCROLL_MS, async (part) => {
        const by = Math.round(SCROLL_STEP * part) - done;
        done += by;
        await this.#page.mouse.wheel(0, by);
      });
    }
    throw new Error(`Something covers ${element.toString()}`);
  }

  /**
   * @param {number} ms
   * @param {(part: number) => Promise<void>} move what is done up to a part from 0 to 1
   */
  async #during(ms, move) {
    const frames = Math.ceil(ms / FRAME_MS);
    for (let frame = 1; frame <= frames; frame++) {
      // Slow at the beginning and at the end.
      await move((1 - Math.cos((Math.PI * frame) / frames)) / 2);
      await this.#takeFrame();
    }
  }

  /** @param {number} x @param {number} y */
  async #movePointer(x, y) {
    [this.#x, this.#y] = [x, y];
    await this.#page.mouse.move(x, y);
    // The tip is a third from the left and from the top of the picture.
    await this.#page.evaluate(
      `Object.assign(pointerOfFilm.style, { left: '${x - 28 / 3}px', top: '${y - 28 / 3}px' })`,
    );
  }

  /** @param {'visible' | 'hidden'} visibility */
  async #showPress(visibility) {
    await this.#page.evaluate(
      `pointerOfFilm.querySelector('circle').setAttribute('visibility', '${visibility}')`,
    );
  }

  async #takeFrame() {
    await this.#page.clock.runFor(FRAME_MS);
    do await sleep(10);
    while (this.#requests.size > 0);
    await this.#page.evaluate(advanceAnimations);
    const file = join(this.#folder, `${String(this.#frames++).padStart(4, '0')}.png`);
    writeFileSync(file, await this.#page.screenshot());
  }
}
