/** Values in the examples of the OpenAPI document. */
export const EXAMPLE_INSTANT = {
  created: '2026-01-18T16:20:31.482Z',
  updated: '2026-01-26T02:11:09.057Z',
} as const;
