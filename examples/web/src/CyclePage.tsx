import { useState } from 'react';
import { client, messageOf, usd, useLoaded, type Cycle, type Expense } from './api';
import { CashFlowChart } from './CashFlowChart';

async function loadCycle(id: string) {
  const [cycle, { data }, cashFlow, summary] = await Promise.all([
    client.GET('/cycles/{id}', { params: { path: { id } } }),
    client.GET('/cycles/{cycle_id}/expenses', { params: { path: { cycle_id: id } } }),
    client.GET('/cycles/{id}/cash-flow', { params: { path: { id } } }),
    client.GET('/cycles/{cycle_id}/summary', { params: { path: { cycle_id: id } } }),
  ]);
  const budgets = summary.data.by_budget.filter(({ limit }) => limit !== null);
  return { cycle: cycle.data, expenses: data.expenses, cashFlow: cashFlow.data, budgets };
}

/** What to tell of a change, and the expenses that it changed. */
type Change = { text: string; ids: string[] };

/** Only if the expense is still the one that the list shows. */
async function pay(cycle: Cycle, { id, updated_at, description }: Expense): Promise<Change> {
  const path = { cycle_id: cycle.id, expense_id: id };
  const params = { path, header: { 'If-Match': `"${updated_at}"` } };
  await client.PUT('/cycles/{cycle_id}/expenses/{expense_id}', { params, body: { paid: true } });
  return { text: `${description} is paid`, ids: [id] };
}

async function carryOver(from: Cycle, to: Cycle): Promise<Change> {
  const { moved } = (await client.carryOver({ from: from.id, to: to.id })).data;
  const ids = moved.flatMap(({ from_id, expense }) => [from_id, expense.id]);
  return { text: `${moved.length} expenses moved to ${to.name}`, ids };
}

/** Undoes a change whole: each expense has a record of it. */
async function undo({ text, ids }: Change): Promise<Change> {
  for (const entity_id of ids) {
    const query = { entity_type: 'cycle_expense', entity_id, limit: 1 } as const;
    const [record] = (await client.GET('/activity', { params: { query } })).data;
    if (record) await client.undo(record.id);
  }
  return { text: `Undone: ${text}`, ids: [] };
}

export function CyclePage({ id, cycles }: { id: string; cycles: Cycle[] }) {
  const { data, notice, reload } = useLoaded(id, () => loadCycle(id));
  const [last, setLast] = useState<Change>({ text: '', ids: [] });
  if (!data) return notice;
  const { cycle, expenses, cashFlow, budgets } = data;
  const { total_expenses, paid_count, expense_count } = cycle.summary;
  const totals = [
    ['To spend', usd(cycle.income_amount)],
    ['Expenses', usd(total_expenses)],
    ['Paid', `${paid_count} of ${expense_count}`],
    ['Remains', usd(cycle.remaining_balance)],
  ] as const;
  const next = cycles
    .filter(({ start_date, status }) => start_date > cycle.end_date && status !== 'completed')
    .sort((a, b) => a.start_date.localeCompare(b.start_date))[0];
  const isOpen = cycle.status !== 'completed';
  const unpaid = expenses.filter(({ status }) => status === 'pending' || status === 'overdue');
  const run = async (change: () => Promise<Change>) => {
    setLast(await change().catch((error: unknown) => ({ text: messageOf(error), ids: [] })));
    reload();
  };

  return (
    <>
      <h1>{cycle.name}</h1>
      <p>{`${cycle.status}, ${cycle.start_date} to ${cycle.end_date}`}</p>
      <dl className="grid">
        {totals.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd style={{ margin: 0 }}>{value}</dd>
          </div>
        ))}
      </dl>
      <CashFlowChart cashFlow={cashFlow} />
      <p role="status">{last.text}</p>
      <p>
        <button className="outline" disabled={!last.ids[0]} onClick={() => run(() => undo(last))}>
          Undo the last change
        </button>{' '}
        {isOpen && next && unpaid.length > 0 && (
          <button className="outline" onClick={() => run(() => carryOver(cycle, next))}>
            Carry what is not paid over to {next.name}
          </button>
        )}
      </p>
      <div className="overflow-auto">
        <table>
          <caption>Expenses</caption>
          <thead>
            <tr>
              {['Due', 'Description', 'Amount', 'Status'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {expenses.map((expense) => (
              <tr key={expense.id}>
                <td>{expense.due_date}</td>
                <th scope="row">{expense.description}</th>
                <td>{usd(expense.amount_usd)}</td>
                <td>
                  {expense.status}{' '}
                  {isOpen && unpaid.includes(expense) && (
                    <button
                      aria-label={`Mark ${expense.description} as paid`}
                      onClick={() => run(() => pay(cycle, expense))}
                    >
                      Pay
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {budgets.length > 0 && <h2>Left of budgets</h2>}
      <ul>
        {budgets.map(({ budget, limit, left }) => (
          <li key={budget?.id}>
            {budget?.name}: {usd(left ?? '0')} of {usd(limit ?? '0')}
          </li>
        ))}
      </ul>
    </>
  );
}
