import { describe, expect, it } from '@jest/globals';
import { ActivityService } from '../../src/activity/activity.service.js';
import type { UserId } from '../../src/common/user-id.js';
import { Database } from '../../src/database/database.js';
import { expectError } from '../support/errors.js';
import { oneOfEverything } from '../support/one-of-everything.js';
import { splitName } from '../support/operations.js';
import { databaseState } from '../support/refusals.js';
import { useService } from '../support/service.js';

describe('a transaction', () => {
  const service = useService({ logLevel: 'fatal' });
  const someone = {
    id: '00000000-0000-4000-8000-000000000001' as UserId,
    email: 'someone@example.com',
    householdId: '00000000-0000-4000-8000-000000000002',
    role: 'admin' as const,
  };

  it('leaves nothing behind when the work fails after its first write', async () => {
    const database = service.app.get(Database);
    const work = database.transaction(async (manager) => {
      await manager.query(`INSERT INTO households (name) VALUES ('half done')`);
      throw new Error('after the first write');
    });
    await expect(work).rejects.toThrow('after the first write');
    expect(await service.query(`SELECT 1 FROM households WHERE name = 'half done'`)).toEqual([]);
  });

  it('is demanded for recording activity', async () => {
    const activity = service.app.get(ActivityService);
    const record = activity.record(service.dataSource.manager, someone, []);
    await expect(record).rejects.toThrow('inside the transaction');
  });

  it.each<[operation: string, body: object]>([
    ['POST /payment-methods', {}],
    ['PUT /payment-methods/{id}', { name: 'Renamed' }],
    ['DELETE /payment-methods/{id}', {}],
    ['POST /expense-templates', {}],
    ['PUT /expense-templates/{id}', { description: 'Loft' }],
    ['DELETE /expense-templates/{id}', {}],
    ['POST /cycles', {}],
    ['PUT /cycles/{id}', { name: 'Renamed' }],
    ['DELETE /cycles/{id}', {}],
    ['POST /cycles/{cycle_id}/expenses', {}],
    ['PUT /cycles/{cycle_id}/expenses/{expense_id}', { paid: true }],
    ['DELETE /cycles/{cycle_id}/expenses/{expense_id}', {}],
    ['POST /comments', {}],
    ['PATCH /comments/{id}', {}],
    ['DELETE /comments/{id}', {}],
  ])('of %s is undone when its activity cannot be recorded', async (operation, body) => {
    const { user, fill, rightBody } = await oneOfEverything(service);
    const { method, path } = splitName(operation);
    const before = await databaseState(service);
    await service.query('ALTER TABLE activity_log RENAME TO activity_log_away');
    try {
      const sent = user.send(method, fill(path)).send({ ...rightBody(operation), ...body });
      expectError(await sent, 500, 'INTERNAL_SERVER_ERROR');
    } finally {
      await service.query('ALTER TABLE activity_log_away RENAME TO activity_log');
    }
    expect(await databaseState(service)).toEqual(before);
  });
});
