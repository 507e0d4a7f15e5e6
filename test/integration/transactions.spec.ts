import { describe, expect, it } from '@jest/globals';
import { ActivityService } from '../../src/activity/activity.service.js';
import type { UserId } from '../../src/common/user-id.js';
import { Database } from '../../src/database/database.js';
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

  it('undoes the mutation when its activity cannot be recorded', async () => {
    const user = await service.signUp();
    await service.query('ALTER TABLE activity_log RENAME TO activity_log_away');
    try {
      const body = { name: 'Card', method_type: 'debit', default_currency: 'USD' };
      await user.post('/payment-methods', body).expect(500);
    } finally {
      await service.query('ALTER TABLE activity_log_away RENAME TO activity_log');
    }
    expect((await user.get('/payment-methods')).body).toEqual([]);
  });
});
