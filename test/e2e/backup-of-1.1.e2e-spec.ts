import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { CyclePageResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { ExpenseTemplateResponse } from '../../src/templates/dto/expense-template.dto.js';
import { ENGINES, useSandbox } from '../support/cli.js';
import { signIn } from '../support/client.js';
import { useProcesses } from '../support/service-process.js';

/** Made by version 1.1: templates, a completed and an active cycle, changed entries, an undo. */
const BACKUP = fileURLToPath(new URL('../../fixtures/backup-1.1.jsonl.gz', import.meta.url));

describe.each(ENGINES)('a backup of version 1.1, restored on the %s engine', (engine) => {
  const sandbox = useSandbox();
  const processes = useProcesses();

  it('has no budgets, passes the check, and can be used with budgets', async () => {
    const database = await sandbox.database(engine);
    await database.print(['restore', BACKUP]);
    expect(await database.print(['check'])).toContain('No problems found.');

    const { settings } = database;
    const service = await processes.start(
      settings.kind === 'server' ? { DATABASE_URL: settings.url } : { DATA_DIR: settings.dataDir },
    );
    const ana = await signIn(service.origin, 'ana@example.com', 'backup-password-1');
    const { cycles } = await ana.read<CyclePageResponse>('/cycles');
    expect(cycles.map(({ name, budget_limits }) => [name, budget_limits])).toEqual([
      ['Winter', []],
      ['Autumn', []],
    ]);
    const [cycle] = cycles;
    const { expenses } = await ana.expenses(cycle?.id ?? '');
    expect(new Set(expenses.map(({ budget }) => budget))).toEqual(new Set([null]));

    const food = await ana.createBudget({ limit: '80.00' });
    const budget_limits = [{ budget_id: food.id, limit: '80.00' }];
    await ana.put(`/cycles/${cycle?.id}`, { budget_limits }).expect(200);
    const templates = await ana.read<ExpenseTemplateResponse[]>('/expense-templates?active=true');
    for (const { id } of templates) {
      await ana.put(`/expense-templates/${id}`, { budget_id: food.id }).expect(200);
    }
    const synchronized = await ana.post(`/cycles/${cycle?.id}/sync`).expect(200);
    const { change } = synchronized.body as { change: { changes: object }[] };
    expect(change.length).toBeGreaterThan(0);
    for (const { changes } of change) {
      expect(changes).toMatchObject({ budget_id: { from: null, to: food.id } });
    }
    await ana.undoOperation(synchronized);
    await ana.undo(['cycle', cycle?.id ?? '']);
    await service.stop();
    expect(await database.print(['check'])).toContain('No problems found.');
  });
});
