import type { Page } from 'playwright-core';

/** In CSS pixels: a finger hits what is no smaller. */
const MIN_SIZE = 40;

/** What of the page, or of the dialog in front of it, takes presses at fewer pixels than a finger needs, as `name: width x height`. */
export const smallTargetsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`(${smallTargets})(${MIN_SIZE})`);

/** Probes around the middle of each element what takes a press there: a label, or what is drawn larger. */
const smallTargets = `(min) => {
  const found = [];
  const selector = 'a[href], button, input:not([type=hidden]), textarea, [role=option], [role=menuitem]';
  const front = document.querySelector('[role=dialog]') ?? document;
  for (const element of front.querySelectorAll(selector)) {
    if (element.disabled || element.closest('[aria-hidden=true], [inert]')) continue;
    const labels = [...(element.labels ?? [])];
    const isShown = (each) => each.getBoundingClientRect().width > 4;
    const shown = isShown(element) ? element : labels.find(isShown);
    if (!shown || getComputedStyle(shown).visibility === 'hidden') continue;
    shown.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = shown.getBoundingClientRect();
    const takes = (x, y) => {
      const at = document.elementFromPoint(x, y);
      return at && [element, ...labels].some((each) => each.contains(at));
    };
    const [x, y] = [left + Math.min(width, 400) / 2, top + height / 2];
    if (!takes(x, y)) continue;
    const reach = (dx, dy) => {
      let pixels = 0;
      while (pixels < min && takes(x + dx * (pixels + 1), y + dy * (pixels + 1))) pixels += 1;
      return pixels;
    };
    const across = reach(-1, 0) + reach(1, 0) + 1;
    const down = reach(0, -1) + reach(0, 1) + 1;
    if (across >= min && down >= min) continue;
    const name = element.getAttribute('aria-label') ?? (labels[0] ?? element).innerText;
    found.push(name.trim().slice(0, 40) + ': ' + across + ' x ' + down + ' px');
  }
  return found;
}`;
