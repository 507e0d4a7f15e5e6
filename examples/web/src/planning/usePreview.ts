import { useEffect, useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';

const TYPING_MS = 300;

/**
 * What the service computes from what is typed, shortly after each change; what it computed last
 * stays meanwhile.
 *
 * @param compute the same function in each render
 */
export function usePreview<Draft, Result>(
  draft: Draft,
  compute: (draft: Draft, signal: AbortSignal) => Promise<{ data: Result }>,
): { data?: Result; error?: unknown } {
  const [body] = useDebouncedValue(JSON.stringify(draft), TYPING_MS);
  const [state, setState] = useState<{ data?: Result; error?: unknown }>({});
  useEffect(() => {
    const controller = new AbortController();
    compute(JSON.parse(body) as Draft, controller.signal).then(
      ({ data }) => setState({ data }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState(({ data }) => ({ data, error }));
      },
    );
    return () => controller.abort();
  }, [body, compute]);
  return state;
}
