// @ts-check
/** Loaded with NODE_OPTIONS=--require, this makes Node.js report NODE_VERSION as its version. */
Object.defineProperty(process, 'versions', {
  value: { ...process.versions, node: process.env.NODE_VERSION },
});
