/** What Mantine asks a browser for, and happy-dom has not. */
import { afterEach, vi } from 'vitest';
import { cleanup } from '@testing-library/react';

globalThis.ResizeObserver ??= class {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
};
Object.assign(window, { visualViewport: null, scrollTo: () => undefined });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
