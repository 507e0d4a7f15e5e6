/**
 * Does what `Promise.all` does, for statements of a transaction that are sent together, in the order
 * in which the server runs them. Waits for all of them, so that none is still being sent when the
 * transaction is rolled back, and throws the error of the first one that failed.
 */
export async function sendTogether<Results extends readonly unknown[] | []>(
  statements: Results,
): Promise<{ -readonly [Index in keyof Results]: Awaited<Results[Index]> }> {
  for (const result of await Promise.allSettled(statements)) {
    if (result.status === 'rejected') throw result.reason;
  }
  return Promise.all(statements);
}
