import type { KeyboardEvent } from 'react';

const PAY = '[data-settle]';

/** The button that pays or receives, of the row that is so many rows below. */
function settleButton(element: Element, rowsBelow: number): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(PAY)];
  const here = element.closest('[data-row]')?.querySelector(PAY);
  return all[all.findIndex((each) => each === here) + rowsBelow];
}

export const focusSettle = (element: Element, rowsBelow: number): void =>
  settleButton(element, rowsBelow)?.focus();

/** Arrows go from row to row, P pays, X marks, within a list only. */
export function moveByKey(event: KeyboardEvent): void {
  const from = event.target as HTMLElement;
  const row = from.closest('[data-row]');
  const run = {
    ArrowDown: () => focusSettle(from, 1),
    ArrowUp: () => focusSettle(from, -1),
    p: () => settleButton(from, 0)?.click(),
    x: () => row?.querySelector<HTMLElement>('[type=checkbox]')?.click(),
  }[event.key];
  if (!run || !row || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  run();
}
