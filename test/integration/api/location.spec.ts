import { describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import { documentOf } from '../../support/operations.js';
import { createSampleEntities } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

interface Documented {
  responses: Record<string, { headers?: object } | undefined>;
}

/** What they create is several records, or none that a GET shows alone. */
const WITHOUT_LOCATION = [
  ...['/auth/register', '/auth/tokens', '/balances', '/calendar-feeds', '/comments'],
  '/households/current/invitations',
];

describe('Location', () => {
  const service = useService();

  /**
   * The paths of the operations that respond with 201, with the documented headers, and whether a
   * GET shows what they create.
   */
  function creations(): { path: string; headers: object; isShown: boolean }[] {
    const { paths } = documentOf(service.app) as {
      paths: Record<string, Partial<Record<'get' | 'post', Documented>>>;
    };
    const isRead = (list: string): boolean =>
      Object.entries(paths).some(
        ([path, { get }]) => get && path.replace(/\/\{\w+\}$/, '') === list && path !== list,
      );
    return Object.entries(paths).flatMap(([path, { post }]) => {
      const created = post?.responses['201'];
      if (!created) return [];
      // A request creates several balances.
      const isShown = isRead(path) && path !== '/api/v1/balances';
      return [{ path: path.replace('/api/v1', ''), headers: created.headers ?? {}, isShown }];
    });
  }

  const contentOf = ({ status, body }: Response): unknown[] => [status, body];

  it('Location is where a GET shows what was created, of every operation that creates such a record, replays included', async () => {
    const { user, fill, sendBody } = await createSampleEntities(service);
    const shown = creations().filter(({ isShown }) => isShown);
    for (const { path, headers } of shown) {
      expect(Object.keys(headers)).toContain('Location');
      const send = (address = fill(path)): Test =>
        sendBody(user.post(address), `POST ${path}`).set('Idempotency-Key', path);
      const first = await send().expect(201);
      const { id } = first.body as { id: string };
      const location = `/api/v1${fill(path)}/${id}`;
      expect(first.get('Location')).toBe(location);
      const read = await user.get(location.replace('/api/v1', '')).expect(200);
      expect(read.body).toMatchObject({ id });
      expect(read.get('ETag')).toBe(first.get('ETag'));
      const again = await send(`${fill(path).toUpperCase()}/`);
      expect(again.get('Idempotent-Replayed')).toBe('true');
      expect(again.get('Location')).toBe(location);
      expect(contentOf(again)).toEqual(contentOf(first));
    }
    expect(shown.map(({ path }) => path).sort()).toEqual([
      ...['/budgets', '/cycles', '/cycles/{cycle_id}/expenses', '/cycles/{cycle_id}/incomes'],
      ...['/expense-templates', '/income-templates', '/payment-methods'],
    ]);
  });

  it('Location is neither documented nor sent where an operation creates several records or one that no GET shows alone', async () => {
    const { user, fill, sendBody } = await createSampleEntities(service);
    const others = creations().filter(({ isShown }) => !isShown);
    for (const { path, headers } of others) {
      expect(Object.keys(headers)).not.toContain('Location');
      const response = await sendBody(user.post(fill(path)), `POST ${path}`).expect(201);
      expect([path, response.get('Location')]).toEqual([path, undefined]);
    }
    expect(others.map(({ path }) => path).sort()).toEqual(WITHOUT_LOCATION);
  });

  it('Location is in no response to a request that is refused or creates nothing', async () => {
    const user = await service.signUp();
    const refused = await user.post('/budgets', {}).expect(422);
    expect(refused.get('Location')).toBeUndefined();
    const { id } = await user.createBudget();
    const changed = await user.put(`/budgets/${id}`, { name: 'Changed' }).expect(200);
    expect(changed.get('Location')).toBeUndefined();
  });
});
