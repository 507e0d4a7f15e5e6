import { expect, it } from '@jest/globals';
import { useService } from '../support/service.js';

const service = useService();

it('a connection parses a statement once, however often it runs', async () => {
  const user = await service.signUp();
  for (let n = 0; n < 3; n += 1) await user.get('/cycles').expect(200);
  // One request at a time has one connection.
  const prepared = await service.query<{ runs: number }>(
    `SELECT (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements
     WHERE statement LIKE $1`,
    ['%FROM cycles%LIMIT%'],
  );
  expect(prepared).toEqual([{ runs: 3 }]);
});
