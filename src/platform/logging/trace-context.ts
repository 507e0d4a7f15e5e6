const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/**
 * The trace and parent span of a `traceparent` header (W3C Trace Context); empty if it is invalid.
 */
export function traceOf(traceparent: unknown): { trace_id?: string; parent_span_id?: string } {
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!match) return {};
  const [version, traceId, parentId, rest] = match.slice(1) as [string, string, string, string?];
  // Later versions may append fields; version `ff` is invalid.
  const isVersion = version === '00' ? rest === undefined : version !== 'ff';
  const isValid = isVersion && /[^0]/.test(traceId) && /[^0]/.test(parentId);
  return isValid ? { trace_id: traceId, parent_span_id: parentId } : {};
}
