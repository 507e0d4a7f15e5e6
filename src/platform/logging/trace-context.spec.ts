import { describe, expect, it } from '@jest/globals';
import { traceOf } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('traceOf', () => {
  it.each([
    `00-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-ff`,
    // A later version, which may append fields.
    `01-${TRACE}-${PARENT}-00`,
    `fe-${TRACE}-${PARENT}-00-what-comes-next`,
    `0f-${TRACE}-${PARENT}-00-`,
  ])('traceOf takes %p', (traceparent) => {
    expect(traceOf(traceparent)).toEqual({ trace_id: TRACE, parent_span_id: PARENT });
  });

  it('traceOf takes ids that are zero but for one digit', () => {
    const [trace, parent] = [`${'0'.repeat(31)}1`, `1${'0'.repeat(15)}`];
    expect(traceOf(`00-${trace}-${parent}-01`)).toEqual({
      trace_id: trace,
      parent_span_id: parent,
    });
  });

  it.each([
    undefined,
    null,
    [`00-${TRACE}-${PARENT}-01`],
    '',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-0`,
    `00-${TRACE}-${PARENT}-012`,
    `00-${TRACE}-${PARENT}-01-`,
    `00-${TRACE}-${PARENT}-01-more`,
    `01-${TRACE}-${PARENT}-01more`,
    `ff-${TRACE}-${PARENT}-01`,
    `0-${TRACE}-${PARENT}-01`,
    `000-${TRACE}-${PARENT}-01`,
    `00-${TRACE.slice(1)}-${PARENT}-01`,
    `00-${TRACE}0-${PARENT}-01`,
    `00-${TRACE}-${PARENT.slice(1)}-01`,
    `00-${TRACE}-${PARENT}0-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    ` 00-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01\n`,
    `0g-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-0g`,
  ])('traceOf returns no trace for %p', (traceparent) => {
    expect(traceOf(traceparent)).toEqual({});
  });
});
