import { useState } from 'react';
import type { Schemas } from 'expense-service-client';
import { client, ErrorNote, fieldErrors, usd, useLoaded } from './api';
import { CashFlowChart } from './CashFlowChart';
import { Field } from './Field';

const FIELDS = ['name', 'start_date', 'end_date', 'income_amount'] as const;

export function NextCycle() {
  const { data: proposed, notice } = useLoaded('next', () => client.GET('/cycles/next'));
  const [preview, setPreview] = useState<Schemas['PreviewResponse']>();
  const [error, setError] = useState<unknown>();
  if (!proposed) return notice;
  const errors = fieldErrors(error);

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const form: unknown = Object.fromEntries(new FormData(event.currentTarget));
    const body = form as Schemas['CreateCycleDto'];
    try {
      setError(undefined);
      if (submitter?.id === 'create') {
        const { data } = await client.POST('/cycles', { body });
        location.hash = data.id;
      } else {
        setPreview((await client.POST('/cycles/preview', { body })).data);
      }
    } catch (reason) {
      setError(reason);
      setPreview(undefined);
    }
  }

  return (
    <>
      <h1>The next cycle</h1>
      <form onSubmit={submit}>
        {FIELDS.map((name) => (
          <Field key={name} name={name} errors={errors[name]} defaultValue={proposed.data[name]} />
        ))}
        <ErrorNote error={error} />
        <div role="group">
          <button className="secondary">Preview</button>
          <button id="create">Create</button>
        </div>
      </form>
      {preview && (
        <section aria-label="Preview">
          <p role="status">
            {preview.expenses.length} expenses; {usd(preview.cycle.remaining_balance)} would remain.
          </p>
          <ul>
            {preview.warnings.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
          <CashFlowChart cashFlow={preview.cash_flow} />
        </section>
      )}
    </>
  );
}
