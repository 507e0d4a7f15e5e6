import { useEffect, useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';

const TYPING_MS = 300;

interface Preview<Result> {
  data: Result | undefined;
  error: unknown;
}

const NOTHING = { data: undefined, error: undefined };

/**
 * What the service computes from what is typed, shortly after each change; what it computed last
 * stays meanwhile.
 *
 * @param draft undefined while it is not complete: then there is no result
 * @param compute the same function in each render
 * @param data computes again when it changes
 */
export function usePreview<Draft, Result>(
  draft: Draft | undefined,
  compute: (draft: Draft, signal: AbortSignal) => Promise<{ data: Result }>,
  data?: unknown,
): Preview<Result> {
  const [body] = useDebouncedValue(draft && JSON.stringify(draft), TYPING_MS);
  const [state, setState] = useState<Preview<Result>>(NOTHING);
  useEffect(() => {
    if (body === undefined) return setState(NOTHING);
    const controller = new AbortController();
    compute(JSON.parse(body) as Draft, controller.signal).then(
      ({ data: result }) => setState({ ...NOTHING, data: result }),
      (error: unknown) => controller.signal.aborted || setState({ ...NOTHING, error }),
    );
    return () => controller.abort();
  }, [body, compute, data]);
  return state;
}
